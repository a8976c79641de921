"""HD111: found when a file is read."""

from harness_dsl.lint.examples import File, Folder
from harness_dsl.lint.rule import Rule


class NotUtf8(Rule):
    """A file in another encoding reads as other letters on other machines. It is refused whole, with the
    first byte that gives it away and a guess at what it is, rather than guessed at.
    """

    code = "HD111"
    enforces = ("full-unicode", "encoding-crash")
    bad = Folder(
        {
            "shop.harness": File(
                '''
harness shop "1.0.0"

prompt system {
  section persona """Offer every guest a café au lait."""
}
''',
                encoding="latin-1",
            )
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

prompt system {
  section persona """Offer every guest a café au lait."""
}
'''
        }
    )
