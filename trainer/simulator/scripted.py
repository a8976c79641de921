"""The oracle behind an engine: its outputs as the ids that a model would have produced, played through the
real loop.
"""

from collections.abc import Callable, Sequence

from augmentors.adapters.adapter import Adapter
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Generated, ModelEvent
from harness_dsl.protocol import Protocol, Tokenizer
from runtime.engines.scripted import ScriptedEngine
from trainer.simulator.conversation import RunTool, solve
from trainer.simulator.faults import faulty
from trainer.simulator.tasks import Task

Change = Callable[[Sequence[ModelEvent]], Sequence[ModelEvent]]
"""What a policy that is not the oracle does to each output."""


def oracle_engine(
    task: Task,
    core: Core,
    surface: Surface,
    tokenizer: Tokenizer,
    run: RunTool,
    change: Change = tuple,
    *,
    aloud: bool = False,
    adapter: Adapter | None = None,
    faults: FaultPlan | None = None,
) -> ScriptedEngine:
    """An engine for one conversation of `task` under `core` and `surface`. `change` turns the oracle into
    another policy. `adapter`: what led to `core`, if it is refactored. `faults`: what the calls of the
    conversation meet.

    Raises `OracleError` where the oracle has no way through.
    """
    protocol = Protocol(core, surface, tokenizer)
    told = core if adapter is None else adapter.before(core)
    outputs = [
        protocol.encode(tuple(change(event.events)))
        for event in solve(
            core,
            task,
            run if faults is None else faulty(told, run, faults),
            aloud=aloud,
            adapter=adapter,
            copes=faults is not None,
        ).events
        if isinstance(event, Generated)
    ]
    return ScriptedEngine.playing(outputs)
