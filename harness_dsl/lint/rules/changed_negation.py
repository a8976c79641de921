"""HD724: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ChangedNegation(Rule):
    """“Never promise a date” and “promise a date” differ in one word, and ask for opposite things. A
    wording has to deny as often as the canonical text does.
    """

    code = "HD724"
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
    canonical: "Never promise a delivery date."
    wordings:
      - text: "Promise a delivery date."
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
