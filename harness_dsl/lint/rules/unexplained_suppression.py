"""HD118: found with the suppressions (`harness_dsl.lint.run`)."""

from harness_dsl.lint.rule import Rule


class UnexplainedSuppression(Rule):
    """Whoever meets the comment next has to know whether it still holds. Without a reason, nobody will
    dare to remove it, and findings pile up behind it.
    """

    code = "HD118"
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call get_quote first."""  # allow HD406
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call get_quote first."""  # allow HD406: the word is meant, whatever the tool is called
}
'''
