"""HD405: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class DanglingReference(Rule):
    """A text refers to a symbol that is not declared, or that the model does not see by name. The model
    would be told to call something that is not there. After a rename, this finds each text that still has
    the old name.
    """

    code = "HD405"
    enforces = ("typed-references", "stale-names")
    bad = '''
prompt system {
  section rules """Call {{ tool.get_quotes }} first."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call {{ tool.get_quote }} first."""
}
'''
