"""Drafts as harness text."""

import json
import re
from decimal import Decimal
from typing import Any, assert_never

from harness_dsl.exchange.draft import CallDraft, CaseDraft, Declared, Entry, SkillDraft, ToolDraft
from harness_dsl.exchange.prose import paragraph, quoted, short, without_surrogates
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)


def write_type(type_: Type) -> str:
    """`type_` as it is written in a file."""
    match type_:
        case StringType():
            bounds = _bounds(min_length=type_.min_length, max_length=type_.max_length)
            bounds += _texts(pattern=type_.pattern, format=type_.format)
            return _constrained("string", bounds)
        case IntType():
            return _constrained("int", _bounds(min=type_.min, max=type_.max))
        case DecimalType():
            return _constrained("decimal", _bounds(min=type_.min, max=type_.max))
        case FloatType():
            return _constrained("float", _bounds(min=type_.min, max=type_.max))
        case BoolType():
            return "bool"
        case TimeType():
            return type_.form
        case AnyType():
            return "any"
        case EnumType():
            return " | ".join(quoted(member.value) for member in type_.members)
        case ListType():
            low, high = type_.min_length, type_.max_length
            sized = low is not None or high is not None
            inside = f"{'' if low is None else low}..{'' if high is None else high}" if sized else ""
            return f"{_inner(type_.item)}[{inside}]"
        case MapType():
            return f"map<{write_type(type_.value)}>"
        case NullableType():
            return f"{_inner(type_.item)}?"
        case UnionType():
            return " | ".join(write_type(option) for option in type_.options)
        case NamedType():
            return leaf(type_.type)
        case _:
            assert_never(type_)


def number_text(value: int | float | Decimal) -> str:
    """`value` without an exponent, and without a fraction that says nothing."""
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return format(exact.to_integral_value() if exact == exact.to_integral_value() else exact, "f")


def write_declared(decl: Declared) -> str:
    """A `type` declaration."""
    description = f" {short(decl.description, '  ')}" if decl.description else ""
    if decl.fields is None:
        assert decl.alias is not None
        return f"type {decl.name} = {write_type(decl.alias)}{description}"
    fields = "\n".join(write_entry(entry) for entry in decl.fields)
    return f"type {decl.name} {{{description}\n{fields}\n}}"


def write_entry(entry: Entry) -> str:
    """A field, or a parameter with its default."""
    named = f" named {quoted(entry.shown)}" if entry.shown != entry.name else ""
    mark = "?" if entry.optional else ""
    default = f" = {write_value(entry.default)}" if entry.has_default else ""
    description = f" {short(entry.description, '  ')}" if entry.description else ""
    return f"{entry.name}{mark}{named}: {write_type(entry.type)}{default}{description}"


def write_tool(tool: ToolDraft) -> str:
    """A `tool` declaration."""
    named = f" named {quoted(tool.shown)}" if tool.shown != tool.name else ""
    params = ",\n".join(write_entry(entry) for entry in tool.params)
    clauses = [paragraph(tool.description, "  ")]
    clauses += [f"effect {tool.effect}"] if tool.effect else []
    clauses += ["idempotent"] if tool.idempotent else []
    if tool.server:
        clauses.append(f"impl mcp {quoted(tool.server)} tool {quoted(tool.server_tool)}")
    body = "\n  ".join(clauses)
    return f"tool {tool.name}{named}({params}) -> {write_type(tool.returns)} {{\n  {body}\n}}"


def write_skill(skill: SkillDraft) -> str:
    """A `reply skill` with the whole body as its one step."""
    named = f" named {quoted(skill.shown)}" if skill.shown != skill.name else ""
    steps = f"\n  do ordered {{\n    {paragraph(skill.body, '    ')}\n  }}" if skill.body else ""
    return f"reply skill {skill.name}{named} {{\n  when {paragraph(skill.when, '  ')}{steps}\n}}"


def write_case(case: CaseDraft) -> str:
    """A `test` declaration."""
    lines = [f"user {quoted(text)}" for text in case.users]
    lines += [f"expect {'no ' if call.negated else ''}call {_called(call)}" for call in case.calls]
    body = "\n  ".join(lines)
    return f"test {quoted(case.title)} {{\n  {body}\n}}"


def _called(call: CallDraft) -> str:
    arguments = ", ".join(f"{name}: {write_value(value)}" for name, value in call.arguments.items())
    return f"{call.tool}({arguments})" if arguments else call.tool


def write_value(value: Any) -> str:
    """A JSON value as a default."""
    match value:
        case None | bool():
            return json.dumps(value)
        case str():
            return quoted(value)
        case int():
            return str(value)
        case float():
            return format(Decimal(repr(value)), "f")
        case list():
            return "[" + ", ".join(map(write_value, value)) + "]"
        case dict():
            pairs = (f"{quoted(key)}: {write_value(item)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
        case _:
            raise TypeError(f"no JSON value: {value!r}")


def printable(value: Any) -> bool:
    """Whether a default can be written: short numbers, text of whole characters, keys once each."""
    match value:
        case bool() | None:
            return True
        case int():
            return abs(value) < 10**15
        case float():
            return bool(re.fullmatch(r"-?\d+\.\d+", repr(value)))
        case str():
            return without_surrogates(value) == value
        case list():
            return all(map(printable, value))
        case dict():
            return all(printable(key) and printable(item) for key, item in value.items())
        case _:
            return False


def _inner(type_: Type) -> str:
    text = write_type(type_)
    single = not isinstance(type_, UnionType) and not (isinstance(type_, EnumType) and len(type_.members) > 1)
    return text if single else f"({text})"


def _constrained(word: str, constraints: list[str]) -> str:
    return f"{word}({', '.join(constraints)})" if constraints else word


def _bounds(**bounds: int | float | Decimal | None) -> list[str]:
    return [f"{key}: {number_text(value)}" for key, value in bounds.items() if value is not None]


def _texts(**texts: str | None) -> list[str]:
    def written(text: str) -> str:
        raw = "\\" in text and '"' not in text and text.isprintable()
        return f'r"{text}"' if raw else quoted(text)

    return [f"{key}: {written(value)}" for key, value in texts.items() if value is not None]
