"""HD304: found by the analysis, since nothing can be compiled with it."""

from harness_dsl.lint.rule import Rule


class EndlessType(Rule):
    """Every value of the type would have to contain another one, without end, so there is none. A list, a
    map, null or an optional field on the way gives it an end.
    """

    code = "HD304"
    enforces = ("lost-schemas",)
    bad = """
type Lesson {
  title: string
  next: Lesson
}
"""
    good = """
type Lesson {
  title: string
  next?: Lesson
}
"""
