"""HD110: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MissingClause(Rule):
    """A skill that does not say when it applies is never chosen, and a hook without a condition or an
    action does nothing. Both would look as if they worked.
    """

    code = "HD110"
    enforces = ("declared-conduct",)
    bad = '''
hook no_digits on before_reply {
  retry """Do not write digits."""
}
'''
    good = '''
hook no_digits on before_reply {
  if count(number(reply)) > 0
  retry """Do not write digits."""
}
'''
