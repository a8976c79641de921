"""HD705: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class RepeatedAlternative(Rule):
    """A name that is listed twice is drawn twice as often as the others, which is rarely what is meant."""

    code = "HD705"
    enforces = ("two-names", "doubled-keys")
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

alternatives {
  tool.get_quote named "query_price", "query_price"
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

alternatives {
  tool.get_quote named "query_price", "price_lookup"
}
'''
