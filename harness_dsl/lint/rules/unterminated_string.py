"""HD102: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnterminatedString(Rule):
    """A string ends on the line on which it begins. Without its closing quote the rest of the file would
    be text, and every later message would be about something that you did not write.
    """

    code = "HD102"
    enforces = ("hidden-open-quote",)
    bad = """
type Quote {
  amount: decimal "In yuan.
  coupon: string
}
"""
    good = """
type Quote {
  amount: decimal "In yuan."
  coupon: string
}
"""
