"""HD501: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BacktrackingPattern(Rule):
    """A viewer could write a text on which the pattern tries every split there is: a reply would wait for
    hours. A repetition inside a repetition is what makes it so.
    """

    code = "HD501"
    enforces = ("declared-conduct",)
    bad = r'''
hook no_digits on before_reply {
  if reply matches r"(\d+)+元"
  retry """Do not write digits."""
}
'''
    good = r'''
hook no_digits on before_reply {
  if reply matches r"\d+元"
  retry """Do not write digits."""
}
'''
