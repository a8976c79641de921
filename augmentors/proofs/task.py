"""Proof 4: what was hidden or added beside the harness does not touch what the row's task needs."""

from collections.abc import Iterator

from augmentors.dependents import dependents
from augmentors.identifiers import looks_like
from augmentors.index import plain
from augmentors.proofs.claim import Claim
from augmentors.similarity import features, similarity
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import ForeignTool

CLOSEST = 0.6
"""A distractor as similar as this to a tool of the footprint may be mistaken for it."""


def task(claim: Claim) -> Iterator[str]:
    """What of the task is hidden or shadowed."""
    yield from _needed(claim)
    yield from _hidden(claim)
    for tool in claim.surface.distractors:
        if tool not in claim.baseline.distractors:
            yield from _distractor(claim, tool)
    is_relative = claim.surface.hidden != claim.baseline.hidden or any(
        tool not in claim.baseline.distractors for tool in claim.surface.distractors
    )
    if is_relative and claim.certificate.level != "task-relative":
        yield f"symbols are hidden or shadowed, which is no `{claim.certificate.level}` claim"


def _needed(claim: Claim) -> Iterator[str]:
    """What the row says its task needs, and is not there. What it leaves out, only a conversation can say."""
    footprint = claim.certificate.footprint
    if footprint is None:
        return
    core = claim.shape.origin
    for id_ in footprint.symbols:
        if id_ not in {tool.id for tool in core.tools} and id_ not in {skill.id for skill in core.skills}:
            yield f"the footprint has `{id_}`, which is neither tool nor skill"


def _hidden(claim: Claim) -> Iterator[str]:
    hideable = {tool.id for tool in claim.base.tools} | {skill.id for skill in claim.base.skills}
    needed = frozenset(claim.footprint.symbols)
    new = set(claim.surface.hidden) - set(claim.baseline.hidden)
    for id_ in sorted(new):
        if id_ not in hideable:
            yield f"`{id_}` is hidden and neither tool nor skill"
        elif id_ in needed:
            yield f"`{id_}` is hidden, and the task needs it"
    if not new:
        return
    replies = {skill.id for skill in claim.base.skills if skill.role == "reply"}
    if replies and replies.issubset(claim.surface.hidden):
        yield "every reply skill is hidden, and a reply needs one"
    spoken_of = dependents(claim.base, claim.surface)
    for id_ in sorted(new):
        for speaker in sorted(spoken_of.get(id_, ())):
            if "/".join(speaker.split("/")[:2]) not in claim.surface.hidden:
                yield f"`{id_}` is hidden, and `{speaker}` speaks of it"


def _distractor(claim: Claim, tool: ForeignTool) -> Iterator[str]:
    if not tool.origin.strip():
        yield f"`{tool.name}` does not say where it comes from"
    if not tool.failure.strip():
        yield f"`{tool.name}` has no failing implementation"
    if tool.parameters.get("type") != "object":
        yield f"the parameters of `{tool.name}` are no object"
    for own in claim.base.tools:
        if looks_like(tool.name, leaf(own.id)):
            yield f"`{tool.name}` is named as `{own.id}` is declared"
        elif looks_like(tool.name, claim.old_name(own.id)):
            yield f"`{tool.name}` is named as `{own.id}` was shown"
    theirs = features(tool.name, tool.description)
    needed = frozenset(claim.footprint.symbols)
    for own in claim.base.tools:
        if own.id not in needed:
            continue
        close = similarity(features(leaf(own.id), plain(own.description)), theirs)
        if close >= CLOSEST:
            yield f"`{tool.name}` is too close to `{own.id}`, which the task needs (similarity {close:.2f})"
