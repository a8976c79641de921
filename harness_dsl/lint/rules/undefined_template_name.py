"""HD403: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UndefinedTemplateName(Rule):
    """A template would have nothing to print. Nothing is ever printed as empty text."""

    code = "HD403"
    bad = '''
prompt system {
  section persona """You work for {{ shop_name }}."""
}
'''
    good = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name }}."""
}
'''
