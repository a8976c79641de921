"""HD902: found by `harnessc guard`."""

from harness_dsl.lint.examples import Edit
from harness_dsl.lint.rule import Rule


class UnacknowledgedEdit(Rule):
    """Narrowing what callers may do, or loosening a guard, is easy to do in passing. Somebody has to have
    meant it, and says so with a reason in the version line, where the next reader finds it.
    """

    code = "HD902"
    enforces = ("frozen-surface",)
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
harness shop "2.0.0"

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
