"""HD803: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class EmptyTest(Rule):
    """A test in which nobody speaks, or that expects nothing, always passes. It looks like protection and
    is none.
    """

    code = "HD803"
    enforces = ("tests-inside",)
    bad = """
test "a greeting" {
  user "Hello"
}
"""
    good = """
test "a greeting" {
  user "Hello"
  expect chars(reply) < 60
}
"""
