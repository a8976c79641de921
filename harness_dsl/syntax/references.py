"""Paths such as `tool.get_quote.link_id` to semantic ids.

    tool.T  tool.T.PARAM  tool.T.PARAM.VALUE  tool.T.returns.VALUE  tool.load_skill  tool.load_skill.skill
    type.T.FIELD  type.T.FIELD.VALUE  type.ALIAS.VALUE   skill.S   section.S   limits.L

and, where texts, rules and steps have names too: `skill.S.when`, `skill.S.LABEL`, `section.S.LABEL` (in an
ordered list a position), `hook.H`, `input.I`, and `.description` at the end.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, join, leaf, segment
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import Symbols, literal_options, section_id, tool_id

TargetKind = Literal[
    "tool", "param", "value", "skill", "section", "field", "type", "limit", "hook", "input", "item", "text"
]
SHOWN_KINDS = ("tool", "param", "value", "skill", "section", "field", "limit")
"""What the model sees by name, and limits, whose value it sees."""


class Target(NamedTuple):
    id: str
    kind: TargetKind


class Miss(NamedTuple):
    """`at` is the word that names nothing; `known` is what could stand there."""

    at: t.Ident
    what: str
    known: list[str]


def target_of(path: t.Path, symbols: Symbols) -> Target | Miss:
    """The symbol or text that `path` names."""
    root = path.root.text
    resolver = _RESOLVERS.get(root)
    if resolver is None or not path.segments:
        return Miss(path.root, "symbol", list(_RESOLVERS))
    return resolver(path.segments, symbols)


def shape_of(path: t.Path, kind: TargetKind) -> str | None:
    """The id that `path` would have as a symbol of `kind`, declared or not; None where it has another
    shape.
    """
    names = [segment.text for segment in path.segments]
    match kind, names:
        case (("tool" | "skill" | "type" | "hook" | "input"), [name]) if path.root.text == kind:
            return join(kind, name)
        case "limit", [name] if path.root.text == "limits":
            return join("limit", name)
        case "section", [name] if path.root.text == "section":
            return section_id(name)
        case "param", [tool, name] if path.root.text == "tool":
            return join("tool", tool, "param", name)
        case "field", [type_, name] if path.root.text == "type":
            return join("type", type_, "field", name)
        case "item", [owner, name] if path.root.text == "skill":
            return join("skill", owner, "step", name)
        case "item", [owner, name] if path.root.text == "section":
            return f"{section_id(owner)}/{segment(name)}"
        case _:
            return None


def item_id(owner: str, position: int, item: t.ItemDecl, ordered: bool) -> str:
    """The id of a step or rule under `owner`: by position from 1 if `ordered`, else by label."""
    label = str(position) if ordered or item.label is None else item.label.text
    prefix = f"{owner}/step" if owner.startswith("skill/") else owner
    return f"{prefix}/{segment(label)}"


def _tool(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    decl = symbols.tools.get(name.text)
    if decl is None and name.text == leaf(LOAD_SKILL) and symbols.skills:
        return _load_skill(rest)
    if decl is None:
        return Miss(name, "tool", list(symbols.tools))
    id_ = tool_id(name.text)
    if not rest:
        return Target(id_, "tool")
    params = symbols.params(name.text)
    word, *rest = rest
    if word.text in params:
        return _described(f"{id_}/param/{segment(word.text)}", "param", params[word.text].type, rest)
    if word.text == "returns" and rest:
        returned = [value_of(option.value) for option in literal_options(decl.returns)]
        value, *more = rest
        if value.text in returned and not more:
            return Target(f"{id_}/value/{segment(value.text)}", "value")
        return Miss(
            more[0] if value.text in returned else value, f"value that `{name.text}` returns", returned
        )
    if word.text == "description" and not rest:
        return Target(f"{id_}/description", "text")
    return Miss(word, f"parameter of `{name.text}`", list(params))


def _load_skill(rest: list[t.Ident]) -> Target | Miss:
    """The built-in tool that a harness with skills has."""
    if not rest:
        return Target(LOAD_SKILL, "tool")
    param = leaf(LOAD_SKILL_PARAM)
    if rest[0].text == param and len(rest) == 1:
        return Target(LOAD_SKILL_PARAM, "param")
    return Miss(rest[0], f"parameter of `{leaf(LOAD_SKILL)}`", [param])


def _type(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    decl = symbols.types.get(name.text)
    if decl is None:
        return Miss(name, "type", list(symbols.types))
    id_ = join("type", name.text)
    if not rest:
        return Target(id_, "type")
    if isinstance(decl, t.AliasDecl):
        return _described(id_, "type", decl.type, rest)
    fields = symbols.fields(name.text)
    word, *rest = rest
    if word.text in fields:
        return _described(f"{id_}/field/{segment(word.text)}", "field", fields[word.text].type, rest)
    if word.text == "description" and not rest:
        return Target(f"{id_}/description", "text")
    return Miss(word, f"field of `{name.text}`", list(fields))


def _described(id_: str, kind: TargetKind, type_: t.TypeNode, rest: list[t.Ident]) -> Target | Miss:
    """What `rest` names under a parameter, field or alias: an enum value or its description."""
    if not rest:
        return Target(id_, kind)
    values = [value_of(option.value) for option in literal_options(type_)]
    word, *more = rest
    if not more and word.text in values:
        return Target(f"{id_}/value/{segment(word.text)}", "value")
    if not more and word.text == "description":
        return Target(f"{id_}/description", "text")
    return Miss(more[0] if more and word.text in values else word, "value", values)


def _skill(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    decl = symbols.skills.get(name.text)
    if decl is None:
        return Miss(name, "skill", list(symbols.skills))
    id_ = join("skill", name.text)
    if not rest:
        return Target(id_, "skill")
    if rest[0].text == "when" and len(rest) == 1:
        return Target(f"{id_}/when", "text")
    blocks = [arg for clause in decl.clauses for arg in clause.args if isinstance(arg, t.Items)]
    return _item(id_, blocks[0] if blocks else None, rest, ["when"])


def _section(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    decl = symbols.sections.get(name.text)
    if decl is None:
        return Miss(name, "section", list(symbols.sections))
    if not rest:
        return Target(section_id(name.text), "section")
    content = decl.content
    return _item(section_id(name.text), content if isinstance(content, t.Items) else None, rest, [])


def _item(owner: str, items: t.Items | None, rest: list[t.Ident], known: Iterable[str]) -> Target | Miss:
    ids = {}
    if items is not None:
        for position, item in enumerate(items.items, 1):
            id_ = item_id(owner, position, item, items.ordered)
            ids[str(position) if items.ordered or item.label is None else item.label.text] = id_
    word, *more = rest
    if word.text in ids and not more:
        return Target(ids[word.text], "item")
    return Miss(more[0] if more and word.text in ids else word, "rule or step", [*known, *ids])


def _hook(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    if name.text not in symbols.hooks:
        return Miss(name, "hook", list(symbols.hooks))
    if not rest:
        return Target(join("hook", name.text), "hook")
    if rest[0].text == "message" and len(rest) == 1:
        return Target(join("hook", name.text) + "/message", "text")
    return Miss(rest[0], "part of a hook", ["message"])


def _limit(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    if name.text not in symbols.limits:
        return Miss(name, "limit", list(symbols.limits))
    return Miss(rest[0], "part of a limit", []) if rest else Target(join("limit", name.text), "limit")


def _input(path: list[t.Ident], symbols: Symbols) -> Target | Miss:
    name, *rest = path
    if name.text not in symbols.inputs:
        return Miss(name, "input", list(symbols.inputs))
    if rest and (rest[0].text != "description" or len(rest) > 1):
        return Miss(rest[0], "part of an input", ["description"])
    id_ = join("input", name.text)
    return Target(f"{id_}/description", "text") if rest else Target(id_, "input")


_RESOLVERS = {
    "tool": _tool,
    "skill": _skill,
    "type": _type,
    "section": _section,
    "limits": _limit,
    "hook": _hook,
    "input": _input,
}
