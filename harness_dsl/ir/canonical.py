"""Canonical JSON (RFC 8785) and the three digests."""

import hashlib
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import rfc8785

from harness_dsl.ir.builtins import built_in_texts
from harness_dsl.ir.core import (
    Core,
    ExpectCall,
    Item,
    ListContent,
    Member,
    Param,
    Prompt,
    Section,
    Skill,
    TestCase,
)
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.listing import section_order
from harness_dsl.ir.node import Node
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template, Text
from harness_dsl.ir.walk import texts


def canonical_json(value: Node | Any) -> bytes:
    """`value` (a node or JSON-like data) as RFC 8785 bytes. Decimals are strings.

    Raises `rfc8785.CanonicalizationError` for integers beyond 2^53 and for NaN or infinity.
    """
    data = value.model_dump(mode="json") if isinstance(value, Node) else value
    return rfc8785.dumps(data)


def digest(value: Node | Any) -> str:
    """sha-256 over canonical bytes, as `sha256:<hex>`."""
    return "sha256:" + hashlib.sha256(canonical_json(value)).hexdigest()


def source_digest(files: Mapping[str, str]) -> str:
    """Digest of the text of all files by project-relative path; line ends and a BOM do not count."""
    return digest({path: normal_text(text) for path, text in files.items()})


def normal_text(text: str) -> str:
    """`text` without a leading byte-order mark, every line end as one line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def core_digest(core: Core) -> str:
    """Digest of what `core` means.

    Left out, because they say nothing about what the harness means now: the version, declared alternatives
    (they claim to mean the same) and the history of ids. Declared-unordered lists are taken sorted by id.
    """
    return digest(bare_core(core))


def bare_core(core: Core) -> dict[str, Any]:
    """What `core_digest` covers, as JSON data."""
    bare: Core = _without_alternatives(sorted_core(core))
    return bare.model_dump(mode="json", exclude={"version", "moved", "declared_names"})


def surface_digest(core: Core, surface: Surface, digest_of_core: str | None = None) -> str:
    """Digest of what a model sees: of the Core, and the Surface without entries that only say a default.

    `digest_of_core` is `core_digest(core)` where the caller has it already; it costs far more than the rest.
    """
    known = digest_of_core or core_digest(core)
    return digest({"core": known, "surface": normal_surface(core, surface).model_dump(mode="json")})


def sorted_core(core: Core) -> Core:
    """`core` with every declared-unordered list sorted by id; lowering already builds it so."""

    def by_id(nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(nodes, key=lambda node: node.id))

    def section(node: Section) -> Section:
        content = node.content
        if not isinstance(content, ListContent) or content.ordered:
            return node
        items: tuple[Item, ...] = by_id(content.items)
        return node.model_copy(update={"content": content.model_copy(update={"items": items})})

    def skill(node: Skill) -> Skill:
        items = node.items if node.ordered else by_id(node.items)
        return node.model_copy(update={"items": items, "uses": tuple(sorted(node.uses))})

    def test(node: TestCase) -> TestCase:
        given = tuple(sorted(node.given, key=lambda value: value.input))
        expect = tuple(
            one.model_copy(update={"arguments": tuple(sorted(one.arguments, key=itemgetter(0)))})
            if isinstance(one, ExpectCall)
            else one
            for one in node.expect
        )
        return node.model_copy(update={"given": given, "expect": expect})

    prompt: Prompt = core.prompt.model_copy(
        update={
            "sections": by_id(tuple(section(node) for node in core.prompt.sections)),
            "order": tuple(sorted(core.prompt.order, key=lambda c: (c.relation, c.section, c.other or ""))),
        }
    )
    tools = []
    for tool in core.tools:
        params: tuple[Param, ...] = by_id(tool.params)
        tools.append(tool.model_copy(update={"params": params, "fails": tuple(sorted(tool.fails))}))
    types = []
    for decl in core.types:
        fields: tuple[Member, ...] | None = None if decl.fields is None else by_id(decl.fields)
        types.append(decl.model_copy(update={"fields": fields}))
    return core.model_copy(
        update={
            "types": by_id(tuple(types)),
            "inputs": by_id(core.inputs),
            "tools": by_id(tuple(tools)),
            "skills": by_id(tuple(skill(node) for node in core.skills)),
            "limits": by_id(core.limits),
            "tests": by_id(tuple(test(node) for node in core.tests)),
            "prompt": prompt,
        }
    )


def normal_surface(core: Core, surface: Surface) -> Surface:
    """`surface` without entries that say what is the default anyway, sorted where order says nothing.

    Left out are a name that is the end of the id, a canonical wording, an order that would be shown anyway
    (sorted by id, for sections the legal order nearest to it), implementation 0, plain feedback and lists.
    """
    names = {id_: name for id_, name in surface.names.items() if name != leaf(id_)}
    return surface.model_copy(
        update={
            "names": names,
            "wordings": _chosen(core, surface),
            "orders": {
                key: order for key, order in surface.orders.items() if order != _default(core, key, order)
            },
            "hidden": tuple(sorted(surface.hidden)),
            "distractors": tuple(sorted(surface.distractors, key=lambda tool: tool.name)),
            "implementations": {hook: index for hook, index in surface.implementations.items() if index},
            "feedback": {hook: form for hook, form in surface.feedback.items() if form != "plain"},
            "layouts": {list_: layout for list_, layout in surface.layouts.items() if layout != "list"},
            "unsaid": tuple(sorted(surface.unsaid)),
        }
    )


def _chosen(core: Core, surface: Surface) -> dict[SemanticId, Template]:
    if not surface.wordings:
        return {}
    every = (*texts(core), *built_in_texts(core))
    canonical = {text.id: text.canonical for text in every if text.id in surface.wordings}
    return {id_: wording for id_, wording in surface.wordings.items() if wording != canonical.get(id_)}


def _default(core: Core, key: str, order: tuple[SemanticId, ...]) -> tuple[SemanticId, ...]:
    if key == core.prompt.id:
        return section_order(core) or ()
    return tuple(sorted(order))


def _without_alternatives(value: Any) -> Any:
    """`value` with no text in it declaring another wording. Data that only looks like a text stays."""
    match value:
        case Text():
            return value.model_copy(update={"alternatives": ()})
        case Node():
            fields = ((name, getattr(value, name)) for name in type(value).model_fields)
            changed = {name: new for name, old in fields if (new := _without_alternatives(old)) is not old}
            return value.model_copy(update=changed) if changed else value
        case tuple():
            entries = tuple(_without_alternatives(entry) for entry in value)
            return entries if any(new is not old for new, old in zip(entries, value, strict=True)) else value
        case _:
            return value
