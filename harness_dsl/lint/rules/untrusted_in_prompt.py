"""HD601: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UntrustedInPrompt(Rule):
    """What a viewer writes would be read as an instruction of the system: whoever types “forget your
    rules” would be obeyed. A stranger's words reach the model in a user turn, where it knows whose they
    are. A condition about them is no problem.
    """

    code = "HD601"
    enforces = ("marked-strangers", "stranger-as-system")
    bad = '''
input danmaku: string untrusted

prompt system {
  section persona """Answer this: {{ danmaku }}"""
}
'''
    good = '''
input danmaku: string untrusted

prompt system {
  section persona """Answer the viewer.{% if danmaku contains "?" %} It is a question.{% endif %}"""
}
'''
