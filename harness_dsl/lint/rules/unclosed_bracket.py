"""HD103: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnclosedBracket(Rule):
    """A body that is not closed takes the next declaration for its own part. The place where it was
    opened is what you need to see, so it is what is underlined.
    """

    code = "HD103"
    enforces = ("hidden-open-quote", "half-typed")
    bad = '''
reply skill prices {
  when """A viewer asks what something costs."""

limits {
  turns 6
}
'''
    good = '''
reply skill prices {
  when """A viewer asks what something costs."""
}

limits {
  turns 6
}
'''
