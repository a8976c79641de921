"""HD107: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MissingHeader(Rule):
    """The first line says what a file is, and under which name and version its variants, models and edits
    are known. Without it nobody could tell what an old training run was made from.
    """

    code = "HD107"
    enforces = ("byte-order-mark",)
    bad = """
limits {
  turns 6
}

harness shop "1.0.0"
"""
    good = """
harness shop "1.0.0"

limits {
  turns 6
}
"""
