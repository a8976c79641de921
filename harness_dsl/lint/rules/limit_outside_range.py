"""HD308: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class LimitOutsideRange(Rule):
    """The legal range says where a limit may be moved, by you and by variants. A value outside it would
    be the only one that nobody may choose.
    """

    code = "HD308"
    enforces = ("declared-order",)
    bad = """
limits {
  reply_chars 200 in 30..120
}
"""
    good = """
limits {
  reply_chars 60 in 30..120
}
"""
