"""HD117: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class TooDeep(Rule):
    """Nobody can read what is nested so deep, and programs that follow it run out of stack. A name for an
    inner part helps both.
    """

    code = "HD117"
    enforces = ("half-typed",)
    bad = """
type Deep = string[][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]
"""
    good = """
type Row = string[]
type Table = Row[]
type Book = Table[]
"""
