"""HD216: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class MisplacedUse(Rule):
    """A section stands where its `use` stands, among the others, and so does a rule. Outside the prompt
    it would have no place to be shown at.
    """

    code = "HD216"
    enforces = ("explicit-modules", "declared-order")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

use prices.disclaimer

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

prompt system {
  use prices.disclaimer
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
