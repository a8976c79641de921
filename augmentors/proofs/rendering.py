"""Proof 3: what the model reads prints symbols by their current names, and no name that was renamed away."""

from collections.abc import Callable, Iterable, Iterator

from augmentors.identifiers import code_mentions
from augmentors.index import literals
from augmentors.proofs.claim import Claim
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.source_map import Rendered

Render = Callable[[Core, Surface], Iterable[Rendered]]
"""Everything a model may read of a harness before it acts: prompt, loaded skills, hook messages."""


def rendering(claim: Claim, render: Render | None) -> Iterator[str]:
    """Which printed name is wrong. Without `render` only the author's prose is read."""
    yield from _stale_prose(claim)
    if render is None:
        return
    shown: set[SemanticId] = set()
    gone = _renamed_away(claim)
    for text in render(claim.core, claim.surface):
        yield from _symbols(claim, text, shown)
        yield from _stale(text, gone)
    visible = [tool.id for tool in claim.base.tools] + [skill.id for skill in claim.base.skills]
    for id_ in visible:
        if id_ in claim.surface.hidden and id_ in shown:
            yield f"`{id_}` is hidden and printed"
        elif id_ not in claim.surface.hidden and id_ not in shown:
            yield f"`{id_}` is printed nowhere"


def _stale_prose(claim: Claim) -> Iterator[str]:
    """Prose that writes a renamed symbol out as code would now name nothing, or another symbol."""
    renamed = {
        claim.old_name(id_): id_ for id_ in claim.known.space_of if claim.name(id_) != claim.old_name(id_)
    }
    if renamed.keys().isdisjoint(claim.known.mentions):
        return
    for text in claim.known.texts.values():
        for piece in literals(claim.surface.wordings.get(text.id, text.canonical)):
            for name in code_mentions(piece):
                if name in renamed:
                    yield f"`{text.id}` writes out `{name}`, and `{renamed[name]}` has another name now"


def _renamed_away(claim: Claim) -> frozenset[str]:
    """Names that were shown and that nothing shows any more."""
    ids = claim.known.space_of
    current = {claim.name(id_) for id_ in ids} | {tool.name for tool in claim.surface.distractors}
    return frozenset(claim.old_name(id_) for id_ in ids) - current


def _symbols(claim: Claim, text: Rendered, shown: set[SemanticId]) -> Iterator[str]:
    for span in text.spans:
        if span.kind != "symbol":
            continue
        shown.add(span.source)
        if span.source not in claim.known.space_of:
            continue
        printed = text.text[span.start : span.end]
        if printed != claim.name(span.source):
            yield f"`{span.source}` is printed as `{printed}` and named `{claim.name(span.source)}`"


def _stale(text: Rendered, gone: frozenset[str]) -> Iterator[str]:
    suspects = {name for name in gone if name in text.text}
    if not suspects:
        return
    for span in text.spans:
        if span.kind != "text":
            continue
        for name in code_mentions(text.text[span.start : span.end]):
            if name in suspects:
                yield f"`{span.source}` prints `{name}`, which was renamed away"
