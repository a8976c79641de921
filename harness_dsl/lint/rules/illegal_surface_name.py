"""HD701: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class IllegalSurfaceName(Rule):
    """OpenAI-style targets refuse tool names outside `^[a-zA-Z0-9_-]{1,64}$`."""

    code = "HD701"
    bad = '''
tool 查价(link_id: int) -> any {
  """Quote one product."""
}
'''
    good = '''
tool 查价 named "get_quote"(link_id: int) -> any {
  """Quote one product."""
}
'''
