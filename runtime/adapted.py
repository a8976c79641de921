"""The tools of a refactored harness, carried out by those of the harness that it was made from."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.reshaping import AdapterError
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.transcript import Call, Mention, Result
from harness_dsl.ir.values import check_arguments
from runtime.faults import Faults, Meeting
from runtime.tools import Ran, Toolbox, TurnCalls


class AdaptedToolbox(Toolbox):
    """The tools of `core`, to which `adapter` leads. `original` runs those of the Core that it leads from."""

    def __init__(self, core: Core, adapter: Adapter, original: Toolbox) -> None:
        super().__init__(core, {})
        self._adapter = adapter
        self._original = original

    @property
    def missing(self) -> tuple[SemanticId, ...]:
        """Tools for which some original tool has no function."""
        lost = {new for id_ in self._original.missing for new in self._adapter.tools(id_)}
        return tuple(id_ for id_ in self._tools if id_ in lost)

    async def call(
        self,
        call: Call,
        state: Mapping[str, Any],
        naming: Naming,
        turn: TurnCalls,
        *,
        timeout_s: float | None = None,
        faults: Faults | None = None,
    ) -> Ran:
        """Carry out `call` as a call of the original tool, as `Toolbox.call` does."""
        tool = self._tools[call.tool]
        problem = check_arguments(call.arguments, tool, self._core, naming)
        if problem is not None:
            return Ran(Result(tool=tool.id, failure="bad_arguments", detail=problem))
        try:
            meant = self._adapter.call_back(call)
        except AdapterError as error:
            return Ran(Result(tool=tool.id, failure="bad_arguments", detail=str(error)))
        ran = await self._original.call(
            meant,
            state,
            _NamingBefore(self._adapter, naming),
            turn,
            timeout_s=timeout_s,
            faults=None if faults is None else _FaultsOf(faults, self._core, tool, call),
        )
        return replace(ran, result=ran.result.model_copy(update={"tool": tool.id}))


class _NamingBefore(Naming):
    """Names of the original symbols: what is shown in their place."""

    def __init__(self, adapter: Adapter, naming: Naming) -> None:
        self._adapter = adapter
        self._shown = naming

    def name(self, symbol: SemanticId) -> str:
        said = self._adapter.prose((Mention(symbol=symbol),))
        return "".join(part if isinstance(part, str) else self._shown.name(part.symbol) for part in said)


class _FaultsOf(Faults):
    """The faults of a tool of the refactored harness, while an original tool runs in its place."""

    def __init__(self, faults: Faults, core: Core, tool: Tool, call: Call) -> None:
        super().__init__(faults.plan)
        self._faults, self._core, self._tool, self._call = faults, core, tool, call

    def next(self, tool: Tool, arguments: Mapping[str, Any]) -> Meeting:
        return self._faults.next(self._tool, self._call.arguments)

    def arriving(self, core: Core, tool: Tool, meeting: Meeting, value: Any) -> Any:
        return self._faults.arriving(self._core, self._tool, meeting, value)
