"""HD307: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class DuplicateEnumValue(Rule):
    """A model sees the value twice and wonders about the difference; some targets refuse the schema."""

    code = "HD307"
    enforces = ("doubled-keys", "narrow-targets")
    bad = """
type Size = "S" | "M" | "S"
"""
    good = """
type Size = "S" | "M" | "L"
"""
