"""HD722: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class TextlessWordings(Rule):
    """Wordings of a text that is gone, or that is `fixed`, are never shown, though somebody took the
    trouble to accept them. A misspelt id looks just like that.
    """

    code = "HD722"
    enforces = ("two-names", "frozen-surface")
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
  prompt/system/section/rulez:
    canonical: "Never promise a delivery date."
    wordings:
      - text: "Do not promise a delivery date."
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
