"""States after beginnings that several prompts share, such as a harness's system prompt.

A state of convolutions and recurrences cannot be cut back, so the place to keep one must be known while a
prompt is fed: it is where the prompt parts from one that came before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from runtime.engines.embedded_cache import State, common_prefix

# A shorter beginning costs more to keep than it saves.
SHORTEST = 32


class Prefixes:
    """The `limit` latest shared beginnings. Prompts are compared with the `recent` latest ones."""

    def __init__(self, limit: int = 16, recent: int = 16) -> None:
        self._limit = limit
        self._states: list[State] = []
        self._prompts: deque[tuple[int, ...]] = deque(maxlen=recent)

    def best(self, ids: Sequence[int]) -> State | None:
        """The longest kept state that `ids` begin with and go on from; it must be copied before it is
        used.
        """
        fitting = [
            state
            for state in self._states
            if len(state.ids) < len(ids) and tuple(ids[: len(state.ids)]) == state.ids
        ]
        if not fitting:
            return None
        found = max(fitting, key=lambda state: len(state.ids))
        self._states.remove(found)
        self._states.append(found)
        return found

    def parting(self, ids: tuple[int, ...], cached: int) -> int | None:
        """Where to keep a state while `ids` are fed from `cached` on; None: nowhere. `ids` are remembered."""
        shared = max((common_prefix(prompt, ids[:-1]) for prompt in self._prompts), default=0)
        self._prompts.append(ids)
        return shared if shared >= cached + SHORTEST else None

    def put(self, state: State) -> None:
        self._states.append(state)
        del self._states[: -self._limit]

    def clear(self) -> None:
        self._states.clear()
        self._prompts.clear()
