"""HD104: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnterminatedText(Rule):
    """Everything after an open text block would be prose for the model: tools, limits and tests would
    vanish into it. The opening delimiter is underlined, since the end of the file says nothing.
    """

    code = "HD104"
    enforces = ("hidden-open-quote",)
    bad = '''
harness shop "1.0.0"

prompt system {
  section persona """Be kind.
}
'''
    good = '''
harness shop "1.0.0"

prompt system {
  section persona """Be kind."""
}
'''
