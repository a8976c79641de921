"""HD410: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MissingReference(Rule):
    """Variants show one wording or the other. If one of them does not say which tool to call, what a
    model can know depends on the draw, and the two do not mean the same.
    """

    code = "HD410"
    enforces = ("typed-references",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call {{ tool.get_quote }} before you say a price."""
}

alternatives {
  section.rules """Look a price up before you say it."""
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

prompt system {
  section rules """Call {{ tool.get_quote }} before you say a price."""
}

alternatives {
  section.rules """Look a price up with {{ tool.get_quote }} before you say it."""
}
'''
