"""The parity gate holds in every call syntax, and the oracle of the tests speaks each."""

import asyncio
from typing import get_args

import pytest

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.ir.transcript import Generated

from .conversations import Wire, loaded
from .test_parity import TOKENS, check, play_declared

OTHERS = [syntax for syntax in get_args(CallSyntax) if syntax != "hermes_json"]
"""Hermes JSON is what all other tests of parity speak."""


@pytest.mark.parametrize("syntax", OTHERS)
def test_parity_of_declared_conversations(syntax: CallSyntax) -> None:
    harness = loaded("shop.harness")
    surface = harness.surface.model_copy(update={"call_syntax": syntax})
    kinds: set[str] = set()

    async def case() -> None:
        async with Wire(TOKENS).open() as wire:
            played = await play_declared(wire, harness, harness.core, surface, 0)
            check([played], harness.core, surface)
            assert played.transcript is not None
            turns = [event for event in played.transcript.events if isinstance(event, Generated)]
            kinds.update(event.kind for turn in turns for event in turn.events)

    asyncio.run(case())
    assert kinds >= {"load_skill", "call", "reply"}
