"""HD403: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UndefinedTemplateName(Rule):
    """A template would have nothing to print, and a prompt with a hole in it reads almost like one without.
    Nothing is ever printed as empty text: an input has to be declared, with its type.
    """

    code = "HD403"
    enforces = ("checked-templates", "silent-blank")
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
