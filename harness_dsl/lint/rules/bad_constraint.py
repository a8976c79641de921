"""HD302: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadConstraint(Rule):
    """A bound that its type does not have, or one that no value can keep, would be dropped or refused by
    the first target that reads it.
    """

    code = "HD302"
    enforces = ("ignored-fields", "narrow-targets")
    bad = '''
tool get_quote(link_id: int(minimum: 1)) -> any {
  """Quote one product."""
}
'''
    good = '''
tool get_quote(link_id: int(min: 1)) -> any {
  """Quote one product."""
}
'''
