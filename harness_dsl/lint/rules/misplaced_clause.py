"""HD504: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MisplacedClause(Rule):
    """The clause would be read and have no effect: a `max` where nothing is tried again, an optional mark
    where a default already says so.
    """

    code = "HD504"
    enforces = ("declared-conduct", "ignored-fields")
    bad = """
hook no_digits on before_reply {
  if count(number(reply)) > 0
  log max 2
}
"""
    good = """
hook no_digits on before_reply {
  if count(number(reply)) > 0
  log
}
"""
