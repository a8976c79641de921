"""HD727: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ChangedLanguage(Rule):
    """A variant in one language shows the wordings of that language. One that says nothing is taken to be
    in the language of the canonical text.
    """

    code = "HD727"
    enforces = ("two-names",)
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
      - text: "绝不承诺送达日期。"
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
      - text: "绝不承诺送达日期。"
        state: accepted
        language: zh
""",
        },
        checked="shop.wordings.yaml",
        command="reword",
    )
