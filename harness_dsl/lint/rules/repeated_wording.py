"""HD728: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class RepeatedWording(Rule):
    """A wording that stands twice, or is the canonical text itself, is drawn twice as often as the others,
    which is rarely what is meant.
    """

    code = "HD728"
    enforces = ("two-names", "doubled-keys")
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
      - text: "Never promise a delivery date."
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
