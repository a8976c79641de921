"""HD201: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class DuplicateName(Rule):
    """A reference could mean either of the two, so one of them would never be reached. Ids are what
    history, training data and tests know a symbol by.
    """

    code = "HD201"
    enforces = ("two-names", "one-namespace")
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_quote(name: string) -> any {
  """Quote a product by its name."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

tool get_quote_by_name(name: string) -> any {
  """Quote a product by its name."""
}
'''
