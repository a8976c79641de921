"""The rooms of one service: each a conversation of its own, all on the active harness."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from runtime.engines.base import Engine, Sampling
from runtime.loop import run_turn
from runtime.session import Session, checked_inputs, open_session, swap
from runtime.turn import Turn
from runtime.version import Version, Versions


class Busy(Exception):
    """There is no place for this request now; the message says which limit is reached."""


@dataclass(frozen=True)
class Activation:
    """A harness that became the active one."""

    version: str
    core_digest: str
    surface_digest: str
    rooms: int
    seconds: float


@dataclass
class _Room:
    session: Session
    waiting: int = 0


class Rooms:
    """Opens a room when its first viewer speaks. A turn of one room never waits for another room's.

    At most `max_rooms` are kept: the one that was silent for longest makes place, with its history. At most
    `max_waiting` turns stand in line in a room, and `max_running` run in all; what is more is refused as
    `Busy`.
    """

    def __init__(
        self,
        versions: Versions,
        engine: Engine,
        core: Core,
        surface: Surface,
        inputs: Mapping[str, Any],
        *,
        sampling: Sampling | None = None,
        max_rooms: int = 1000,
        max_waiting: int = 16,
        max_running: int = 256,
    ) -> None:
        """Raises `InputError` and `ValueError` as `open_session` does."""
        checked_inputs(core, inputs)
        self.engine = engine
        self.active: Version = versions.of(core, surface)
        self._versions = versions
        self._inputs = inputs
        self._sampling = sampling
        self._max_rooms = max_rooms
        self._max_waiting = max_waiting
        self._max_running = max_running
        self._running = 0
        self._rooms: OrderedDict[str, _Room] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rooms)

    async def say(self, room: str, text: str) -> Turn:
        """The turn that answers `text` in `room`. Raises `Busy`."""
        place = self._room(room)
        if place.waiting >= self._max_waiting:
            raise Busy(f"{self._max_waiting} messages are waiting in this room")
        if self._running >= self._max_running:
            raise Busy(f"{self._max_running} turns are running")
        place.waiting += 1
        self._running += 1
        try:
            return await run_turn(place.session, text)
        finally:
            place.waiting -= 1
            self._running -= 1

    def session(self, room: str) -> Session | None:
        """The conversation of `room`, if anybody has spoken there."""
        found = self._rooms.get(room)
        return None if found is None else found.session

    def activate(self, core: Core, surface: Surface) -> Activation:
        """Let every room's next turn, and every new room, run on `core` and `surface`.

        Raises `InputError` or `ValueError` when the harness cannot run here; then nothing changes.
        """
        started = time.perf_counter()
        checked_inputs(core, self._inputs)
        version = self._versions.of(core, surface)
        for room in self._rooms.values():
            swap(room.session, core, surface)
        self.active = version
        return Activation(
            version=core.version,
            core_digest=version.core_digest,
            surface_digest=version.surface_digest,
            rooms=len(self._rooms),
            seconds=time.perf_counter() - started,
        )

    async def ready(self) -> bool:
        """Whether the engine says that it can answer; one that cannot say is taken to be ready."""
        healthy = getattr(self.engine, "healthy", None)
        return True if healthy is None else bool(await healthy())

    async def close(self) -> None:
        """Wait up to ten seconds for the running turns, and close the engine."""
        deadline = time.perf_counter() + 10
        while self._running and time.perf_counter() < deadline:
            await asyncio.sleep(0.02)
        await self.engine.close()

    def _room(self, name: str) -> _Room:
        room = self._rooms.get(name)
        if room is None:
            self._make_place()
            session = open_session(
                self._versions,
                self.engine,
                self.active.core,
                self.active.surface,
                self._inputs,
                id=name,
                sampling=self._sampling,
            )
            room = self._rooms[name] = _Room(session)
        self._rooms.move_to_end(name)
        return room

    def _make_place(self) -> None:
        if len(self._rooms) < self._max_rooms:
            return
        idle = next((name for name, room in self._rooms.items() if room.waiting == 0), None)
        if idle is None:
            raise Busy(f"all {self._max_rooms} rooms are in use")
        del self._rooms[idle]
