"""HD204: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class LabelInOrderedList(Rule):
    """The items of an ordered list are its first, second and third: that is what diffs and variants know
    them by. A label would promise that an item may move.
    """

    code = "HD204"
    enforces = ("declared-order",)
    bad = '''
reply skill prices {
  when """A viewer asks what something costs."""
  do ordered {
    look """Look the price up."""
    say """Say it with its unit."""
  }
}
'''
    good = '''
reply skill prices {
  when """A viewer asks what something costs."""
  do ordered {
    """Look the price up."""
    """Say it with its unit."""
  }
}
'''
