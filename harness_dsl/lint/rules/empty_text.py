"""HD409: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class EmptyText(Rule):
    """A rule or description without a word is shown as an empty line, which a model may fill with
    anything.
    """

    code = "HD409"
    enforces = ("silent-blank", "vanished-feedback")
    bad = '''
prompt system {
  section persona """"""
}
'''
    good = '''
prompt system {
  section persona """Be kind."""
}
'''
