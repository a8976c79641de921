"""The live-shop tools: what they read, what they change, how they fail."""

import copy
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from runtime.tools import ToolFailure
from trainer.simulator.world import draw_room

SHOP = str(Path(__file__).parents[2] / "examples" / "live_shop")


@pytest.fixture
def tools() -> Iterator[Any]:
    sys.path.insert(0, SHOP)
    yield importlib.import_module("shop.tools")
    sys.path.remove(SHOP)


@pytest.fixture
def room() -> Any:
    return draw_room(Random(3), "train")


def with_coupon(room: Any) -> Any:
    return next(product for product in room["products"] if product["coupon"])


def test_reading_changes_nothing(tools: Any, room: Any) -> None:
    before = copy.deepcopy(room)
    product, city = with_coupon(room), next(iter(room["delivery"]))
    link = product["link_id"]
    assert tools.get_quote(link, room=room)["amount"] == product["price"]
    assert tools.get_quote(link, 3, room=room)["amount"] == 3 * product["price"]
    assert tools.get_item(link, room=room)["title"] == product["title"]
    assert tools.get_material(link, room=room) == {"material": product["material"]}
    assert tools.check_stock(link, room=room) == {"left": product["stock"]}
    assert tools.get_coupon(link, room=room) == product["coupon"]
    assert tools.delivery_days(city, room=room) == {"days": room["delivery"][city]}
    assert room == before


def test_money_is_exact(tools: Any, room: Any) -> None:
    room["products"][0]["price"] = 19.9
    assert tools.get_quote(room["products"][0]["link_id"], 3, room=room)["amount"] == 59.7


def test_a_coupon_is_taken_off_once(tools: Any, room: Any) -> None:
    product = with_coupon(room)
    price, coupon = product["price"], product["coupon"]
    with pytest.raises(ToolFailure, match="wrong_code"):
        tools.apply_coupon(product["link_id"], "NO", room=room)
    assert tools.apply_coupon(product["link_id"], coupon["code"], room=room) == {
        "amount": price - coupon["off"]
    }
    assert product["price"] == price - coupon["off"]
    with pytest.raises(ToolFailure, match="no_coupon"):
        tools.apply_coupon(product["link_id"], coupon["code"], room=room)


def test_what_is_held_is_out_of_stock(tools: Any, room: Any) -> None:
    product = room["products"][0]
    left = product["stock"] - 2
    assert tools.hold_item(product["link_id"], 2, room=room) == {"held": 2, "left": left}
    with pytest.raises(ToolFailure, match="sold_out"):
        tools.hold_item(product["link_id"], left + 1, room=room)
    assert product["stock"] == left


@pytest.mark.parametrize(
    "name", ["get_quote", "get_item", "get_material", "check_stock", "get_coupon", "hold_item"]
)
def test_an_unknown_link_is_not_found(name: str, tools: Any, room: Any) -> None:
    with pytest.raises(ToolFailure) as caught:
        getattr(tools, name)(100, room=room)
    assert caught.value.failure == "not_found"


def test_an_unknown_city_is_not_found(tools: Any, room: Any) -> None:
    with pytest.raises(ToolFailure) as caught:
        tools.delivery_days("月球", room=room)
    assert caught.value.failure == "not_found"
