"""HD217: found when a file is compiled."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ModuleAlone(Rule):
    """A module has no prompt of its own to be shown, so there is nothing that a model could be given.
    `check` takes modules, since their mistakes are theirs.
    """

    code = "HD217"
    enforces = ("explicit-modules",)
    bad = Folder(
        {
            "prices.harness": """
module prices "1.0.0"

type Price {
  amount: decimal
}
"""
        },
        checked="prices.harness",
        command="compile",
    )
    good = Folder(
        {
            "prices.harness": '''
harness prices "1.0.0"

type Price {
  amount: decimal
}

prompt system {
  section persona """Be kind."""
}
'''
        },
        checked="prices.harness",
        command="compile",
    )
