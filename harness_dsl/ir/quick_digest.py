"""`core_digest` and `surface_digest` for many variants of one Core: what variants share is walked once.

Both give exactly what `harness_dsl.ir.canonical` defines; a law compares them. The canonical JSON of a Core
is cut around its limits, the only part in which the Cores of variants differ. That of a Surface is put
together from the canonical JSON of its entries.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

import rfc8785

from harness_dsl.ir.builtins import built_in_texts
from harness_dsl.ir.canonical import bare_core, canonical_json, surface_digest
from harness_dsl.ir.core import Core, Limit
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.listing import section_order
from harness_dsl.ir.node import Node
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template
from harness_dsl.ir.walk import texts

_quoted: Callable[[str], str] = json.JSONEncoder(ensure_ascii=False).encode
_sorted_object: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":")
).encode


_digests: ByIdentity[str] = ByIdentity(most=64)


def quick_core_digest(core: Core) -> str:
    """`core_digest(core)`."""
    return _digests.get(core, lambda: _core_digest(core))


def _core_digest(core: Core) -> str:
    before, behind = _around_limits(core)
    known = before.copy()
    limits = ",".join(_limit(limit) for limit in sorted(core.limits, key=lambda limit: limit.id))
    known.update(f"[{limits}]".encode())
    known.update(behind)
    return f"sha256:{known.hexdigest()}"


def quick_surface_digest(core: Core, surface: Surface, digest_of_core: str) -> str:
    """`surface_digest(core, surface, digest_of_core)`."""
    if not _same_order_in_utf16(surface):
        return surface_digest(core, surface, digest_of_core)
    text = f'{{"core":{_quoted(digest_of_core)},"surface":{_surface(core, surface)}}}'
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@remembered
def _around_limits(core: Core) -> tuple[Any, bytes]:
    """The hash of what stands before the limits in canonical JSON, and what stands behind them."""
    data = bare_core(core)
    keys = sorted(data)
    at = keys.index("limits")

    def entries(names: Iterable[str]) -> bytes:
        return b",".join(rfc8785.dumps(name) + b":" + rfc8785.dumps(data[name]) for name in names)

    before, behind = entries(keys[:at]), entries(keys[at + 1 :])
    begun = hashlib.sha256(b"{" + before + b',"limits":')
    return begun, b"," + behind + b"}"


def _limit(limit: Limit) -> str:
    value = limit.value
    legal = "null" if limit.legal is None else _node(limit.legal)
    if isinstance(value, str):
        shown = _quoted(value)
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 53:
        shown = str(value)
    else:
        return canonical_json(limit).decode()
    return f'{{"id":{_quoted(limit.id)},"legal":{legal},"value":{shown}}}'


def _surface(core: Core, surface: Surface) -> str:
    distractors = sorted(surface.distractors, key=lambda tool: tool.name)
    feedback = {id_: form for id_, form in surface.feedback.items() if form != "plain"}
    layouts = {id_: layout for id_, layout in surface.layouts.items() if layout != "list"}
    return (
        f'{{"call_syntax":{_quoted(surface.call_syntax)}'
        f',"distractors":[{",".join(map(_node, distractors))}]'
        f"{_later('feedback', feedback)}"
        f',"hidden":{_sorted_object(sorted(surface.hidden))}'
        f',"implementations":{_sorted_object({key: at for key, at in surface.implementations.items() if at})}'
        f"{_later('layouts', layouts)}"
        f',"markup":{_quoted(surface.markup)}'
        f',"names":{_sorted_object({id_: name for id_, name in surface.names.items() if name != leaf(id_)})}'
        f',"orders":{_sorted_object(_orders(core, surface))}'
        f',"schema_version":{_quoted(surface.schema_version)}'
        f',"tool_docs":{_quoted(surface.tool_docs)}'
        f"{_later('unsaid', sorted(surface.unsaid))}"
        f',"wordings":{_wordings(core, surface)}}}'
    )


def _later(key: str, value: Any) -> str:
    """An entry that stands there only if it says something: see `LATER`."""
    return f',"{key}":{_sorted_object(value)}' if value else ""


def _orders(core: Core, surface: Surface) -> dict[str, tuple[SemanticId, ...]]:
    def default(key: str, order: tuple[SemanticId, ...]) -> tuple[SemanticId, ...]:
        return section_order(core) or () if key == core.prompt.id else tuple(sorted(order))

    return {key: order for key, order in surface.orders.items() if order != default(key, order)}


def _wordings(core: Core, surface: Surface) -> str:
    if not surface.wordings:
        return "{}"
    canonical = canonical_wordings(core)
    chosen = [
        f"{_quoted(id_)}:{_template(wording)}"
        for id_, wording in sorted(surface.wordings.items())
        if wording is not canonical.get(id_) and wording != canonical.get(id_)
    ]
    return "{" + ",".join(chosen) + "}"


@remembered
def canonical_wordings(core: Core) -> dict[SemanticId, Template]:
    """The canonical wording of every text, by its id."""
    return {text.id: text.canonical for text in (*texts(core), *built_in_texts(core))}


def _same_order_in_utf16(surface: Surface) -> bool:
    """Whether keys sort alike by code point, as here, and by UTF-16 unit, as RFC 8785 has it."""
    keys = (
        surface.names,
        surface.orders,
        surface.wordings,
        surface.implementations,
        surface.feedback,
        surface.layouts,
    )
    if all("".join(part).isascii() for part in keys):
        return True
    return all(key.isascii() or max(key) <= "\uffff" for part in keys for key in part)


_known_nodes: ByIdentity[str] = ByIdentity()
_known_templates: ByIdentity[str] = ByIdentity()


def _node(node: Node) -> str:
    return _known_nodes.get(node, lambda: canonical_json(node).decode())


def _template(template: Template) -> str:
    return _known_templates.get(
        template, lambda: canonical_json([part.model_dump(mode="json") for part in template]).decode()
    )
