"""HD122: found before anything is parsed, since the file is two versions of itself."""

from harness_dsl.lint.rule import Rule


class MergeConflict(Rule):
    """Git writes both versions into the file where two edits cannot be joined. Each of its marks would be a
    finding of its own, and so would every name that both versions declare; between the delimiters of a text
    the model would read them. A text that is about such marks keeps them when its lines are indented.
    """

    code = "HD122"
    enforces = ("wrong-place",)
    bad = '''
tool get_quote(link_id: int) -> any {
<<<<<<< HEAD
  """Quote one product."""
=======
  """Say what a product costs."""
>>>>>>> prices
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Say what a product costs."""
}
'''
