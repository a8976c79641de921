"""HD804: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MissingGiven(Rule):
    """A conversation begins with a value for each input, whether the prompt, a tool, a hook or nothing
    looks at it: a test without one always fails. An untrusted `string` alone may be left out, and then
    is what the user says.
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
