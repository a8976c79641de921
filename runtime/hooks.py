"""Hooks at the four events of a turn: which act, in declared order, and what that means for the turn.

An event's hooks are looked at in declared order until one of them stops what is under way; `inject` and `log`
do not. What an action means depends on where it is taken:

| action  | before_turn         | before_call              | after_call              | before_reply          |
|---------|---------------------|--------------------------|-------------------------|-----------------------|
| deny    | message is published| call does not happen     | result is withheld      | message is published  |
| replace | message is published| message is published     | message is published    | message is published  |
| retry   | note to the model   | call does not happen     | note to the model       | note, another output  |
| require | due before a reply  | as retry, until it is met| as retry, until it is met| as retry, until met  |
| inject  | note to the model   | note                     | note                    | note, another output  |
| log     | recorded            | recorded                 | recorded                | recorded              |

`retry` and `require` act at most `max` times a turn; once more, and nothing is published. So does `inject`
before a reply; once more, and the reply goes out.
"""

import copy
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from harness_dsl.ir.core import Core, Hook, HookAction, HookEvent
from harness_dsl.ir.evaluate import Facts, evaluate, truth
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import HookNote
from runtime.threads import Crashed, TimedOut, run_bounded

HOOK_TIMEOUT_S = 1.0

Functions = Mapping[SemanticId, tuple[Callable[..., Any], ...]]


@dataclass(frozen=True)
class Decision:
    """One hook at one event. `held`: whether its condition did; `taken`: whether its action was.

    `implementation` is 0 for the declared condition. `error`: what crashed; then `held` is what `fail` says.
    """

    hook: SemanticId
    event: HookEvent
    action: HookAction
    held: bool
    taken: bool
    implementation: int = 0
    error: str = ""


@dataclass(frozen=True)
class Verdict:
    """What the hooks of an event ask for.

    `end`: the turn ends; the hook's message is published, or nothing for "silence".
    `refused`: the call, result or reply under way does not happen. `again`: the model is to go on.
    `notes` are shown to the model, and `by` is the hook that decided.
    """

    notes: tuple[HookNote, ...] = ()
    end: Literal["deny", "replace", "silence"] | None = None
    refused: bool = False
    again: bool = False
    by: SemanticId | None = None
    decisions: tuple[Decision, ...] = ()


@dataclass
class TurnHooks:
    """What hooks remember within a turn: how often each acted, and what `require` made due before the
    reply.
    """

    acted: Counter[SemanticId] = field(default_factory=Counter)
    due: list[Hook] = field(default_factory=list)
    met: set[SemanticId] = field(default_factory=set)
    """Tools called and skills loaded so far in this turn."""


class Hooks:
    """The hooks of `core`, run by the implementations that `surface` chooses.

    `functions` holds for each hook its equivalent Python implementations, in declared order. They take a copy
    of the `Facts` and return a bool. Raises `ValueError` when `surface` chooses one that is not there.
    """

    def __init__(
        self, core: Core, surface: Surface, functions: Functions, *, timeout_s: float = HOOK_TIMEOUT_S
    ) -> None:
        self._hooks = core.hooks
        self._chosen: dict[SemanticId, tuple[int, Callable[..., Any]]] = {}
        self._timeout_s = timeout_s
        for hook in core.hooks:
            index = surface.implementations.get(hook.id, 0)
            if index == 0:
                continue
            available = functions.get(hook.id, ())
            if not 0 < index <= len(available):
                raise ValueError(f"{hook.id} has no implementation {index} here")
            self._chosen[hook.id] = (index, available[index - 1])

    async def fire(self, event: HookEvent, facts: Facts, turn: TurnHooks) -> Verdict:
        """Look at the hooks of `event`; never raises for what a hook does."""
        verdict = Verdict()
        due = list(turn.due) if event == "before_reply" else []
        for hook in [*due, *(hook for hook in self._hooks if hook.event == event)]:
            held, implementation, error = (True, 0, "") if hook in due else await self._holds(hook, facts)
            decision = Decision(hook.id, event, hook.action, held, False, implementation, error)
            if held:
                verdict, taken = _act(hook, event, turn, verdict)
                decision = replace(decision, taken=taken)
            verdict = replace(verdict, decisions=(*verdict.decisions, decision))
            if verdict.by is not None:
                break
        return verdict

    async def _holds(self, hook: Hook, facts: Facts) -> tuple[bool, int, str]:
        """Whether the condition holds, by which implementation, and what crashed; a crash holds if fail
        closed.
        """
        index, function = self._chosen.get(hook.id, (0, None))
        try:
            if function is None:
                held = truth(evaluate(hook.condition, facts))
            else:
                held = await run_bounded(function, {"facts": copy.deepcopy(facts)}, self._timeout_s)
            if not isinstance(held, bool):
                return hook.fail == "closed", index, f"it gave {type(held).__name__} instead of a bool"
        except (TimedOut, Crashed) as error:
            return hook.fail == "closed", index, str(error)
        except Exception as error:
            return hook.fail == "closed", index, f"{type(error).__name__}: {error}"
        return held, index, ""


def _act(hook: Hook, event: HookEvent, turn: TurnHooks, so_far: Verdict) -> tuple[Verdict, bool]:
    """`so_far` with the action of `hook`, whose condition holds, and whether the action was taken."""
    note = HookNote(hook=hook.id, action=hook.action)
    match hook.action:
        case "log":
            return so_far, True
        case "inject":
            return _inject(hook, event, turn, so_far, note)
        case "replace" | "deny":
            ends = hook.action == "replace" or event in ("before_turn", "before_reply")
            verdict = replace(
                so_far,
                end=hook.action if ends else None,
                refused=True,
                by=hook.id,
                notes=(*so_far.notes, note),
            )
            return verdict, True
        case "require":
            if hook.target in turn.met:
                return so_far, False
            if event == "before_turn":
                turn.due.append(hook)
                return replace(so_far, notes=(*so_far.notes, note)), True
    return _send_back(hook, event, turn, so_far, note), True


def _inject(
    hook: Hook, event: HookEvent, turn: TurnHooks, so_far: Verdict, note: HookNote
) -> tuple[Verdict, bool]:
    if event != "before_reply":
        return replace(so_far, notes=(*so_far.notes, note)), True
    if turn.acted[hook.id] >= hook.max:
        return so_far, False
    turn.acted[hook.id] += 1
    return replace(so_far, notes=(*so_far.notes, note), again=True), True


def _send_back(hook: Hook, event: HookEvent, turn: TurnHooks, so_far: Verdict, note: HookNote) -> Verdict:
    """Another try for the model, or the end of the turn when there were enough."""
    if event == "before_turn":
        return replace(so_far, notes=(*so_far.notes, note))
    if turn.acted[hook.id] >= hook.max:
        return replace(so_far, end="silence", refused=True, by=hook.id)
    turn.acted[hook.id] += 1
    refused = event in ("before_call", "before_reply")
    return replace(so_far, notes=(*so_far.notes, note), refused=refused, again=True, by=hook.id)


def satisfied(turn: TurnHooks, symbol: SemanticId) -> None:
    """Tell the hooks of this turn that the tool or skill `symbol` was called or loaded."""
    turn.met.add(symbol)
    turn.due = [hook for hook in turn.due if hook.target not in turn.met]
