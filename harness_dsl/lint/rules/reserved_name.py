"""HD203: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class ReservedName(Rule):
    """`{{ tool.x }}` refers to a tool. With an input called `tool` it could print a value instead, and
    the reader of a text could not tell which.
    """

    code = "HD203"
    enforces = ("checked-templates", "one-namespace")
    bad = '''
input tool: any

prompt system {
  section persona """You work with {{ tool.name }}."""
}
'''
    good = '''
input machine: any

prompt system {
  section persona """You work with {{ machine.name }}."""
}
'''
