"""HD208: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadMove(Rule):
    """`moved` lets history, trained manifests and diffs follow an id to its new name. If the old id is
    still there, two symbols would share one past.
    """

    code = "HD208"
    enforces = ("two-names", "stale-names")
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_price(link_id: int) -> any {
  """Say what one product costs."""
}

moved tool.get_quote -> tool.get_price
'''
    good = '''
tool get_price(link_id: int) -> any {
  """Say what one product costs."""
}

moved tool.get_quote -> tool.get_price
'''
