"""The tools of the compact shop: as in `shop.tools`, but each result holds the one fact that is asked for.

A small model reads every result whole, so what it is not asked for only costs it tokens.
"""

from shop import tools
from shop.tools import Json


def get_quote(link_id: int, *, room: Json) -> Json:
    """The price of one piece. Fails with `not_found`."""
    return {"amount": tools.get_quote(link_id, room=room)["amount"]}


def check_stock(link_id: int, *, room: Json) -> Json:
    """How many pieces are left. Fails with `not_found`."""
    return tools.check_stock(link_id, room=room)


def get_material(link_id: int, *, room: Json) -> Json:
    """What a link is made of. Fails with `not_found`."""
    return tools.get_material(link_id, room=room)


def get_coupon(link_id: int, *, room: Json) -> Json:
    """How much the coupon of a link takes off. Fails with `not_found` or `no_coupon`."""
    return {"off": tools.get_coupon(link_id, room=room)["off"]}


def delivery_days(city: str, *, room: Json) -> Json:
    """Days until a parcel arrives. Fails with `not_found`."""
    return tools.delivery_days(city, room=room)
