"""Seeded rooms: what the tools of a live shop look at."""

import random
from typing import Any

from trainer.simulator import vocabulary
from trainer.simulator.vocabulary import Split

Room = dict[str, Any]


def draw_room(rng: random.Random, split: Split, size: int = 6, cities: int = 6) -> Room:
    """A room with `size` products of `split` under distinct link numbers from 1 to 99, and `cities`
    delivery times.

    About half of the products have a coupon; there is at least one with and one without, if `size` ≥ 2.
    """
    titles = rng.sample(vocabulary.products(split), size)
    links = rng.sample(range(1, 100), size)
    room_products = [_product(rng, link, title) for link, title in zip(links, titles, strict=True)]
    for index, product in enumerate(room_products):
        if index == 0 or (index > 1 and rng.random() < 0.5):
            product["coupon"] = _coupon(rng, product["price"])
    rng.shuffle(room_products)
    return {
        "shop_name": rng.choice(vocabulary.SHOPS),
        "platform": rng.choice(vocabulary.PLATFORMS),
        "products": room_products,
        "delivery": {city: rng.randint(1, 15) for city in rng.sample(vocabulary.CITIES, cities)},
    }


def _product(rng: random.Random, link: int, title: str) -> Room:
    return {
        "link_id": link,
        "title": title,
        "price": rng.randint(10, 999),
        "stock": rng.randint(3, 500),
        "material": rng.choice(vocabulary.MATERIALS),
        "sizes": rng.choice((["S", "M", "L"], ["M", "L", "XL"], ["均码"])),
        "coupon": None,
    }


def _coupon(rng: random.Random, price: int) -> Room:
    return {
        "code": rng.choice(vocabulary.COUPON_WORDS) + str(rng.randint(10, 99)),
        "off": rng.randint(1, price - 1),
    }
