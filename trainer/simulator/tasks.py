"""Tasks: what viewers ask in one room, and what must follow, by semantic ids and so under every harness
state.

A task has one user turn or several that share the room. Its lineage (products, wordings, seed) says which
split it is from.
"""

import copy
import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness_dsl.ir.core import Core, ExpectCall, ExpectFact
from harness_dsl.ir.ids import SemanticId
from trainer.simulator.shop_model import stated as _fact
from trainer.simulator.vocabulary import Split
from trainer.simulator.wordings import Kind, Wording, draw_wording
from trainer.simulator.world import Room, draw_room

TOOLS_OF_KIND: dict[Kind, tuple[SemanticId, ...]] = {
    "price": ("tool/get_quote",),
    "stock": ("tool/check_stock",),
    "material": ("tool/get_material",),
    "coupon": ("tool/get_coupon",),
    "delivery": ("tool/delivery_days",),
    "apply_coupon": ("tool/get_coupon", "tool/apply_coupon"),
    "hold": ("tool/hold_item",),
    "small_talk": (),
}

MOST_HELD = 5
"""No viewer asks to keep more pieces than this; shops limit it."""


@dataclass(frozen=True)
class Turn:
    """One user turn. `calls` are exactly the calls that must happen, in order.

    `facts` are what the reply must state, without another value of the kind; of a text fact, `rivals` are
    the other values. `absent` are facts that nobody told the model: it must state no value of such a kind.
    """

    kind: Kind
    text: str
    wording: str
    product: str | None
    calls: tuple[ExpectCall, ...]
    facts: tuple[ExpectFact, ...]
    rivals: tuple[str, ...] = ()
    absent: tuple[ExpectFact, ...] = ()


@dataclass(frozen=True)
class Task:
    """`inputs` are the harness inputs at the start; `final_room` is the room when all turns went right."""

    id: str
    split: Split
    seed: int
    inputs: dict[str, Any]
    turns: tuple[Turn, ...]
    final_room: Room

    @property
    def tools(self) -> frozenset[SemanticId]:
        """The tools that the task needs."""
        return frozenset(call.tool for turn in self.turns for call in turn.calls)


def kinds_for(core: Core) -> tuple[Kind, ...]:
    """The kinds of question that the tools of `core` can answer, small talk among them."""
    tools = {tool.id for tool in core.tools}
    return tuple(kind for kind, needed in TOOLS_OF_KIND.items() if tools.issuperset(needed))


def draw_task(
    seed: int,
    split: Split,
    kinds: Sequence[Kind],
    *,
    turns: int = 1,
    english: float = 0.25,
) -> Task:
    """The task of `seed`: its seed is salted by the split, so no two splits share a room.

    No kind is asked about again before all have been: a model that could copy an earlier call of the same
    conversation would not have to read the tool list. Once all coupons are spent, no more is asked about
    them; small talk fills up where nothing else is left.
    """
    rng = random.Random(hashlib.sha256(f"{split}/{seed}".encode()).digest())
    room = draw_room(rng, split)
    state = copy.deepcopy(room)
    drawn: list[Turn] = []
    for _ in range(turns):
        asked = [turn.kind for turn in drawn]
        drawn.append(_draw_turn(rng, split, _least_asked(kinds, asked), state, english))
    return Task(
        id=f"{split}-{seed}-{turns}",
        split=split,
        seed=seed,
        inputs={"room": room},
        turns=tuple(drawn),
        final_room=state,
    )


def _least_asked(kinds: Sequence[Kind], asked: Sequence[Kind]) -> list[Kind]:
    fewest = min(asked.count(kind) for kind in kinds)
    return [kind for kind in kinds if asked.count(kind) == fewest]


def _draw_turn(rng: random.Random, split: Split, kinds: Sequence[Kind], state: Room, english: float) -> Turn:
    possible = [kind for kind in kinds if kind not in ("coupon", "apply_coupon") or _with_coupon(state)]
    possible = possible or ["small_talk"]
    kind = rng.choices(possible, [0.3 if kind == "small_talk" else 1.0 for kind in possible])[0]
    return _MAKERS[kind](rng, draw_wording(rng, kind, split, english), state)


def _about_link(
    tool: SemanticId, field: str, unit: str | None
) -> Callable[[random.Random, Wording, Room], Turn]:
    def make(rng: random.Random, wording: Wording, state: Room) -> Turn:
        product = rng.choice(state["products"])
        fact = _fact(product[field], unit)
        rivals = tuple(other[field] for other in state["products"]) if fact.fact == "text" else ()
        return _turn(wording, product, tool, {}, (fact,), rivals=rivals)

    return make


def _coupon(rng: random.Random, wording: Wording, state: Room) -> Turn:
    product = rng.choice(_with_coupon(state))
    return _turn(wording, product, "tool/get_coupon", {}, (_fact(product["coupon"]["off"], None),))


def _apply_coupon(rng: random.Random, wording: Wording, state: Room) -> Turn:
    """The code is looked up first: viewers do not know it, and one who does may be wrong."""
    product = rng.choice(_with_coupon(state))
    code = product["coupon"]["code"]
    turn = _turn(
        wording, product, "tool/apply_coupon", {"code": code}, (ExpectFact(fact="text", value="已用券"),)
    )
    look_up = ExpectCall(tool="tool/get_coupon", arguments=(("link_id", product["link_id"]),))
    product["price"] -= product["coupon"]["off"]
    product["coupon"] = None
    return replace(turn, calls=(look_up, *turn.calls))


def _hold(rng: random.Random, wording: Wording, state: Room) -> Turn:
    product = rng.choice(_in_stock(state))
    quantity = rng.randint(1, min(MOST_HELD, product["stock"]))
    product["stock"] -= quantity
    return _turn(
        wording, product, "tool/hold_item", {"quantity": quantity}, (_fact(quantity, "件"),), q=quantity
    )


def _delivery(rng: random.Random, wording: Wording, state: Room) -> Turn:
    city = rng.choice(list(state["delivery"]))
    call = ExpectCall(tool="tool/delivery_days", arguments=(("city", city),))
    text = wording.text.format(city=city)
    return Turn("delivery", text, wording.text, None, (call,), (_fact(state["delivery"][city], "天"),))


def _small_talk(rng: random.Random, wording: Wording, state: Room) -> Turn:
    return Turn("small_talk", wording.text, wording.text, None, (), (ExpectFact(fact="text", value="欢迎"),))


_MAKERS: dict[Kind, Callable[[random.Random, Wording, Room], Turn]] = {
    "price": _about_link("tool/get_quote", "price", "CNY"),
    "stock": _about_link("tool/check_stock", "stock", "件"),
    "material": _about_link("tool/get_material", "material", None),
    "coupon": _coupon,
    "delivery": _delivery,
    "apply_coupon": _apply_coupon,
    "hold": _hold,
    "small_talk": _small_talk,
}


def _turn(
    wording: Wording,
    product: Room,
    tool: SemanticId,
    arguments: dict[str, Any],
    facts: tuple[ExpectFact, ...],
    rivals: tuple[str, ...] = (),
    **holes: Any,
) -> Turn:
    text = wording.text.format(n=product["link_id"], title=product["title"], **holes)
    call = ExpectCall(tool=tool, arguments=(("link_id", product["link_id"]), *arguments.items()))
    others = tuple(value for value in rivals if value not in str(facts[0].value))
    return Turn(wording.kind, text, wording.text, product["title"], (call,), facts, others)


def _with_coupon(state: Room) -> list[Room]:
    return [product for product in state["products"] if product["coupon"]]


def _in_stock(state: Room) -> list[Room]:
    return [product for product in state["products"] if product["stock"]]
