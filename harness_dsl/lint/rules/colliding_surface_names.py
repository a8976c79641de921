"""HD702: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class CollidingSurfaceNames(Rule):
    """The model could not say which of the two it means."""

    code = "HD702"
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_item named "get_quote"(link_id: int) -> any {
  """Describe one product."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_item(link_id: int) -> any {
  """Describe one product."""
}
'''
