"""HD303: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class ValueOutsideType(Rule):
    """A default, a given value or an argument is not of its declared type. At run time the call would be
    refused; in a test it would show a case that cannot happen.
    """

    code = "HD303"
    enforces = ("tests-inside", "foreign-types")
    bad = '''
tool get_quote(quantity: int(min: 1) = 0) -> any {
  """Quote some pieces."""
}
'''
    good = '''
tool get_quote(quantity: int(min: 1) = 1) -> any {
  """Quote some pieces."""
}
'''
