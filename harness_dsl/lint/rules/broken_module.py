"""HD212: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class BrokenModule(Rule):
    """The mistakes stand in another file, and are listed there. This says which import they reach you
    through, so that nothing is brought in half.
    """

    code = "HD212"
    enforces = ("explicit-modules", "silent-modules")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

use prices.Price

prompt system {
  section persona """Be kind."""
}
''',
            "prices.harness": """
module prices "1.0.0"

type Price {
  amount: decimel
}
""",
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

use prices.Price

prompt system {
  section persona """Be kind."""
}
''',
            "prices.harness": """
module prices "1.0.0"

type Price {
  amount: decimal
}
""",
        }
    )
