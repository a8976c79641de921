"""HD108: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadVersion(Rule):
    """The version is compared with what the edits ask for: a major step where somebody may break, a minor
    one where the model may have to learn, a patch for the rest. Only three numbers can be compared so.
    """

    code = "HD108"
    bad = """
harness shop "1.0"
"""
    good = """
harness shop "1.0.0"
"""
