"""Which keyword arguments a tool's function is called with."""

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import Tool
from harness_dsl.ir.ids import leaf


@dataclass(frozen=True)
class Signature:
    """`inputs` are the inputs that `function` asks for; `defaults` are the tool's declared ones."""

    function: Callable[..., Any]
    inputs: tuple[str, ...]
    defaults: Mapping[str, Any]

    def keywords(self, arguments: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
        """The keyword arguments of one call: declared defaults, then `arguments`, then the inputs.

        The function may change what it is given: only the inputs are not copies.
        """
        wanted = {name: state.get(name) for name in self.inputs}
        return {**copy.deepcopy({**self.defaults, **arguments}), **wanted}


def read_signature(function: Callable[..., Any], tool: Tool, inputs: Sequence[str]) -> Signature:
    """How `function` carries out `tool`.

    Raises `ValueError` when it lacks a parameter of the tool, or needs one that nobody fills.
    """
    name = getattr(function, "__qualname__", repr(function))
    params = {leaf(param.id): param for param in tool.params}
    declared = inspect.signature(function).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in declared.values())
    named = {
        key: parameter
        for key, parameter in declared.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    lacking = [param for param in params if param not in named and not takes_any]
    if lacking:
        raise ValueError(f"{name} does not take `{lacking[0]}` of {tool.id}")
    asked = tuple(
        key
        for key, parameter in named.items()
        if key not in params and parameter.kind is parameter.KEYWORD_ONLY and key in inputs
    )
    for key, parameter in named.items():
        if key not in params and key not in asked and parameter.default is parameter.empty:
            raise ValueError(f"{name} needs `{key}`, which is neither a parameter of {tool.id} nor an input")
    for key, param in params.items():
        if param.optional and key in named and named[key].default is inspect.Parameter.empty:
            raise ValueError(f"{name} needs a default for `{key}`, which is optional in {tool.id}")
    defaults = {key: param.default for key, param in params.items() if param.has_default}
    return Signature(function, asked, defaults)
