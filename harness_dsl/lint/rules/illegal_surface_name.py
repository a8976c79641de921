"""HD701: found by the analysis."""

from harness_dsl.lint.rule import Rule


class IllegalSurfaceName(Rule):
    """OpenAI-style targets refuse tool names outside `^[a-zA-Z0-9_-]{1,64}$`, so the harness would work here
    and fail on the day on which it is served elsewhere. The id may stay as it is: only the shown name counts.
    """

    code = "HD701"
    enforces = ("full-unicode", "merged-names")
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
