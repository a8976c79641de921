"""Where former ids have come to, through every `moved` line of a file."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.written import written


def destinations(lines: list[t.MovedDecl]) -> dict[str, t.Path | None]:
    """The last path that each former id leads to, by the former id as it is written; None: it goes round in
    a circle. Of two lines for one id the first counts.
    """
    steps: dict[str, t.Path] = {}
    for line in lines:
        steps.setdefault(written(line.old), line.new)
    found: dict[str, t.Path | None] = {}
    for start in steps:
        way: dict[str, None] = {}
        name, at = start, None
        while name in steps and name not in found and name not in way:
            way[name] = None
            at = steps[name]
            name = written(at)
        end = found.get(name, None if name in way else at)
        found.update(dict.fromkeys(way, end))
    return found
