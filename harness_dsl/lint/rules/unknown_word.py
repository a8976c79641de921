"""HD114: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnknownWord(Rule):
    """Effects, events, catalogs and the like come from short lists. A word that is on none of them would
    be a promise that nothing keeps: a tool marked `readonly` would be guarded as one that writes.
    """

    code = "HD114"
    enforces = ("ignored-fields", "declared-conduct")
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  effect readonly
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  effect read
}
'''
