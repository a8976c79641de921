"""HD205: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnlabelledItem(Rule):
    """An item of an unordered list may stand anywhere, so its id cannot be its position. With a label its
    id survives permutation and insertion, and an edit of it reads as one edit. `check --fix` makes labels
    from the words of the text.
    """

    code = "HD205"
    enforces = ("declared-order",)
    bad = '''
prompt system {
  section rules unordered {
    rule """Be brief."""
  }
}
'''
    good = '''
prompt system {
  section rules unordered {
    rule brief """Be brief."""
  }
}
'''
