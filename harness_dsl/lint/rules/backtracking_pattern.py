"""HD501: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BacktrackingPattern(Rule):
    """A viewer could write a text that makes the hook run for hours."""

    code = "HD501"
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
