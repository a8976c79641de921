"""HD726: found where a bank is used, and by `harnessc reword`."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class ChangedLength(Rule):
    """A wording that is much shorter has left something out, and a much longer one has made something up,
    whatever else is right about it.
    """

    code = "HD726"
    enforces = ("two-names",)
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section rules """Say what the tool said of each of the sizes, name a shop, and thank the viewer too."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "Say what the tool said of each of the sizes, name a shop, and thank the viewer too."
    wordings:
      - text: "Thank the viewer."
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
  section rules """Say what the tool said of each of the sizes, name a shop, and thank the viewer too."""
}
''',
            "shop.wordings.yaml": """
bank: 1
texts:
  prompt/system/section/rules:
    canonical: "Say what the tool said of each of the sizes, name a shop, and thank the viewer too."
    wordings:
      - text: "Say what the tool said of each size, name a shop, and thank the viewer too."
        state: accepted
""",
        },
        checked="shop.wordings.yaml",
        command="reword",
    )
