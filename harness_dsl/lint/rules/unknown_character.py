"""HD105: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnknownCharacter(Rule):
    """A character that belongs to no word or mark is often one that an editor or a chat put there:
    typographic quotes, a full-width colon, a space without width. It is shown by its number, because on
    the screen it may look right.
    """

    code = "HD105"
    enforces = ("full-unicode",)
    bad = """
limits {
  turns 6；
}
"""
    good = """
limits {
  turns 6
}
"""
