"""HD408: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnprintableValue(Rule):
    """A list or record has no one way to stand in a sentence, and null would be nothing at all. Say what
    is to be printed.
    """

    code = "HD408"
    enforces = ("checked-templates", "silent-blank")
    bad = '''
input coupon: string?

prompt system {
  section offers """The coupon of today: {{ coupon }}"""
}
'''
    good = '''
input coupon: string?

prompt system {
  section offers """The coupon of today: {{ coupon | default("none") }}"""
}
'''
