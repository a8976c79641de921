"""Proof 1: the Surface belongs to that Core, every change is claimed, and names are legal and apart."""

from collections.abc import Iterator
from functools import lru_cache

from augmentors import observations
from augmentors.adapters.refactorings import Shape
from augmentors.certificates import Certificate
from augmentors.changes import changes
from augmentors.identifiers import TOOL_NAME, sanitised
from augmentors.index import all_ids
from augmentors.limit_values import moved_limits, value_of
from augmentors.proofs.claim import Claim
from harness_dsl.ir.core import Choice, Core
from harness_dsl.ir.fault_plan import plan_problems
from harness_dsl.ir.ids import foreign, kind
from harness_dsl.ir.quick_digest import quick_core_digest, quick_surface_digest
from harness_dsl.ir.verify_surface import several


def is_about(core: Core, certificate: Certificate) -> bool:
    """Whether the certificate speaks of this Core at all."""
    return certificate.base_core == quick_core_digest(core)


def belonging(claim: Claim) -> Iterator[str]:
    """Why the Surface does not belong to the Core, if it does not."""
    problems = list(_limits(claim))
    yield from problems
    if not problems:
        yield from _digests_differ(claim)
    yield from (f"{problem}, and a fault is planned" for problem in plan_problems(claim.core, claim.plan))
    yield from _unclaimed(claim)
    yield from _claimed_of_nothing(claim)
    yield from _overclaimed(claim)
    yield from _unknown_names(claim)
    yield from _illegal_names(claim)
    yield from _collisions(claim)


def _digests_differ(claim: Claim) -> Iterator[str]:
    certificate, core = claim.certificate, quick_core_digest(claim.core)
    if certificate.core != core:
        yield "the digest of the varied Core differs"
    if certificate.surface_digest != quick_surface_digest(claim.core, claim.surface, core):
        yield "the digest of the Surface differs"


def _limits(claim: Claim) -> Iterator[str]:
    limits = {limit.id: limit for limit in claim.base.limits}
    for id_, setting in claim.certificate.limits.items():
        limit = limits.get(id_)
        if limit is None:
            yield f"`{id_}` is no limit"
            continue
        value, legal = value_of(setting), limit.legal
        if legal is None:
            yield f"`{id_}` may not be moved"
        elif isinstance(legal, Choice):
            if value not in legal.values:
                yield f"`{id_}` is set to `{value}`, which is not in its legal set"
        elif isinstance(value, str) or not legal.min <= value <= legal.max:
            yield f"`{id_}` is set to `{value}`, outside {legal.min}..{legal.max}"
        elif isinstance(limit.value, int) and not isinstance(value, int):
            yield f"`{id_}` is set to `{value}`, which is no whole number"


def _unclaimed(claim: Claim) -> Iterator[str]:
    """Every id that is shown differently must be among those that some operator says it changed."""
    claimed = set().union(*(applied.changed for applied in claim.certificate.operators))
    differing = changes(claim.base, claim.baseline, claim.surface).union(moved_limits(claim.base, claim.core))
    for id_ in sorted(differing - claimed):
        yield f"`{id_}` is shown differently, and no operator claims to have changed it"
    for fault in claim.certificate.faults:
        if fault.tool not in claimed:
            yield f"`{fault.tool}` meets a fault, and no operator claims to have planned one"


def _claimed_of_nothing(claim: Claim) -> Iterator[str]:
    """What an operator says it changed must be there. That it still differs is not asked: the next operator
    may have taken it back.
    """
    claimed = {id_ for applied in claim.certificate.operators for id_ in applied.changed}
    claimed -= {foreign(tool.name) for tool in (*claim.baseline.distractors, *claim.surface.distractors)}
    shape: Shape | None = claim.shape
    while claimed and shape is not None:
        claimed -= all_ids(shape.core)
        shape = shape.earlier
    for id_ in sorted(claimed):
        yield f"an operator claims to have changed `{id_}`, which is not there"


def _overclaimed(claim: Claim) -> Iterator[str]:
    """A change that leaves less than everything as it was must be claimed to."""
    claimed, now, before = claim.certificate.observations, claim.surface, claim.baseline
    weaker = {
        observations.WELL_FORMED: bool(claim.certificate.limits) or claim.is_edited,
        observations.THROUGH_ADAPTER: bool(claim.shape.adapter.steps),
        observations.SAME_ANSWER: bool(claim.certificate.faults),
        observations.DECLARED: now.wordings != before.wordings,
        observations.WITHIN_FOOTPRINT: now.hidden != before.hidden or now.distractors != before.distractors,
    }
    for observation, changed_ in weaker.items():
        if changed_ and observation not in claimed:
            yield f"something changed that keeps only `{observation}`, which is not claimed"
    for observation in claimed:
        if observation not in observations.KNOWN:
            yield f"`{observation}` is no observation that can be claimed"


def _unknown_names(claim: Claim) -> Iterator[str]:
    for id_ in sorted(claim.surface.names.keys() - claim.known.space_of.keys()):
        yield f"`{id_}` has a name and is no symbol of the Core"


def _illegal_names(claim: Claim) -> Iterator[str]:
    for id_, (_, name) in claim.renamed.items():
        if not _is_legal(kind(id_), name):
            yield f"`{name}` is no legal name for `{id_}`"
    for tool in claim.surface.distractors:
        if tool not in claim.baseline.distractors and TOOL_NAME.fullmatch(tool.name) is None:
            yield f"`{tool.name}` is no legal name for a distractor"


@lru_cache(maxsize=1 << 15)
def _is_legal(role: str, name: str) -> bool:
    if role in ("param", "field"):
        return name.isidentifier()
    if role in ("tool", "builtin"):
        return TOOL_NAME.fullmatch(name) is not None
    return bool(name.strip()) and "\n" not in name


def _collisions(claim: Claim) -> Iterator[str]:
    names = claim.all_names
    for space, ids, pick in several(claim.base):
        if space != "tool" and len({*pick(names)}) == len(ids):
            continue
        shown = [(id_, names[id_]) for id_ in ids]
        if space == "tool":
            shown += [(f"foreign/{tool.name}", tool.name) for tool in claim.surface.distractors]
            shown = [(id_, sanitised(name)) for id_, name in shown]
        if len({name for _, name in shown}) == len(shown):
            continue
        seen: dict[str, str] = {}
        for id_, name in shown:
            if name in seen:
                yield f"`{seen[name]}` and `{id_}` are both shown as `{name}`"
            seen.setdefault(name, id_)
