"""HD309: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadPattern(Rule):
    """A pattern that cannot be compiled would fail at the first reply it looks at. Patterns are the part
    of regular expressions that every engine reads alike.
    """

    code = "HD309"
    enforces = ("declared-conduct", "two-readings")
    bad = r'''
hook no_digits on before_reply {
  if reply matches r"(\d+"
  retry """Do not write digits."""
}
'''
    good = r'''
hook no_digits on before_reply {
  if reply matches r"\d+"
  retry """Do not write digits."""
}
'''
