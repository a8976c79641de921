"""HD305: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class MismatchedTypes(Rule):
    """The comparison would be false each time, or fail in front of a viewer. In a guard that means: it
    never guards.
    """

    code = "HD305"
    enforces = ("checked-templates", "declared-conduct", "checkable-rules")
    bad = '''
input room: string[]

prompt system {
  section persona """{% if room == 3 %}Be brief.{% endif %}"""
}
'''
    good = '''
input room: string[]

prompt system {
  section persona """{% if room contains "brief" %}Be brief.{% endif %}"""
}
'''
