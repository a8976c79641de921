"""HD211: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ImportCycle(Rule):
    """Each of the files would have to be read before the other. The whole circle is shown, since the
    import that closes it is rarely the one to change.
    """

    code = "HD211"
    enforces = ("explicit-modules",)
    bad = Folder(
        {
            "shop.harness": """
module shop "1.0.0"

import "prices.harness" as prices

use prices.Price

type Product {
  price: Price
}
""",
            "prices.harness": """
module prices "1.0.0"

import "shop.harness" as shop

type Price {
  amount: decimal
}
""",
        }
    )
    good = Folder(
        {
            "shop.harness": """
module shop "1.0.0"

import "prices.harness" as prices

use prices.Price

type Product {
  price: Price
}
""",
            "prices.harness": """
module prices "1.0.0"

type Price {
  amount: decimal
}
""",
        }
    )
