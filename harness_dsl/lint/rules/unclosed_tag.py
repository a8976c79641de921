"""HD401: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnclosedTag(Rule):
    """The rest of the text would be part of the tag. If you mean two braces and no tag, write `{{ "{{"
    }}`.
    """

    code = "HD401"
    enforces = ("checked-templates", "braces-in-text")
    bad = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name."""
}
'''
    good = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name }}."""
}
'''
