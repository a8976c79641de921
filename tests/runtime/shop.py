"""A small shop to run turns in: its Core with changes, its tools, and scripted conversations."""

import asyncio
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness_dsl.ir.core import Content, Core, Hook, Limit, ListContent
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.transcript import (
    Call,
    ForeignCall,
    Generated,
    LoadSkill,
    Malformed,
    ModelEvent,
    ReplyText,
    Result,
    Think,
)
from harness_dsl.protocol import HFTokenizer
from runtime.engines.scripted import ScriptedEngine
from runtime.loop import Session, Turn, Versions, open_session, run_turn
from tests.strategies import small_shop
from tests.strategies.shop import ROOM
from trainer.tiny.tokenizer import build

QUOTE = "tool/get_quote"
STOCK = "tool/check_stock"
HOLD = "tool/hold_item"
PRICE = {"amount": 89, "currency": "CNY", "coupon": None}
SKILL = LoadSkill(skill="skill/item_qa")


@functools.cache
def tokenizer() -> HFTokenizer:
    """The tiny model's tokenizer, in memory."""
    import json

    backend = build()
    config = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    return HFTokenizer(json.loads(backend.backend_tokenizer.to_str()), config)


def shop(
    *, hooks: Sequence[Hook] = (), skills: bool = False, limits: Mapping[str, int | str] | None = None
) -> Core:
    """The shop without hooks, and without skills unless `skills`; `limits` replace its numbers.

    The rule that prints one of those numbers is left out.
    """
    core, _ = small_shop()
    sections = tuple(
        section.model_copy(update={"content": without(section.content, "spoken")})
        for section in core.prompt.sections
    )
    kept = [limit for limit in core.limits if isinstance(limit.value, str)]
    given = [Limit(id=f"limit/{name}", value=value) for name, value in (limits or {}).items()]
    return core.model_copy(
        update={
            "hooks": tuple(hooks),
            "skills": core.skills if skills else (),
            "limits": tuple(sorted([*kept, *given], key=lambda limit: limit.id)),
            "tests": (),
            "prompt": core.prompt.model_copy(update={"sections": sections}),
        }
    )


def without(content: Content, label: str) -> Content:
    """`content` without the rule of that label."""
    if not isinstance(content, ListContent):
        return content
    kept = tuple(item for item in content.items if not item.id.endswith(f"/{label}"))
    return content.model_copy(update={"items": kept})


def plain_tools() -> dict[str, Callable[..., Any]]:
    return {
        QUOTE: lambda link_id, quantity: PRICE,
        STOCK: lambda link_id: {"left": 12},
        HOLD: lambda link_id: {"left": 11},
    }


def reply(text: str) -> tuple[ModelEvent, ...]:
    return (ReplyText(text=(text,)),)


def think(text: str) -> Think:
    return Think(text=(text,))


def quote(link: Any = 3) -> Call:
    return Call(tool=QUOTE, arguments={"link_id": link})


def room(
    core: Core,
    outputs: Sequence[Sequence[ModelEvent] | Sequence[int]],
    *,
    surface: Surface | None = None,
    tools: Mapping[str, Callable[..., Any]] | None = None,
    hooks: Mapping[str, tuple[Callable[..., Any], ...]] | None = None,
    **engine: Any,
) -> Session:
    """A room whose model plays `outputs`, events under the names of `surface`."""
    shown = surface or Surface()
    versions = Versions(tokenizer(), plain_tools() if tools is None else tools, hooks)
    protocol = versions.of(core, shown).protocol
    scripted = ScriptedEngine.playing(outputs, protocol.encode, **engine)
    return open_session(versions, scripted, core, shown, {"room": ROOM}, id="room")


def say(session: Session, text: str = "3号链接多少钱？") -> Turn:
    return asyncio.run(run_turn(session, text))


def results(turn: Turn) -> list[Result]:
    return [event for event in turn.events if isinstance(event, Result)]


def outputs_of(turn: Turn) -> list[tuple[ModelEvent, ...]]:
    return [event.events for event in turn.events if isinstance(event, Generated)]


def message(hook: str, text: str) -> Text:
    return Text(id=f"hook/{hook}/message", canonical=(Literally(text=text),))


__all__ = ["Call", "ForeignCall", "LoadSkill", "Malformed", "ReplyText"]
