"""Canonical JSON (RFC 8785) and the three digests."""

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785

from harness_dsl.ir.core import Core, Item, ListContent, Member, Param, Prompt, Section, Skill
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.node import Node
from harness_dsl.ir.surface import Surface


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
    data = sorted_core(core).model_dump(mode="json", exclude={"version", "moved", "declared_names"})
    return digest(_without_alternatives(data))


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
            "tests": by_id(core.tests),
            "prompt": prompt,
        }
    )


def normal_surface(core: Core, surface: Surface) -> Surface:
    """`surface` without entries that say what is the default anyway, sorted where order says nothing."""
    known = set(symbols(core))
    return surface.model_copy(
        update={
            "names": {id_: n for id_, n in surface.names.items() if n != leaf(id_) or id_ not in known},
            "orders": {k: v for k, v in surface.orders.items() if list(v) != sorted(v)},
            "hidden": tuple(sorted(surface.hidden)),
            "distractors": tuple(sorted(surface.distractors, key=lambda tool: tool.name)),
            "implementations": {k: v for k, v in surface.implementations.items() if v},
        }
    )


def _without_alternatives(data: Any) -> Any:
    if isinstance(data, dict):
        return {k: _without_alternatives(v) for k, v in data.items() if k != "alternatives"}
    if isinstance(data, list):
        return [_without_alternatives(v) for v in data]
    return data
