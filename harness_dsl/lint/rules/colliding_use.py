"""HD214: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class CollidingUse(Rule):
    """The tool that comes in was written for the module's `Price`. With yours in its place it would
    return something else than its author tested. Say with `override` that you mean that.
    """

    code = "HD214"
    enforces = ("explicit-modules", "one-namespace")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

type Price {
  cents: int
}

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

override prices.Price

type Price {
  cents: int
}

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
