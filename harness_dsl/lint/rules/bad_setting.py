"""HD121: found when the project file is read."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class BadSetting(Rule):
    """A misspelt key in `harness.toml` would be passed over in silence: tools that you allowed would not run,
    and a manifest that you named would not be looked at.
    """

    code = "HD121"
    enforces = ("ignored-fields",)
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section persona """You sell tea."""
}
''',
            "harness.toml": """
[runtime]
alow = ["shop.tools"]
""",
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section persona """You sell tea."""
}
''',
            "harness.toml": """
[runtime]
allow = ["shop.tools"]
""",
        }
    )
