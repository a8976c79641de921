"""HD720: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class BadBank(Rule):
    """A key that is misspelt would be a setting that nothing reads: a wording that you rejected would be
    shown, or one that you accepted would not.
    """

    code = "HD720"
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
      - text: "Do not promise a delivery date."
        state: accepted
        becuse: "too blunt"
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
