"""HD113: found when a file is read."""

from harness_dsl.lint.examples import File, Folder
from harness_dsl.lint.rule import Rule


class FileTooLarge(Rule):
    """No harness that people write is so large. What is, is most often data that was put there by
    mistake, and would keep every program that reads it busy.
    """

    code = "HD113"
    enforces = ("half-typed",)
    bad = Folder({"shop.harness": File("# 1, 2, 3, 4, 5, 6, 7, 8\n", times=700_000)})
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

input catalog: any "The products, which the caller reads from a file."

prompt system {
  section persona """You sell {{ catalog.names | join(", ") }}."""
}
'''
        }
    )
