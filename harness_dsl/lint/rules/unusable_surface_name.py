"""HD704: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnusableSurfaceName(Rule):
    """A name in backticks or over two lines cannot be shown to a model as one word, nor be found again in
    what it writes.
    """

    code = "HD704"
    enforces = ("two-names", "full-unicode")
    bad = '''
tool get_quote named "get `quote`"(link_id: int) -> any {
  """Quote one product."""
}
'''
    good = '''
tool get_quote named "quote"(link_id: int) -> any {
  """Quote one product."""
}
'''
