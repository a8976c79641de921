"""The examples of the repository, opened once, and one turn of them played by hand."""

import asyncio
import copy
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, LoadSkill, ModelEvent, ReplyText
from harness_dsl.syntax.fixtures import Fixtures
from runtime.byte_tokenizer import byte_tokenizer
from runtime.engines.scripted import ScriptedEngine
from runtime.load import Loaded, load_harness
from runtime.loop import Session, Turn, open_session, run_turn
from runtime.testing.run import TestResult, run_tests
from runtime.tools import Toolbox
from runtime.version import Version, Versions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MAIN = {"live_shop": "shop.harness", "course_tutor": "tutor.harness", "bank_desk": "desk.harness"}
WORLD = {"live_shop": "room", "course_tutor": "course", "bank_desk": "desk"}
"""The input that the tools of each example work on."""

Json = dict[str, Any]
Tools = Mapping[str, Callable[..., Any]]


def main_file(example: str) -> Path:
    return EXAMPLES / example / MAIN[example]


@cache
def opened(example: str) -> Loaded:
    return load_harness(main_file(example))


@cache
def tools(example: str) -> dict[str, Callable[..., Any]]:
    """The functions of the example's tools, by declared identifier."""
    loaded = opened(example)
    return {leaf(id_): function for id_, function in loaded.tools(loaded.core).items()}


class Toolbench:
    """The functions of an example's tools, loaded when a test asks for one."""

    def __init__(self, example: str) -> None:
        self._example = example

    def __getitem__(self, tool: str) -> Callable[..., Any]:
        return tools(self._example)[tool]


def world(example: str, file: str) -> Json:
    """The data of a fixture, new at each call."""
    found: Json = copy.deepcopy(Fixtures(str(main_file(example)), None).load(file))
    return found


@cache
def versions(example: str) -> Versions:
    """Made once: the functions keep nothing of a conversation."""
    loaded = opened(example)
    return Versions(byte_tokenizer(), tools(example), loaded.hooks(loaded.core), token_limits=False)


class One(Versions):
    """A version with other functions: what it shows is not made anew."""

    def __init__(self, version: Version, functions: Tools) -> None:
        self._version = replace(version, tools=Toolbox(version.core, functions))

    def of(self, core: Core, surface: Surface) -> Version:
        return self._version


@cache
def surface_with(example: str, implementation: str | None) -> Surface:
    """The example's Surface, on which the Python equivalent of the hook `implementation` runs."""
    surface = opened(example).surface
    if implementation is None:
        return surface
    return surface.model_copy(update={"implementations": {f"hook/{implementation}": 1}})


def results(
    example: str,
    core: Core | None = None,
    changed: Tools | None = None,
    only: Collection[str] | None = None,
    surface: Surface | None = None,
) -> dict[str, TestResult]:
    """The results of the declared tests by title (or of `only` those), on the `core` of an edited example
    and another `surface`, with `changed` functions in place of the example's.
    """
    loaded = opened(example)
    core, surface = core or loaded.core, surface or loaded.surface
    made = versions(example)
    if changed is not None:
        made = One(made.of(core, surface), {**tools(example), **changed})
    asked = [test for test in core.tests if only is None or test.title in only]
    found = asyncio.run(run_tests(made, core, surface, tests=asked))
    return {result.title: result for result in found}


@dataclass(frozen=True)
class Played:
    """`failures` are those of the calls, in their order; `world` is what the tools left behind."""

    turn: Turn
    world: Json

    @property
    def failures(self) -> list[str | None]:
        return [record.result.failure for record in self.turn.calls]

    def taken(self, hook: str) -> bool:
        """Whether the hook acted."""
        return any(one.hook == f"hook/{hook}" and one.taken for one in self.turn.decisions)


def play(
    example: str, state: Json, user: str, outputs: Sequence[ModelEvent], implementation: str | None = None
) -> Played:
    """One turn: the viewer's text, and what a model puts out, one event after another.

    `implementation`: the hook whose Python equivalent runs in place of its condition.
    """
    core, surface = opened(example).core, surface_with(example, implementation)
    encode = versions(example).of(core, surface).protocol.encode
    engine = ScriptedEngine.playing([[event] for event in outputs], encode)
    session: Session = open_session(versions(example), engine, core, surface, {WORLD[example]: state})
    turn = asyncio.run(run_turn(session, user))
    return Played(turn, session.state[WORLD[example]])


def load(skill: str) -> LoadSkill:
    return LoadSkill(skill=f"skill/{skill}")


def call(tool: str, **arguments: Any) -> Call:
    return Call(tool=f"tool/{tool}", arguments=arguments)


def say(text: str) -> ReplyText:
    return ReplyText(text=(text,))
