"""Bodies whose parts stand in any order."""

from collections.abc import Iterable
from typing import TypeVar

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis

N = TypeVar("N", bound=t.Node)
_SHOWN = {"text": "description", "action": "action", "if": "condition"}


def said(
    analysis: Analysis, clauses: list[t.Clause], owner: t.Ident, once: Iterable[str]
) -> dict[str, t.Clause]:
    """The clauses by word; what may be said once and is said twice is reported, and the first counts."""
    found: dict[str, t.Clause] = {}
    for clause in clauses:
        if clause.word in found and clause.word in once:
            analysis.report.say(
                "HD109",
                f"`{owner.text}` has a second {_SHOWN.get(clause.word, f'`{clause.word}`')}",
                clause,
                "Keep one of the two.",
                (found[clause.word], "the first one"),
            )
        found.setdefault(clause.word, clause)
    return found


def one(found: dict[str, t.Clause], word: str, kind: type[N]) -> N | None:
    """The operand of the clause `word`, if it is there."""
    clause = found.get(word)
    if clause is None or not clause.args:
        return None
    node = clause.args[0]
    return node if isinstance(node, kind) else None


def word_of(analysis: Analysis, clause: t.Clause | None, what: str, known: tuple[str, ...]) -> None:
    """The operand of `clause` has to be one of the words in `known`."""
    if clause is not None and isinstance(clause.args[0], t.Ident):
        known_word(analysis, clause.args[0], what, known)


def known_word(analysis: Analysis, word: t.Ident, what: str, known: tuple[str, ...]) -> None:
    if word.text not in known:
        analysis.report.unknown("HD114", what, word, list(known), f"Use one of {', '.join(known)}.")
