"""HD112: found when a file is read."""

from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule


class UnreadableFile(Rule):
    """A path that is misspelt must not count as a file in which nothing is wrong: a check that has
    checked nothing says so, and ends with status 2.
    """

    code = "HD112"
    bad = Folder({}, checked="shp.harness")
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
