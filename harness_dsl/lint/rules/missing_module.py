"""HD210: found by the analysis when it loads a module."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class MissingModule(Rule):
    """What a module brings in may be a rule that the law asks for. A harness that goes out without it,
    because of a moved file, must not look complete.
    """

    code = "HD210"
    enforces = ("explicit-modules", "wandering-paths")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "common/complience.harness" as compliance

prompt system {
  use compliance.disclaimer
  section persona """Be kind."""
}
''',
            "common/compliance.harness": '''
module compliance "1.0.0"

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

import "common/compliance.harness" as compliance

prompt system {
  use compliance.disclaimer
  section persona """Be kind."""
}
''',
            "common/compliance.harness": '''
module compliance "1.0.0"

prompt system {
  section disclaimer """Prices may change."""
}
''',
        }
    )
