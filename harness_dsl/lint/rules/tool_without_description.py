"""HD502: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class ToolWithoutDescription(Rule):
    """The model chooses a tool by its name and description. Variants show it under other names, and then
    a tool without a description cannot be told from another.
    """

    code = "HD502"
    enforces = ("two-names",)
    bad = """
tool get_quote(link_id: int) -> any {
  effect read
}
"""
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

'''
