"""The ways in which two Surfaces of one Core may differ, each with the ids it concerns.

An operator mostly changes all that differs in some of these ways, so that a row names them by a letter each.
"""

from collections.abc import Iterable, Mapping

from augmentors.changes import differing
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT, SemanticId, foreign
from harness_dsl.ir.surface import Surface

Facets = dict[str, frozenset[SemanticId]]

BUILT_IN = frozenset({LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT})
"""What the protocol brings along: operators that rename and reword a harness leave it alone."""


def facets(
    core: Core,
    before: Surface,
    after: Surface,
    limits: Iterable[SemanticId],
    faulty: Iterable[SemanticId] = (),
) -> Facets:
    """By letter: n names, w wordings, o orders, t the order of tools, h hidden, d distractors, m markup,
    k tool documentation, c call syntax, i implementations, f feedback, y layouts, u unsaid defaults,
    b names of built-ins, r wording of built-ins, l moved limits, e tools that faults happen to.
    """
    orders = differing(before.orders, after.orders)
    names, wordings = differing(before.names, after.names), differing(before.wordings, after.wordings)
    added = {tool.name for tool in before.distractors} ^ {tool.name for tool in after.distractors}
    return {
        "n": frozenset(names - BUILT_IN),
        "w": frozenset(wordings - BUILT_IN),
        "o": frozenset(orders - {"tools"}),
        "t": frozenset(orders & {"tools"}),
        "h": frozenset(before.hidden) ^ frozenset(after.hidden),
        "d": frozenset(map(foreign, added)),
        "m": frozenset([core.prompt.id] if before.markup != after.markup else ()),
        "k": frozenset(tool.id for tool in core.tools if before.tool_docs != after.tool_docs),
        "c": frozenset([core.prompt.id] if before.call_syntax != after.call_syntax else ()),
        "i": frozenset(differing(before.implementations, after.implementations)),
        "f": frozenset(differing(before.feedback, after.feedback)),
        "y": frozenset(differing(before.layouts, after.layouts)),
        "u": frozenset(before.unsaid) ^ frozenset(after.unsaid),
        "b": frozenset(names & BUILT_IN),
        "r": frozenset(wordings & BUILT_IN),
        "l": frozenset(limits),
        "e": frozenset(faulty),
    }


def coded(changed: Iterable[SemanticId], known: Mapping[str, frozenset[SemanticId]]) -> str | None:
    """The letters whose ids together are `changed`; None: no letters say it."""
    wanted = frozenset(changed)
    letters, missing = "", wanted
    for letter, ids in known.items():
        if ids <= wanted and not ids.isdisjoint(missing):
            letters += letter
            missing -= ids
    return None if missing else letters


def uncoded(letters: str, known: Mapping[str, frozenset[SemanticId]]) -> tuple[SemanticId, ...]:
    """The ids that `letters` stand for, sorted. Raises `KeyError`."""
    return tuple(sorted(frozenset[SemanticId]().union(*(known[letter] for letter in letters))))
