"""A Python module with one typed function for each tool, to be filled in or to type-check against.

Functions take declared identifiers and declared values, as implementations do, whatever a Surface shows.
"""

import re
from collections.abc import Iterable

from harness_dsl.exchange.shown_tools import ShownTools
from harness_dsl.exchange.stub_types import (
    USED,
    StubTypes,
    comment,
    docstring,
    free_name,
    python_name,
    with_members,
)
from harness_dsl.ir.core import Core, Param, PythonImplementation, Tool
from harness_dsl.ir.ids import SemanticId, leaf

_TYPING = ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict", "Unpack")


def function_names(tools: Iterable[Tool]) -> dict[SemanticId, str]:
    """What the function of each tool is called: as its Python implementation where that name is its alone,
    else as the tool.
    """
    tools = list(tools)
    wanted = {tool.id: _wanted(tool) for tool in tools}
    names = list(wanted.values())
    taken = set(USED)
    return {
        tool.id: free_name(wanted[tool.id] if names.count(wanted[tool.id]) == 1 else leaf(tool.id), taken)
        for tool in tools
    }


def _wanted(tool: Tool) -> str:
    if isinstance(tool.implementation, PythonImplementation):
        return tool.implementation.target.rpartition(":")[2]
    return leaf(tool.id)


class Stubs:
    """Collects the functions of a module. `names`: the tool behind each. `lost`: what no annotation says."""

    def __init__(self, core: Core, shown: ShownTools) -> None:
        functions = function_names(core.tools)
        self._core = core
        self._shown = shown
        self._taken = {*USED, *functions.values()}
        self._functions = functions
        self._types = StubTypes(core, shown, self._taken)
        self._inputs = {leaf(input_.id): input_ for input_ in core.inputs}
        self._parts: list[str] = []
        self._lost: list[tuple[SemanticId, str]] = []
        self.names: dict[str, SemanticId] = {}

    @property
    def lost(self) -> list[tuple[SemanticId, str]]:
        return list(dict.fromkeys([*self._lost, *self._types.lost]))

    def add(self, tool: Tool) -> None:
        """The function of `tool`. Raises `Unsupported` where a text needs a value of run time."""
        by_id = {param.id: param for param in tool.params}
        params = [by_id[id_] for id_ in self._shown.order(tool.id, tuple(by_id))]
        about = self._about(tool, params)
        plain = [param for param in params if python_name(leaf(param.id))]
        odd = [param for param in params if param not in plain]
        name = self._functions[tool.id]
        # Only what stands in front can lack a default; keywords find every parameter in any order.
        positional = sorted(plain, key=lambda param: self._default(param) is not None)
        keywords = [self._input(key) for key in self._asked(tool)]
        rest = [f"**arguments: Unpack[{self._odd(name, odd)}]"] if odd else []
        star = ["*"] if keywords else []
        parameters = [*map(self._param, positional), *star, *keywords, *rest]
        returns = self._types.annotation(tool.returns, tool.id)
        head = f"def {name}({', '.join(parameters)}) -> {returns}:\n"
        self._parts.append(f"{head}{docstring(about, '    ')}    raise NotImplementedError\n")
        self.names[name] = tool.id

    def text(self) -> str:
        """The whole module."""
        types = [f"{part}\n" for part in self._types.declarations()]
        body = "\n\n".join([*types, *self._parts]).rstrip("\n") + "\n"
        head = comment(f"Tools of {self._core.name} {self._core.version}.")
        return f"{head}{_imports(body)}\n\n{body}"

    def _about(self, tool: Tool, params: list[Param]) -> str:
        said = [
            (leaf(param.id), self._shown.text(param.description))
            for param in params
            if param.description is not None
        ]
        text = with_members(self._shown.text(tool.description), said)
        return f"{text}\n\nFails with: {', '.join(tool.fails)}." if tool.fails else text

    def _asked(self, tool: Tool) -> list[str]:
        """Inputs that a function can ask for: a keyword that is no parameter of its own."""
        own = {leaf(param.id) for param in tool.params}
        return [key for key in self._inputs if key not in own and python_name(key)]

    def _input(self, key: str) -> str:
        input_ = self._inputs[key]
        return f"{key}: {self._types.annotation(input_.type, input_.id)}"

    def _param(self, param: Param) -> str:
        annotation = self._types.annotation(param.type, param.id)
        default = self._default(param)
        if param.optional:
            if self._types.takes_none(param.type):
                self._lost.append((param.id, "that absent and null are two things"))
            else:
                annotation += " | None"
        return f"{leaf(param.id)}: {annotation}" + (f" = {default}" if default is not None else "")

    def _default(self, param: Param) -> str | None:
        """What stands behind `=`; None: nothing. A list or object is left to the runtime, which gives every
        call a default of its own.
        """
        if param.has_default:
            return None if isinstance(param.default, list | tuple | dict) else repr(param.default)
        return "None" if param.optional else None

    def _odd(self, function: str, params: list[Param]) -> str:
        """Parameters whose names are none in Python, as keywords of a dictionary of their own."""
        name = free_name(f"{function}_arguments", self._taken)
        entries = []
        for param in params:
            annotation = self._types.annotation(param.type, param.id)
            entries.append(
                f"    {leaf(param.id)!r}: "
                + repr(annotation if param.required or param.has_default else f"NotRequired[{annotation}]")
            )
        self._parts.append(
            f"{name} = TypedDict({name!r}, {{\n" + "".join(f"{e},\n" for e in entries) + "})\n"
        )
        return name


def _imports(body: str) -> str:
    """What `body` needs."""
    used = [name for name in _TYPING if re.search(rf"\b{name}\b", body)]
    lines = ["from __future__ import annotations"]
    typing = [f"from typing import {', '.join(used)}"] if used else []
    exact = ["from decimal import Decimal"] if re.search(r"\bDecimal\b", body) else []
    if exact or typing:
        lines += ["", *exact, *typing]
    return "\n".join(lines) + "\n"
