"""HD213: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class BadImportPath(Rule):
    """The same import has to find the same file on every machine, whatever the working directory and the
    kind of slash. And a harness reads nothing outside its project: what it depends on is committed with
    it.
    """

    code = "HD213"
    enforces = ("explicit-modules", "wandering-paths")
    bad = r"""
import "common\\prices.harness" as prices
"""
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "common/prices.harness" as prices

use prices.Price

prompt system {
  section persona """Be kind."""
}
''',
            "common/prices.harness": """
module prices "1.0.0"

type Price {
  amount: decimal
}
""",
        }
    )
