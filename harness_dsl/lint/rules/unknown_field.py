"""HD306: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnknownField(Rule):
    """The value has no such part, so a rule about it would hold for nothing, and a text would have
    nothing to print.
    """

    code = "HD306"
    enforces = ("typed-references", "checked-templates")
    bad = '''
type Room {
  shop_name: string
}

input room: Room

prompt system {
  section persona """You work for {{ room.shop }}."""
}
'''
    good = '''
type Room {
  shop_name: string
}

input room: Room

prompt system {
  section persona """You work for {{ room.shop_name }}."""
}
'''
