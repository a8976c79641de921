"""What comes along with a declaration that is brought in: what its module says about it elsewhere."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.modules.unfit import Use
from harness_dsl.syntax.moves import destinations
from harness_dsl.syntax.written import written


def belongings(use: Use, kind: str, names: list[str], owner: t.Ident | None) -> list[t.Decl]:
    """The other names and wordings that its module declares for what `kind` and `names` refer to, and its
    former ids. Those of a rule become those of a rule in the section `owner`, where it has no former id.
    """

    def about(path: t.Path) -> bool:
        words = [segment.text for segment in path.segments]
        return path.root.text == kind and words[: len(names)] == names

    symbols = use.module.symbols
    found: list[t.Decl] = []
    for entry in symbols.alternatives:
        if about(entry.target):
            taken = entry if owner is None else _about_rule(entry, owner)
            found.append(t.AlternativesDecl(entry.start, entry.end, [taken]))
    if owner is None:
        ends = destinations(symbols.moved)
        for moved in symbols.moved:
            end = ends[written(moved.old)]
            found += [moved] if end is not None and about(end) else []
    return found


def _about_rule(entry: t.OtherNames | t.OtherWordings, owner: t.Ident) -> t.OtherNames | t.OtherWordings:
    """`entry`, which is about a rule, for the same rule in the section `owner`."""
    old = entry.target
    target = t.Path(old.start, old.end, old.root, [owner, *old.segments[1:]])
    if isinstance(entry, t.OtherNames):
        return t.OtherNames(entry.start, entry.end, target, entry.names)
    return t.OtherWordings(entry.start, entry.end, target, entry.texts)
