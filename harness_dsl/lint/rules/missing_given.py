"""HD804: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MissingGiven(Rule):
    """The prompt prints this input. Without a value for it the test would show the model a prompt that no
    viewer ever causes.
    """

    code = "HD804"
    enforces = ("tests-inside", "silent-blank")
    bad = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name }}."""
}

test "a greeting" {
  user "Hello"
  expect chars(reply) < 60
}
'''
    good = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name }}."""
}

test "a greeting" {
  given shop_name = "Leaf"
  user "Hello"
  expect chars(reply) < 60
}
'''
