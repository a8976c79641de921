"""Benchmark items as tests of the language."""

import re
from typing import Any

from harness_dsl.exchange.draft import CallDraft, CaseDraft, Declared, Entry, ToolDraft, misfit
from harness_dsl.exchange.found import CaseSource, ExpectedCall, Lose
from harness_dsl.exchange.names import identifier
from harness_dsl.exchange.prose import without_surrogates
from harness_dsl.exchange.writing import printable
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.types import ListType, MapType, NamedType, NullableType, Type, UnionType


class Titles:
    """Titles of tests that can be told apart."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def free(self, title: str) -> str:
        """`title`, with a number behind it if it is taken."""
        plain = re.sub(r"\s+", " ", without_surrogates(title)).strip() or "unnamed"
        number, free = 1, plain
        while identifier(free).casefold() in self._taken:
            number += 1
            free = f"{plain} ({number})"
        self._taken.add(identifier(free).casefold())
        return free


def draft_case(case: CaseSource, tools: dict[int, ToolDraft], titles: Titles, lose: Lose) -> CaseDraft | None:
    """The test that `case` is; None: nothing of it can be expected. `tools`: the draft of each tool source,
    by `id`.
    """
    users = [without_surrogates(text) for text in case.users]
    if not users or not users[-1].strip():
        lose(case.at, "an item in which no user says anything")
        return None
    if case.calls is None:
        return None
    drafts = {tool.name: tools[id(tool)] for tool in case.tools if id(tool) in tools}
    if not case.calls:
        none = [CallDraft(draft.name, {}, negated=True) for draft in drafts.values()]
        return CaseDraft(titles.free(case.title), users, list({call.tool: call for call in none}.values()))
    calls = []
    for call in case.calls:
        draft = drafts.get(call.tool)
        if draft is None:
            lose(case.at, "an expected call of a tool that the item does not have, or that is refused")
        else:
            calls.append(_call(call, draft, case.at, lose))
    return CaseDraft(titles.free(case.title), users, calls) if calls else None


def _call(call: ExpectedCall, tool: ToolDraft, at: str, lose: Lose) -> CallDraft:
    params = {param.shown: param for param in tool.params}
    arguments: dict[str, Any] = {}
    for name, value in call.arguments.items():
        param = params.get(name)
        if param is None:
            lose(at, "an expected argument that its tool does not declare")
            continue
        own = declared(value, param.type, tool.types)
        if not printable(own) or misfit(own, param.type, tool.types) is not None:
            lose(at, "an expected argument that is outside its own type")
            continue
        arguments[param.name] = own
    return CallDraft(tool.name, arguments)


def declared(value: Any, type_: Type, types: list[Declared]) -> Any:
    """`value`, whose records are keyed as the source calls their fields, keyed by identifiers."""
    match type_:
        case NullableType():
            return None if value is None else declared(value, type_.item, types)
        case ListType() if isinstance(value, list):
            return [declared(item, type_.item, types) for item in value]
        case MapType() if isinstance(value, dict):
            return {key: declared(item, type_.value, types) for key, item in value.items()}
        case UnionType():
            for option in type_.options:
                own = declared(value, option, types)
                if misfit(own, option, types) is None:
                    return own
            return value
        case NamedType():
            decl = next(decl for decl in types if decl.name == leaf(type_.type))
            if decl.alias is not None:
                return declared(value, decl.alias, types)
            return _record(value, decl.fields or [], types)
        case _:
            return value


def _record(value: Any, fields: list[Entry], types: list[Declared]) -> Any:
    if not isinstance(value, dict):
        return value
    shown = {field.shown: field for field in fields}
    return {
        shown[key].name if key in shown else key: declared(item, shown[key].type, types)
        if key in shown
        else item
        for key, item in value.items()
    }
