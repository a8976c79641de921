"""HD802: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class BadFixture(Rule):
    """YAML that can be read in two ways would give a test other data than you see: a key that stands
    twice, for instance.
    """

    code = "HD802"
    enforces = ("tests-inside", "doubled-keys")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

type Room {
  shop_name: string
}

input room: Room

prompt system {
  section persona """You work for {{ room.shop_name }}."""
}

test "a greeting" {
  given room = fixture "rooms/leaf.yaml"
  user "Hello"
  expect chars(reply) < 60
}
''',
            "rooms/leaf.yaml": """
shop_name: Leaf
shop_name: Tea
""",
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

type Room {
  shop_name: string
}

input room: Room

prompt system {
  section persona """You work for {{ room.shop_name }}."""
}

test "a greeting" {
  given room = fixture "rooms/leaf.yaml"
  user "Hello"
  expect chars(reply) < 60
}
''',
            "rooms/leaf.yaml": """
shop_name: Leaf
""",
        }
    )
