"""HD202: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnknownName(Rule):
    """After a rename somewhere else, a skill would quietly lose its tool, or a test would expect nothing.
    So an unknown name is an error where it stands, with at most three names that come close.
    """

    code = "HD202"
    enforces = ("typed-references", "stale-names", "flood-of-guesses")
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

reply skill prices {
  when """A viewer asks what something costs."""
  uses get_qoute
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

reply skill prices {
  when """A viewer asks what something costs."""
  uses get_quote
}
'''
