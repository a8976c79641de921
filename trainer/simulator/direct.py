"""Tools run at once in this thread: for the oracle's conversations, whose tools are known to be quick and
honest.
"""

from collections.abc import Callable, Mapping
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.transcript import Call, Result
from runtime.signatures import read_signature
from runtime.tools import ToolFailure
from runtime.values import json_value
from trainer.simulator.conversation import RunTool


def direct(core: Core, functions: Mapping[SemanticId, Callable[..., Any]]) -> RunTool:
    """Runs calls as the runtime's `Toolbox` does, but without its guards: a crash of a tool is raised.

    Raises `ValueError` for a function that cannot take its tool's parameters.
    """
    inputs = [leaf(node.id) for node in core.inputs]
    signatures = {
        tool.id: read_signature(functions[tool.id], tool, inputs)
        for tool in core.tools
        if tool.id in functions
    }

    def run(call: Call, state: dict[str, Any]) -> Result:
        signature = signatures[call.tool]
        try:
            value = signature.function(**signature.keywords(call.arguments, state))
        except ToolFailure as failure:
            return Result(tool=call.tool, failure=failure.failure, detail=failure.detail)
        return Result(tool=call.tool, value=json_value(value))

    return run
