"""HD905: found by `harnessc guard`."""

from harness_dsl.lint.examples import Edit
from harness_dsl.lint.rule import Rule


class UnformattedFile(Rule):
    """With one layout, a diff shows what was meant and nothing else. `harnessc fmt` makes it."""

    code = "HD905"
    enforces = ("one-layout", "unstable-layout")
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
harness shop "1.0.1"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system { section persona """Be kind.""" }
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
harness shop "1.0.1"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section persona """Be kind."""
}
''',
    )
