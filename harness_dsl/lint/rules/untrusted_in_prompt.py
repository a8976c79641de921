"""HD601: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UntrustedInPrompt(Rule):
    """What a viewer writes would be read as an instruction of the system: role injection."""

    code = "HD601"
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
