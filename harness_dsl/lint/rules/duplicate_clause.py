"""HD109: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class DuplicateClause(Rule):
    """Of two values for one thing, one would win in silence, and it would depend on the reader which.
    Keep the one that you mean.
    """

    code = "HD109"
    enforces = ("doubled-keys",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  timeout 800ms
  timeout 2s
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  timeout 800ms
}
'''
