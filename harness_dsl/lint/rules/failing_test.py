"""HD904: found by `harnessc guard`."""

from harness_dsl.lint.examples import Edit
from harness_dsl.lint.rule import Rule


class FailingTest(Rule):
    """The edit asks for a minor version, so people will take it without looking. Its own tests say that
    something that held before does not hold any more.
    """

    code = "HD904"
    enforces = ("tests-inside",)
    bad = Edit(
        before='''
harness shop "1.0.0"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules unordered {
    rule warm """Greet with 亲."""
      check reply starts with "亲"
  }
}

test "a greeting" {
  user "你好"
  expect reply starts with "亲"
}
''',
        after='''
harness shop "1.1.0"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules unordered {
    rule warm """Greet with 亲."""
      check reply starts with "亲"
    rule brief """Use at most 0 characters."""
      check chars(reply) <= 0
  }
}

test "a greeting" {
  user "你好"
  expect reply starts with "亲"
}
''',
    )
    good = Edit(
        before='''
harness shop "1.0.0"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules unordered {
    rule warm """Greet with 亲."""
      check reply starts with "亲"
  }
}

test "a greeting" {
  user "你好"
  expect reply starts with "亲"
}
''',
        after='''
harness shop "1.1.0"

tool get_quote(link_id: int, quantity?: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules unordered {
    rule warm """Greet with 亲."""
      check reply starts with "亲"
    rule brief """Use at most 60 characters."""
      check chars(reply) <= 60
  }
}

test "a greeting" {
  user "你好"
  expect reply starts with "亲"
}
''',
    )
