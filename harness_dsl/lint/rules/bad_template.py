"""HD402: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadTemplate(Rule):
    """JSON in a prompt is full of braces, and two in a row begin a tag. What stands in it is read when
    you check, never for the first time in front of a viewer.
    """

    code = "HD402"
    enforces = ("checked-templates", "braces-in-text")
    bad = '''
prompt system {
  section format """Answer with {{"price": 1}}."""
}
'''
    good = '''
prompt system {
  section format """Answer with {"price": 1}, or say {{ "{{" }} for two braces."""
}
'''
