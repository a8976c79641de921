"""HD510: found by `harnessc test --contracts`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule

_PROJECT = '[runtime]\nallow = ["shop"]\n'
_SHOP = '''
harness shop "1.0.0"

tool get_quote(link_id: int) -> any {
  """Quote one product."""
}

hook quoted on before_reply {
  if reply contains "元" and not called(get_quote)
  retry """Look the price up with {{ tool.get_quote }}.""" max 2
  same as python "shop:quoted"
  fail closed
}

prompt system {
  section tools catalog tools
}
'''


class UnequalImplementations(Rule):
    """A function stands in for the condition of a hook, and the two do not mean the same: a variant that runs
    the one guards otherwise than the harness says. Both are asked about generated events; the smallest event
    found on which they part is in the message. No variant runs such a function, and no row that does holds.
    """

    code = "HD510"
    enforces = ("declared-conduct",)
    bad = Folder(
        {
            "shop.harness": _SHOP,
            "harness.toml": _PROJECT,
            "shop.py": 'def quoted(facts):\n    return "元" in facts.reply and not facts.calls\n',
        },
        command="contracts",
    )
    good = Folder(
        {
            "shop.harness": _SHOP,
            "harness.toml": _PROJECT,
            "shop.py": """
def quoted(facts):
    looked_up = any(call.tool == "tool/get_quote" and call.carried_out for call in facts.calls)
    return "元" in facts.reply and not looked_up
""",
        },
        command="contracts",
    )
