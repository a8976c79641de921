"""A Core and its Surface as a flat table: one entry a symbol, with what can change about it.

Adding and removing are judged here, so that removing a symbol and adding it again in another form is never
judged lower than changing it: `removed` or `added` is at least as high as every change of an aspect. So a
removed skill counts as its steps do, a removed `fixed` symbol as unfixed, and an added tool that writes as a
relaxed effect.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from harness_dsl.ir import diff_aspects as a
from harness_dsl.ir.core import (
    CatalogContent,
    Choice,
    Core,
    Hook,
    Input,
    Item,
    Limit,
    ListContent,
    ProseContent,
    Section,
    Skill,
    Span,
    Tool,
    TypeDecl,
)
from harness_dsl.ir.diff_levels import (
    CAPABILITY,
    NARROWER,
    NOTHING,
    POLICY,
    SAFETY,
    SURFACE,
    WIDER,
    Level,
)
from harness_dsl.ir.evaluate import json_text, text_of
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.listing import section_order, unordered_lists
from harness_dsl.ir.naming import Naming, namespaces
from harness_dsl.ir.sites import NOWHERE, Sites, all_sites
from harness_dsl.ir.spelling import spell_template, spell_type
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Template, Text


@dataclass(frozen=True)
class Entry:
    """`owner`: the symbol it lies under; its coming and going is judged with the owner's.

    `silent`: coming and going is an edit of another symbol (an enum value is part of its type).
    `at_call`: what `added` becomes where the owner's values are passed in (a required field).
    """

    id: SemanticId
    kind: str
    owner: SemanticId | None
    added: Level
    removed: Level
    aspects: dict[str, a.Aspect] = field(default_factory=dict)
    title: str = ""
    silent: bool = False
    at_call: Level | None = None
    sites: Sites = NOWHERE


Table = dict[SemanticId, Entry]


def table(core: Core, surface: Surface) -> Table:
    """Every symbol of `core` under `surface`, by id."""
    entries = {entry.id: entry for entry in _entries(core, surface)}
    _show(entries, core, surface)
    for id_ in _holding_fixed(entries):
        entries[id_] = replace(entries[id_], removed=entries[id_].removed.join(SAFETY))
    return entries


def _holding_fixed(entries: Table) -> set[SemanticId]:
    """Symbols whose removal relaxes something `fixed`: it is theirs, or lies under them."""
    holding: set[SemanticId] = set()
    for id_, entry in entries.items():
        if not any(name in entry.aspects and entry.aspects[name].value for name in ("fixed", "text fixed")):
            continue
        parts = id_.split("/")
        holding |= {"/".join(parts[:length]) for length in range(2, len(parts) + 1)}
    return holding & entries.keys()


def _entries(core: Core, surface: Surface) -> Iterator[Entry]:
    yield Entry("harness", "harness", None, NOTHING, NOTHING, _header(core))
    yield Entry("surface", "surface", None, NOTHING, NOTHING, _choices(surface))
    yield Entry("tools", "list", None, NOTHING, NOTHING)
    yield Entry("skills", "list", None, NOTHING, NOTHING)
    sites = all_sites(core)
    hooks = {"order": a.order(tuple(hook.id for hook in core.hooks), POLICY)}
    yield Entry("hooks", "list", None, NOTHING, NOTHING, hooks)
    yield Entry(core.prompt.id, "prompt", None, NOTHING, NOTHING, _prompt(core))
    for decl in core.types:
        yield from _type(decl, sites.get(decl.id, NOWHERE))
    for input_ in core.inputs:
        yield from _input(input_)
    for tool in core.tools:
        yield from _tool(tool)
    for skill in core.skills:
        yield from _skill(skill)
    for hook in core.hooks:
        yield from _hook(hook, surface)
    for section in core.prompt.sections:
        yield from _section(section)
    yield from map(_limit, core.limits)
    for test in core.tests:
        shown = test.model_dump(mode="json", include={"given", "user", "expect"})
        aspects = {part: a.json_aspect(value, NOTHING) for part, value in shown.items()}
        yield Entry(test.id, "test", None, NOTHING, NOTHING, aspects, title=test.title)


def _header(core: Core) -> dict[str, a.Aspect]:
    return {"name": a.flat(core.name, NOTHING), "description": a.flat(core.description, NOTHING)}


def _choices(surface: Surface) -> dict[str, a.Aspect]:
    distractors = [tool.model_dump(mode="json") for tool in surface.distractors]
    return {
        "markup": a.flat(surface.markup, SURFACE),
        "tool documentation": a.flat(surface.tool_docs, SURFACE),
        "call syntax": a.flat(surface.call_syntax, SURFACE),
        "hidden": a.flat(sorted(surface.hidden), SURFACE),
        "feedback": a.json_aspect(surface.feedback, SURFACE),
        "layouts": a.json_aspect(surface.layouts, SURFACE),
        "unsaid defaults": a.flat(sorted(surface.unsaid), SURFACE),
        "distractors": a.json_aspect(sorted(distractors, key=lambda tool: tool["name"]), SURFACE),
    }


def _prompt(core: Core) -> dict[str, a.Aspect]:
    constraints = sorted(
        " ".join((leaf(c.section), c.relation, *([leaf(c.other)] if c.other else [])))
        for c in core.prompt.order
    )
    return {"constraints of order": a.flat(constraints, POLICY, _listed)}


def _text(owner: SemanticId, role: str, text: Text | None, mentioning: Level) -> Entry:
    """A text that is not there counts as an empty one."""
    id_ = f"{owner}/{role}"
    aspects = _prose(text or Text(id=id_, canonical=()), mentioning)
    return Entry(id_, role, owner, NOTHING, NOTHING, aspects, silent=True)


def _prose(text: Text, mentioning: Level) -> dict[str, a.Aspect]:
    return {
        "text": a.template(text.canonical, mentioning),
        "alternatives": a.flat(text.alternatives, SURFACE, _wordings),
        "text fixed": a.fixed(text.fixed),
    }


def _wordings(wordings: tuple[Template, ...]) -> str:
    return " / ".join(map(spell_template, wordings)) or "none"


def _listed(words: list[str]) -> str:
    return ", ".join(words) or "none"


def _time(ms: int | None) -> str:
    if ms is None:
        return "none"
    return f"{ms}ms" if ms % 1000 else f"{ms // 1000}s"


def _type(decl: TypeDecl, sites: Sites) -> Iterator[Entry]:
    aspects = {"shape": a.flat("record" if decl.alias is None else "alias", NARROWER, str)}
    if decl.alias is not None:
        aspects["type"] = a.type_aspect(decl.alias)
    yield Entry(decl.id, "type", None, WIDER, NARROWER, aspects, sites=sites)
    yield _text(decl.id, "description", decl.description, CAPABILITY)
    for member in decl.fields or ():
        must = not member.optional
        parts = {
            "type": a.type_aspect(member.type),
            "required": a.field_required(must, sites),
            "fixed": a.fixed(member.fixed),
        }
        at_call = NARROWER if must else None
        title = spell_type(member.type)
        yield Entry(member.id, "field", decl.id, WIDER, NARROWER, parts, title=title, at_call=at_call)
        yield _text(member.id, "description", member.description, CAPABILITY)


def _input(input_: Input) -> Iterator[Entry]:
    removed = NARROWER.join(SAFETY if input_.untrusted else NOTHING)
    aspects = {
        "type": a.type_aspect(input_.type),
        "untrusted": a.relaxing(input_.untrusted, SAFETY, CAPABILITY),
    }
    yield Entry(input_.id, "input", None, NARROWER, removed, aspects, title=spell_type(input_.type))
    yield _text(input_.id, "description", input_.description, CAPABILITY)


def _tool(tool: Tool) -> Iterator[Entry]:
    implementation = None if tool.implementation is None else tool.implementation.model_dump(mode="json")
    aspects = {
        "result": a.type_aspect(tool.returns),
        "effect": a.effect(tool.effect),
        "idempotence": a.flat(tool.idempotent, NARROWER, lambda on: "idempotent" if on else "not idempotent"),
        "implementation": a.json_aspect(implementation, CAPABILITY),
        "timeout": a.flat(tool.timeout_ms, CAPABILITY, _time),
        "failures": a.flat(list(tool.fails), NARROWER, _listed),
        "fixed": a.fixed(tool.fixed),
    }
    added = WIDER.join(NOTHING if tool.effect == "read" else SAFETY)
    title = spell_template(tool.description.canonical)
    yield Entry(tool.id, "tool", None, added, NARROWER, aspects, title=title)
    yield _text(tool.id, "description", tool.description, CAPABILITY)
    for param in tool.params:
        parts = {
            "type": a.type_aspect(param.type),
            "required": a.required(param.required),
            "default": a.default((param.default,) if param.has_default else ()),
            "fixed": a.fixed(param.fixed),
        }
        added = NARROWER if param.required else WIDER
        yield Entry(param.id, "param", tool.id, added, NARROWER, parts, title=spell_type(param.type))
        yield _text(param.id, "description", param.description, CAPABILITY)


def _skill(skill: Skill) -> Iterator[Entry]:
    aspects = {
        "role": a.flat(skill.role, POLICY, str),
        "tools used": a.flat(list(skill.uses), POLICY, _listed),
        "ordered": a.flat(skill.ordered, POLICY, lambda on: "ordered" if on else "unordered"),
        "fixed": a.fixed(skill.fixed),
    }
    title = spell_template(skill.when.canonical)
    yield Entry(skill.id, "skill", None, CAPABILITY, POLICY, aspects, title=title)
    yield _text(skill.id, "when", skill.when, POLICY)
    yield from _items(skill.id, "step", skill.items)


def _items(owner: SemanticId, kind_: str, items: Iterable[Item]) -> Iterator[Entry]:
    for item in items:
        aspects = _prose(item.text, POLICY) | {"check": a.predicate(item.check)}
        title = spell_template(item.text.canonical)
        yield Entry(item.id, kind_, owner, POLICY, POLICY, aspects, title=title)


def _hook(hook: Hook, surface: Surface) -> Iterator[Entry]:
    implementations = [implementation.target for implementation in hook.implementations]
    aspects = {
        "event": a.guarded(hook.event, hook),
        "condition": a.condition(hook),
        "action": a.action(hook.action),
        "target": a.of_action(hook.target or "nothing", hook, SAFETY if hook.action == "require" else POLICY),
        "times a turn": a.of_action(str(hook.max), hook, POLICY),
        "failure mode": a.relaxing(hook.fail == "closed", SAFETY, POLICY, ("closed", "open")),
        "equivalent implementations": a.flat(implementations, SURFACE, _listed),
        "chosen implementation": a.flat(surface.implementations.get(hook.id, 0), SURFACE),
        "fixed": a.fixed(hook.fixed),
    }
    yield Entry(hook.id, "hook", None, POLICY, SAFETY, aspects, title=f"on {hook.event}: {hook.action}")
    yield _text(hook.id, "message", hook.message, POLICY)


def _section(section: Section) -> Iterator[Entry]:
    content = section.content
    # What is no prose counts as an empty text: going through a list must not unfix a text unseen.
    text = content.text if isinstance(content, ProseContent) else Text(id=section.id, canonical=())
    aspects = {"fixed": a.fixed(section.fixed)} | _prose(text, POLICY)
    title = ""
    match content:
        case ProseContent():
            aspects["content"] = a.flat("prose", POLICY, str)
            title = spell_template(text.canonical)
        case ListContent():
            title = "ordered rules" if content.ordered else "unordered rules"
            aspects["content"] = a.flat(title, POLICY, str)
        case CatalogContent():
            title = f"catalogue of {content.of}"
            aspects["content"] = a.flat(title, POLICY, str)
    yield Entry(section.id, "section", None, POLICY, POLICY, aspects, title=title)
    if isinstance(content, ListContent):
        yield from _items(section.id, "rule", content.items)


def _limit(limit: Limit) -> Entry:
    aspects = {
        "value": a.flat(limit.value, CAPABILITY, text_of),
        "legal values": a.flat(limit.legal, CAPABILITY, _legal),
    }
    return Entry(limit.id, "limit", None, CAPABILITY, CAPABILITY, aspects, title=text_of(limit.value))


def _legal(legal: Span | Choice | None) -> str:
    match legal:
        case None:
            return "not to be moved"
        case Span():
            return f"{text_of(legal.min)}..{text_of(legal.max)}"
        case Choice():
            return ", ".join(map(json_text, legal.values))


def _show(entries: Table, core: Core, surface: Surface) -> None:
    """Adds to `entries` how each symbol is shown: name, chosen wording, order of its list."""
    naming = Naming(core, surface)
    declared = dict(core.declared_names)
    for ids in namespaces(core).values():
        for id_ in ids:
            entry = entries.setdefault(id_, Entry(id_, kind(id_), None, NOTHING, NOTHING, silent=True))
            entry.aspects["shown name"] = a.flat(naming.name(id_), SURFACE, str)
            entry.aspects["acceptable names"] = a.flat(list(declared.get(id_, ())), SURFACE, _listed)
    for id_, entry in entries.items():
        if "text" in entry.aspects:
            entry.aspects["chosen wording"] = a.chosen(surface.wordings.get(id_))
    for key, ids in unordered_lists(core, surface.distractors).items():
        default = section_order(core) or ids if key == core.prompt.id else ids
        entries[key].aspects["shown order"] = a.order(surface.orders.get(key, default), SURFACE)
