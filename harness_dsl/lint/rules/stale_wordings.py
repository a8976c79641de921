"""HD721: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class StaleWordings(Rule):
    """The wordings were judged beside another text. Whether they still say what the harness says now is for
    a person to see, not for a variant to try out.
    """

    code = "HD721"
    enforces = ("two-names", "checkable-rules")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section rules """Never promise a delivery date."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "Never promise a date."
    wordings:
      - text: "Do not promise a date."
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
  section rules """Never promise a delivery date."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "Never promise a delivery date."
    wordings:
      - text: "Do not promise a delivery date."
        state: accepted
""",
        },
        checked="shop.wordings.yaml",
        command="reword",
    )
