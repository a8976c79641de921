"""HD116: found when a file is read."""

from harness_dsl.lint.examples import File, Folder
from harness_dsl.lint.rule import Rule


class NulCharacter(Rule):
    """A NUL ends the text for some programs and is nothing for others, so two readers would see two
    harnesses.
    """

    code = "HD116"
    enforces = ("two-readings", "full-unicode")
    bad = Folder(
        {
            "shop.harness": File(
                '''
harness shop "1.0.0"

prompt system {
  section persona """Be\0kind."""
}
'''
            )
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section persona """Be kind."""
}
'''
        }
    )
