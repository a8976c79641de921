"""HD725: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ChangedForce(Rule):
    """What must be done, what should be, what may be and what is done only in one case are different rules.
    The word that says which of them it is goes missing easily in other words.
    """

    code = "HD725"
    enforces = ("two-names", "checkable-rules")
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section rules """You must ask for the number."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "You must ask for the number."
    wordings:
      - text: "You may ask for the number."
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
  section rules """You must ask for the number."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "You must ask for the number."
    wordings:
      - text: "You have to ask for the number."
        state: accepted
""",
        },
        checked="shop.wordings.yaml",
        command="reword",
    )
