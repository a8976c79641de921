"""HD404: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnbalancedTemplate(Rule):
    """Without its end, a condition would reach to the end of the text and take what always has to be said
    along.
    """

    code = "HD404"
    enforces = ("checked-templates",)
    bad = '''
input night: bool

prompt system {
  section persona """Be kind.{% if night %} Speak softly."""
}
'''
    good = '''
input night: bool

prompt system {
  section persona """Be kind.{% if night %} Speak softly.{% endif %}"""
}
'''
