"""HD503: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MisplacedExpression(Rule):
    """Before a turn there is no reply yet, and in a text there are no calls. The expression could only be
    null there, and a guard that reads it would never act.
    """

    code = "HD503"
    enforces = ("declared-conduct", "checked-templates")
    bad = """
hook no_digits on before_turn {
  if count(number(reply)) > 0
  log
}
"""
    good = """
hook no_digits on before_reply {
  if count(number(reply)) > 0
  log
}
"""
