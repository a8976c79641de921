"""HD702: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class CollidingSurfaceNames(Rule):
    """The model could not say which of the two it means, and a call of it could not be told apart either.
    Names that become one where a target allows letters and digits only collide too.
    """

    code = "HD702"
    enforces = ("two-names", "merged-names")
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
