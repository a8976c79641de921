"""HD901: found by `harnessc guard`."""

from harness_dsl.lint.examples import Edit
from harness_dsl.lint.rule import Rule


class VersionTooLow(Rule):
    """Whoever depends on the harness reads from its version whether an update can break them, and whether
    the model has to be trained again. A step that is too small tells them wrongly that all is well,
    and one back, as a revert makes it, that nothing has changed since.
    """

    code = "HD901"
    enforces = ("two-names",)
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
harness shop "1.1.0"  # acknowledges narrowing: every caller says how many

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
