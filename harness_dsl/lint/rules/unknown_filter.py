"""HD407: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class UnknownFilter(Rule):
    """Filters are few and closed, so that a template means the same in every program that shows it."""

    code = "HD407"
    enforces = ("checked-templates", "two-readings")
    bad = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name | capitalize }}."""
}
'''
    good = '''
input shop_name: string

prompt system {
  section persona """You work for {{ shop_name | upper }}."""
}
'''
