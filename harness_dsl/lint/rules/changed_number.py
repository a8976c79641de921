"""HD723: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ChangedNumber(Rule):
    """A model that is trained with a wrong number learns it. Numbers in digits, in English and Chinese
    words, percentages and what is counted all have to stay.
    """

    code = "HD723"
    enforces = ("two-names", "checkable-rules")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section rules """Answer within three days."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "Answer within three days."
    wordings:
      - text: "Answer within thirty days."
        state: accepted
""",
        },
        checked="shop.wordings.yaml",
        command="reword",
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section rules """Answer within three days."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "Answer within three days."
    wordings:
      - text: "Reply within 3 days."
        state: accepted
""",
        },
        checked="shop.wordings.yaml",
        command="reword",
    )
