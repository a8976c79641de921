"""Proof 3: what the model reads prints symbols by their current names, and no name that was renamed away."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

from augmentors.identifiers import code_mentions
from augmentors.index import literals
from augmentors.proofs.claim import Claim
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.quick import Pieced
from harness_dsl.protocol.quick.sheet import in_json
from harness_dsl.protocol.source_map import Piece, Rendered

Render = Callable[[Core, Surface], Iterable[Rendered | Pieced]]
"""Everything a model may read of a harness before it acts: prompt, loaded skills, hook messages."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What a model reads, as far as proof 3 asks: the symbols that are printed, all under their current
    names, and the author's prose.
    """

    printed: frozenset[SemanticId]
    texts: list[tuple[str, ...]]


@runtime_checkable
class Glancing(Protocol):
    """Who gives everything that a model reads may also tell quickly what it is made of."""

    def glance(self, core: Core, surface: Surface) -> Glance | None:
        """None: names have to be looked at one by one."""


def rendering(claim: Claim, render: Render | None) -> Iterator[str]:
    """Which printed name is wrong. Without `render` only the author's prose is read."""
    yield from _stale_prose(claim)
    if render is None:
        return
    shown: set[SemanticId] = set()
    gone = _renamed_away(claim)
    glance = render.glance(claim.core, claim.surface) if isinstance(render, Glancing) else None
    if glance is not None and _is_right(claim, glance, gone):
        return
    for text in render(claim.core, claim.surface):
        yield from _wrong(claim, _pieces(text), gone, shown)
    hidden = frozenset(claim.surface.hidden)
    for id_ in _listed(claim.base):
        if id_ in hidden and id_ in shown:
            yield f"`{id_}` is hidden and printed"
        elif id_ not in hidden and id_ not in shown:
            yield f"`{id_}` is printed nowhere"


def _is_right(claim: Claim, glance: Glance, gone: frozenset[str]) -> bool:
    """Whether nothing is wrong; what is, only a closer look can say."""
    hidden = frozenset(claim.surface.hidden)
    if any((id_ in hidden) == (id_ in glance.printed) for id_ in _listed(claim.base)):
        return False
    return not gone or all(map(gone.isdisjoint, map(_mentioned_in, glance.texts)))


@remembered
def _listed(core: Core) -> tuple[SemanticId, ...]:
    return (*(tool.id for tool in core.tools), *(skill.id for skill in core.skills))


def _stale_prose(claim: Claim) -> Iterator[str]:
    """Prose that writes a renamed symbol out as code would now name nothing, or another symbol."""
    renamed = {old: id_ for id_, (old, _) in claim.renamed.items()}
    if renamed.keys().isdisjoint(claim.known.mentions):
        return
    for text in claim.known.texts.values():
        for piece in literals(claim.surface.wordings.get(text.id, text.canonical)):
            for name in code_mentions(piece):
                if name in renamed:
                    yield f"`{text.id}` writes out `{name}`, and `{renamed[name]}` has another name now"


def _renamed_away(claim: Claim) -> frozenset[str]:
    """Names that were shown and that nothing shows any more."""
    return frozenset(old for old, _ in claim.renamed.values()).difference(claim.all_names.values())


def _pieces(text: Rendered | Pieced) -> Sequence[Piece]:
    if isinstance(text, Pieced):
        return text.pieces
    return [(text.text[span.start : span.end], span.source, span.kind) for span in text.spans]


def _wrong(
    claim: Claim, pieces: Sequence[Piece], gone: frozenset[str], shown: set[SemanticId]
) -> Iterator[str]:
    """Symbols that are not printed under their name, and names of old in the author's prose; `shown` takes
    the symbols that are printed.
    """
    names = claim.all_names
    for printed, source, kind in pieces:
        if kind == "symbol":
            shown.add(source)
            name = names.get(source)
            if name is not None and printed != name and printed != in_json(name):
                yield f"`{source}` is printed as `{printed}` and named `{name}`"
        elif kind == "text" and not gone.isdisjoint(_mentioned(printed)):
            for name in code_mentions(printed):
                if name in gone:
                    yield f"`{source}` prints `{name}`, which was renamed away"


@lru_cache(maxsize=1 << 14)
def _mentioned_in(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(_mentioned, texts))


@lru_cache(maxsize=1 << 16)
def _mentioned(text: str) -> frozenset[str]:
    return frozenset(code_mentions(text))
