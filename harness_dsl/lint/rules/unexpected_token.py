"""HD101: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnexpectedToken(Rule):
    """A misspelt word, or one clause too many, would otherwise be a setting that you believe in and
    nothing reads. So every word has to have its place: what is not understood is said, at that word, and
    the rest of the file is checked all the same.
    """

    code = "HD101"
    enforces = ("ignored-fields", "wrong-place", "half-typed")
    bad = '''
prompt system {
  sction persona """Be kind."""
}
'''
    good = '''
prompt system {
  section persona """Be kind."""
}
'''
