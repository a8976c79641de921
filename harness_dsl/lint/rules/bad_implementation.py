"""HD506: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadImplementation(Rule):
    """The runtime would look for the function at the first call, in front of a viewer. The form is
    checked here; nothing is imported for it.
    """

    code = "HD506"
    enforces = ("declared-conduct",)
    bad = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  impl python "shop/tools.py"
}
'''
    good = '''
tool get_quote(link_id: int) -> any {
  """Quote one product."""
  impl python "shop.tools:get_quote"
}
'''
