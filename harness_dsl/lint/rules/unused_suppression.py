"""HD119: found with the suppressions (`harness_dsl.lint.run`)."""

from harness_dsl.lint.rule import Rule


class UnusedSuppression(Rule):
    """What was allowed here is gone. Left in place, the comment would hide the same mistake when somebody
    makes it again. `check --fix` removes it.
    """

    code = "HD119"
    bad = '''
prompt system {
  section rules """Answer first."""  # allow HD406: the word is meant
}
'''
    good = '''
prompt system {
  section rules """Answer first."""
}
'''
