"""What the tools of a live shop give and do, said a second time: tasks expect by it, whatever tools do."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from harness_dsl.ir.core import ExpectFact
from harness_dsl.ir.ids import SemanticId
from trainer.simulator.wordings import Kind
from trainer.simulator.world import Room

_FIELD_OF_TOOL: Mapping[SemanticId, tuple[str, str]] = {
    "tool/get_quote": ("amount", "price"),
    "tool/check_stock": ("left", "stock"),
    "tool/get_material": ("material", "material"),
}
_FACT_OF_KIND: Mapping[Kind, tuple[str, str | None]] = {
    "price": ("amount", "CNY"),
    "stock": ("left", "件"),
    "material": ("material", None),
    "coupon": ("off", None),
    "delivery": ("days", "天"),
    "hold": ("held", "件"),
}


def given(tool: SemanticId, arguments: Mapping[str, Any], room: Room) -> dict[str, Any]:
    """What a call of `tool` gives, by key of its result; `room` is changed as the call changes it."""
    if tool == "tool/delivery_days":
        return {"days": room["delivery"][arguments["city"]]}
    product = next(one for one in room["products"] if one["link_id"] == arguments["link_id"])
    if tool in _FIELD_OF_TOOL:
        key, source = _FIELD_OF_TOOL[tool]
        return {key: product[source]}
    if tool == "tool/get_coupon":
        return dict(product["coupon"])
    if tool == "tool/apply_coupon":
        product["price"] -= product["coupon"]["off"]
        product["coupon"] = None
        return {"amount": product["price"]}
    if tool == "tool/hold_item":
        product["stock"] -= arguments["quantity"]
        return {"held": arguments["quantity"], "left": product["stock"]}
    raise ValueError(f"no shop has {tool}")


def due_facts(kind: Kind, values: Mapping[str, Any]) -> tuple[ExpectFact, ...]:
    """What a reply to a question of `kind` must state when its calls gave `values`."""
    if kind == "apply_coupon":
        return (ExpectFact(fact="text", value="已用券"),)
    if kind == "small_talk":
        return (ExpectFact(fact="text", value="欢迎"),)
    key, unit = _FACT_OF_KIND[kind]
    return (stated(values[key], unit),)


def stated(value: int | str, unit: str | None) -> ExpectFact:
    """The fact that a value is, in its unit."""
    if isinstance(value, str):
        return ExpectFact(fact="text", value=value)
    return ExpectFact(fact="price" if unit == "CNY" else "number", value=Decimal(value), unit=unit)
