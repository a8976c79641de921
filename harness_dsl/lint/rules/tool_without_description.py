"""HD502: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class ToolWithoutDescription(Rule):
    """The model chooses a tool by its description; a renamed tool without one cannot be told apart."""

    code = "HD502"
    bad = """
tool get_quote(link_id: int) -> any {
  effect read
}
"""
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

'''
