"""HD801: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class MissingFixture(Rule):
    """A test without its data would be skipped or run on nothing, and still count as one that passed."""

    code = "HD801"
    enforces = ("tests-inside", "wandering-paths")
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
  given room = fixture "rooms/leaf.yml"
  user "Hello"
  expect chars(reply) < 60
}
''',
            "rooms/leaf.yaml": """
shop_name: Leaf
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
