"""Tools of a live shop. Parameters are the declared identifiers; `room` is the harness input of that name.

A room is JSON: `{shop_name, platform, products: [{link_id, title, price, stock, material, sizes, coupon}],
delivery}`, where `coupon` is `{code, off}` or null and `delivery` gives days by city. The two functions
that write change the room in place.
"""

from decimal import Decimal
from typing import Any

from runtime.tools import ToolFailure

Json = dict[str, Any]


def get_quote(link_id: int, quantity: int = 1, *, room: Json) -> Json:
    """The price of `quantity` pieces now. Fails with `not_found` for an unknown link."""
    product = _product(room, link_id)
    coupon = product.get("coupon")
    return {
        "amount": _number(Decimal(str(product["price"])) * quantity),
        "currency": "CNY",
        "coupon": coupon["code"] if coupon else None,
    }


def get_item(link_id: int, *, room: Json) -> Json:
    """Title, material and sizes of a link. Fails with `not_found`."""
    product = _product(room, link_id)
    return {"title": product["title"], "material": product["material"], "sizes": list(product["sizes"])}


def get_material(link_id: int, *, room: Json) -> Json:
    """What a link is made of. Fails with `not_found`."""
    return {"material": _product(room, link_id)["material"]}


def check_stock(link_id: int, *, room: Json) -> Json:
    """How many pieces of a link are left. Fails with `not_found`."""
    return {"left": _product(room, link_id)["stock"]}


def get_coupon(link_id: int, *, room: Json) -> Json:
    """The coupon of a link. Fails with `not_found` for an unknown link, `no_coupon` where there is none."""
    coupon = _coupon(_product(room, link_id))
    return {"code": coupon["code"], "off": coupon["off"]}


def apply_coupon(link_id: int, code: str, *, room: Json) -> Json:
    """Take the coupon off the price; then it is spent. Fails with `not_found`, `no_coupon`, `wrong_code`."""
    product = _product(room, link_id)
    coupon = _coupon(product)
    if coupon["code"] != code:
        raise ToolFailure("wrong_code", f"{code} is not the coupon of link {link_id}")
    product["price"] = _number(Decimal(str(product["price"])) - Decimal(str(coupon["off"])))
    product["coupon"] = None
    return {"amount": product["price"]}


def hold_item(link_id: int, quantity: int = 1, *, room: Json) -> Json:
    """Take `quantity` pieces out of stock for a viewer; cannot be undone. Fails with `not_found` or
    `sold_out`.
    """
    product = _product(room, link_id)
    if product["stock"] < quantity:
        raise ToolFailure("sold_out", f"{product['stock']} pieces of link {link_id} are left")
    product["stock"] -= quantity
    return {"held": quantity, "left": product["stock"]}


def delivery_days(city: str, *, room: Json) -> Json:
    """Days until a parcel arrives in `city`. Fails with `not_found` where the shop does not deliver."""
    days = room["delivery"].get(city)
    if days is None:
        raise ToolFailure("not_found", f"no delivery to {city}")
    return {"days": days}


def _product(room: Json, link_id: int) -> Json:
    for product in room["products"]:
        if product["link_id"] == link_id:
            found: Json = product
            return found
    raise ToolFailure("not_found", f"no link {link_id} in this room")


def _coupon(product: Json) -> Json:
    coupon = product.get("coupon")
    if not coupon:
        raise ToolFailure("no_coupon", f"link {product['link_id']} has no coupon")
    found: Json = coupon
    return found


def _number(value: Decimal) -> int | float:
    """A JSON number: whole amounts as integers."""
    return int(value) if value == value.to_integral_value() else float(value)
