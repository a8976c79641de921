"""HD206: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class OrderCycle(Rule):
    """No order of the sections satisfies the constraints, so any that were shown would break one of them. The
    circle is listed: remove the constraint in it that you need least.
    """

    code = "HD206"
    enforces = ("declared-order",)
    bad = '''
prompt system {
  section a """One."""
  section b """Two."""
  order a before b, b before a
}
'''
    good = '''
prompt system {
  section a """One."""
  section b """Two."""
  order a before b
}
'''
