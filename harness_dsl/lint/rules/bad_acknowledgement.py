"""HD903: found by `harnessc guard`."""

from harness_dsl.lint.examples import Edit
from harness_dsl.lint.rule import Rule


class BadAcknowledgement(Rule):
    """A comment that acknowledges nothing that exists, or gives no reason, would let an edit in that
    nobody has thought about.
    """

    code = "HD903"
    enforces = ("ignored-fields",)
    bad = Edit(
        before='''
harness shop "1.0.0"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
}
''',
        after='''
harness shop "2.0.0"  # acknowledges narrowing

tool get_quote(link_id: int, quantity: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
}
''',
    )
    good = Edit(
        before='''
harness shop "1.0.0"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
}
''',
        after='''
harness shop "2.0.0"  # acknowledges narrowing: every caller says how many

tool get_quote(link_id: int, quantity: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
}
''',
    )
