"""HD301: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnknownType(Rule):
    """A type that nothing declares would let any value pass, and a tool would be called with what it
    cannot use.
    """

    code = "HD301"
    enforces = ("foreign-types", "lost-schemas")
    bad = '''
tool get_quote(link_id: integer) -> any {
  """Quote one product."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}
'''
