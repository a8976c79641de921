"""HD115: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadNumber(Rule):
    """A number that cannot be kept exactly, or a time that is none, would be rounded somewhere between
    your file and the run, and nobody would see where.
    """

    code = "HD115"
    enforces = ("declared-conduct",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  timeout 0.0001ms
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  timeout 800ms
}
'''
