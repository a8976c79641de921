"""HD120: found when a file is read."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class OtherFormat(Rule):
    """Every brace of such a file would be a finding of its own, and none of them would say what is wrong:
    that this is the compiled form, or the tools that a harness can be made from.
    """

    code = "HD120"
    enforces = ("wrong-place",)
    bad = Folder(
        {
            "tools.json": """
[{"name": "get_quote", "description": "Quote one product.", "inputSchema": {"type": "object"}}]
"""
        },
        checked="tools.json",
    )
    good = Folder(
        {
            "tools.harness": '''
harness tools "1.0.0"

tool get_quote() -> any {
  """Quote one product."""
}

prompt system {
  section tools catalog tools
}
'''
        },
        checked="tools.harness",
    )
