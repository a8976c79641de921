"""HD215: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class UnfitUse(Rule):
    """What is brought in refers to other declarations of its module. They do not come along unnamed, so
    that you see everything that is in your harness; the help line names the `use` that is missing.
    """

    code = "HD215"
    enforces = ("explicit-modules",)
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

use prices.get_quote

prompt system {
  section persona """Be kind."""
}
''',
            "prices.harness": '''
module prices "1.0.0"

type Price {
  amount: decimal
}

tool get_quote(link_id: int) -> Price {
  """Quote one product."""
}

prompt system {
  section disclaimer """Prices may change."""
}
''',
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

use prices.Price, prices.get_quote

prompt system {
  section persona """Be kind."""
}
''',
            "prices.harness": '''
module prices "1.0.0"

type Price {
  amount: decimal
}

tool get_quote(link_id: int) -> Price {
  """Quote one product."""
}

prompt system {
  section disclaimer """Prices may change."""
}
''',
        }
    )
