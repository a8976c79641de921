"""Proof 2: orders, wordings and names keep to what the author declared, and what is fixed is untouched."""

from collections import Counter
from collections.abc import Iterator

from augmentors.changes import differing
from augmentors.levels import STRENGTH
from augmentors.proofs.claim import Claim
from augmentors.vouching import vouches
from harness_dsl.ir.builtins import built_in_texts
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.listing import violations
from harness_dsl.ir.texts import Reference, Template
from harness_dsl.ir.walk import parts


def constraints(claim: Claim) -> Iterator[str]:
    """Which declared constraint does not hold."""
    yield from _orders(claim)
    yield from _wordings(claim)
    yield from _frozen(claim)
    yield from _opaque_names(claim)
    yield from _implementations(claim)


def _orders(claim: Claim) -> Iterator[str]:
    surface = claim.surface
    for key, order in surface.orders.items():
        expected: tuple[SemanticId, ...]
        if key == "tools":
            own = [tool.id for tool in claim.base.tools]
            expected = (*own, *(foreign(tool.name) for tool in surface.distractors))
        elif key in claim.known.lists:
            expected = claim.known.lists[key]
        elif order == claim.baseline.orders.get(key):
            continue
        else:
            yield f"`{key}` is no list whose order is free"
            continue
        if len(order) != len(expected) or {*order} != {*expected}:
            yield f"the order of `{key}` is no permutation of what stands in it"
        elif key == claim.base.prompt.id:
            for broken in violations(order, claim.base.prompt.order):
                other = f" `{broken.other}`" if broken.other else ""
                yield f"`{broken.section}` does not stand {broken.relation}{other}"


def _wordings(claim: Claim) -> Iterator[str]:
    built_in = {text.id: text for text in built_in_texts(claim.base)}
    for id_, wording in claim.surface.wordings.items():
        text = claim.known.texts.get(id_) or built_in.get(id_)
        if text is None:
            if wording != claim.baseline.wordings.get(id_):
                yield f"`{id_}` has a wording and is no text that is shown"
            continue
        if wording not in (text.canonical, *text.alternatives):
            yield f"the wording of `{id_}` is none that its author or a bank declares"
        if _references(wording) != _references(text.canonical):
            yield f"the wording of `{id_}` has other references than the canonical one"
        changed = wording != claim.baseline.wordings.get(id_, text.canonical)
        if changed and _is_stronger(claim, "declared"):
            yield f"`{id_}` is reworded, which is no `structural` claim"


_known: ByIdentity[Counter[SemanticId]] = ByIdentity()


def _references(template: Template) -> Counter[SemanticId]:
    return _known.get(template, lambda: _counted(template))


def _counted(template: Template) -> Counter[SemanticId]:
    return Counter(part.target for part in parts(template) if isinstance(part, Reference))


def _is_stronger(claim: Claim, level: str) -> bool:
    """Whether the certificate claims more than `level`."""
    order: tuple[str, ...] = STRENGTH
    return order.index(claim.certificate.level) < order.index(level)


def _frozen(claim: Claim) -> Iterator[str]:
    now, before, frozen = claim.surface, claim.baseline, claim.known.frozen
    for id_ in frozen & claim.known.space_of.keys():
        if claim.name(id_) != claim.old_name(id_):
            yield f"`{id_}` is fixed and shown under another name"
    for id_ in frozen & (now.wordings.keys() | before.wordings.keys()):
        if now.wordings.get(id_) != before.wordings.get(id_):
            yield f"`{id_}` is fixed and worded differently"
    for id_ in frozen & (now.orders.keys() | before.orders.keys()):
        if now.orders.get(id_) != before.orders.get(id_):
            yield f"`{id_}` is fixed and ordered differently"
    for hook in claim.base.hooks:
        if hook.fixed and now.implementations.get(hook.id, 0) != before.implementations.get(hook.id, 0):
            yield f"`{hook.id}` is fixed and runs another implementation"
        if hook.fixed and now.feedback.get(hook.id) != before.feedback.get(hook.id):
            yield f"`{hook.id}` is fixed and its message is set off differently"
    for id_ in frozen & differing(now.layouts, before.layouts):
        yield f"`{id_}` is fixed and laid out differently"
    for id_ in frozen & (set(now.unsaid) ^ set(before.unsaid)):
        yield f"`{id_}` is fixed and its default is documented differently"
    if now.markup != before.markup and any(section.fixed for section in claim.base.prompt.sections):
        yield "a section is fixed and marked up differently"
    if now.call_syntax != before.call_syntax and any(tool.fixed for tool in claim.base.tools):
        yield "a tool is fixed and called in another syntax"
    if now.tool_docs != before.tool_docs and any(tool.fixed for tool in claim.base.tools):
        yield "a tool is fixed and documented differently"


def _opaque_names(claim: Claim) -> Iterator[str]:
    """A symbol without description keeps a name of its meaning; its author or a bank must vouch for one."""
    known = claim.known
    for id_, (_, name) in claim.renamed.items():
        # The built-ins always stand beside their description.
        if known.meaning_stays(id_, name) or id_.startswith("builtin/"):
            continue
        declared = name in known.declared.get(id_, ()) or known.bank_vouches(id_, name)
        if not declared and not vouches(known, id_, name):
            yield f"`{id_}` has no description, and nobody declares that `{name}` means `{leaf(id_)}`"
        elif _is_stronger(claim, "declared"):
            yield f"`{id_}` is named `{name}` by declaration, which is no `structural` claim"
    for id_, (_, name) in claim.renamed.items():
        if id_ in known.ambiguous:
            yield f"`{id_}` shares its place with free text, and `{name}` could be such a text"


def _implementations(claim: Claim) -> Iterator[str]:
    count = {hook.id: len(hook.implementations) for hook in claim.base.hooks}
    for id_, number in claim.surface.implementations.items():
        if not 0 <= number <= count.get(id_, -1):
            yield f"`{id_}` has no implementation {number}"
        elif number != claim.baseline.implementations.get(id_, 0) and _is_stronger(claim, "tested"):
            yield f"`{id_}` runs another implementation, which is no `{claim.certificate.level}` claim"
