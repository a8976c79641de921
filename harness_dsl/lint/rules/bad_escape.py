"""HD106: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class BadEscape(Rule):
    """What would the model see: a backslash, or something else? Tools differ in that. Here a backslash in
    a string begins one of a few escapes, and in a text block or a raw string it is a backslash.
    """

    code = "HD106"
    enforces = ("two-readings",)
    bad = r"""
type Folder {
  path: string "For example C:\data."
}
"""
    good = r"""
type Folder {
  path: string "For example C:\\data."
}
"""
