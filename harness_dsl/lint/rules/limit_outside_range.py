"""HD308: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class LimitOutsideRange(Rule):
    """The legal range says where a limit may be moved; the declared value has to be in it."""

    code = "HD308"
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
