"""What viewers write: frames around phrases, per kind of question and language, split by whole wording.

Every phrase is met in training, but never in the frames that dev and test use it with.
"""

import random
from dataclasses import dataclass
from functools import cache
from typing import Literal

from trainer.simulator.vocabulary import Split

Kind = Literal["price", "stock", "material", "coupon", "delivery", "apply_coupon", "hold", "small_talk"]
Language = Literal["zh", "en"]

LINK_FRAMES: dict[Language, tuple[str, ...]] = {
    "zh": (
        "{n}号{p}",
        "{n}号链接{p}",
        "主播{n}号{p}",
        "请问{n}号{p}",
        "{n}号的{title}{p}",
        "{title}{p}，{n}号那个",
        "想问{n}号链接{p}",
        "{p}呀，{n}号",
        "帮我看{n}号{p}",
        "你好，{n}号{p}",
        "{n}号{title}{p}呢",
        "问下{n}号链接{p}",
    ),
    "en": ("{p}", "hi, {p}", "please tell me, {p}", "hello, {p}", "host, {p}", "{p} please"),
}

CITY_FRAMES: dict[Language, tuple[str, ...]] = {
    "zh": ("{p}", "主播，{p}", "请问{p}", "想问{p}", "你好，{p}", "问下{p}", "帮我看{p}", "请问，{p}呢"),
    "en": ("{p}", "hi, {p}", "please tell me, {p}", "hello, {p}", "host, {p}", "{p} please"),
}

PHRASES: dict[Kind, dict[Language, tuple[str, ...]]] = {
    "price": {
        "zh": ("多少钱", "什么价", "怎么卖", "价格是多少", "现在什么价格", "几块钱", "贵不贵，多少钱"),
        "en": (
            "how much is link {n}",
            "what is the price of item {n}",
            "what does link {n} cost",
            "price of number {n}",
            "how much is the {title} at link {n}",
        ),
    },
    "stock": {
        "zh": ("还有货吗", "还剩几件", "库存多少", "还剩多少件", "有没有货", "还有库存吗", "剩几件了"),
        "en": (
            "how many of link {n} are left",
            "is item {n} in stock",
            "how many left of link {n}",
            "stock of number {n}",
            "is the {title} at link {n} in stock",
        ),
    },
    "material": {
        "zh": (
            "是什么材质",
            "什么料子的",
            "什么做的",
            "材质是什么",
            "用什么材料做的",
            "是什么面料",
            "什么材料",
        ),
        "en": (
            "what is link {n} made of",
            "made of what, item {n}",
            "what is the {title} at link {n} made of",
            "what is number {n} made of",
            "what is item {n} made of",
        ),
    },
    "coupon": {
        "zh": ("有券吗", "有优惠券吗", "券能减多少", "优惠多少", "有什么优惠", "券减多少", "能领券吗"),
        "en": (
            "is there a coupon for link {n}",
            "coupon for item {n}",
            "what coupon has link {n}",
            "how much off with the coupon for number {n}",
            "is there a coupon for the {title} at link {n}",
        ),
    },
    "delivery": {
        "zh": (
            "寄到{city}要几天",
            "到{city}几天",
            "发{city}多久能到",
            "送到{city}要多久",
            "{city}几天能收到",
            "快递到{city}几天",
            "{city}多久到",
        ),
        "en": (
            "how many days to {city}",
            "how long to ship to {city}",
            "when will it come to {city}",
            "days to {city}",
            "how long to {city}",
        ),
    },
    "apply_coupon": {
        "zh": ("帮我把券用上", "用一下优惠券", "请用券"),
        "en": (
            "please use the coupon for link {n}",
            "use the coupon on item {n}",
            "take the coupon for link {n}",
        ),
    },
    "hold": {
        "zh": ("帮我留{q}件", "给我留{q}件", "先留{q}件"),
        "en": ("please keep {q} of link {n} for me", "hold {q} of item {n} for me", "keep {q} of number {n}"),
    },
    "small_talk": {
        "zh": ("你好", "晚上好", "我来了", "主播好", "第一次来", "大家好", "主播辛苦了", "在吗"),
        "en": ("hello", "hi there", "I am here", "hello host", "hi", "thanks"),
    },
}

_TALK_FRAMES: dict[Language, tuple[str, ...]] = {
    "zh": ("{p}", "{p}呀", "哈，{p}", "{p}！"),
    "en": ("{p}", "{p}!", "{p} again"),
}


@dataclass(frozen=True)
class Wording:
    """A question with holes for its values; `text` is what splits are disjoint by."""

    kind: Kind
    language: Language
    text: str


def frames(kind: Kind, language: Language) -> tuple[str, ...]:
    if kind == "small_talk":
        return _TALK_FRAMES[language]
    return CITY_FRAMES[language] if kind == "delivery" else LINK_FRAMES[language]


@cache
def wordings(kind: Kind, split: Split, language: Language) -> tuple[Wording, ...]:
    """The wordings of `split`, of every five three in train; the frame moves against the phrase, so each
    meets all.
    """
    ranks = {"train": (0, 1, 2), "dev": (3,), "test": (4,)}[split]
    return tuple(
        Wording(kind, language, frame.replace("{p}", phrase))
        for at_frame, frame in enumerate(frames(kind, language))
        for at_phrase, phrase in enumerate(PHRASES[kind][language])
        if (at_frame + at_phrase) % 5 in ranks
    )


def draw_wording(rng: random.Random, kind: Kind, split: Split, english: float = 0.25) -> Wording:
    """One wording of `split`; `english` is the share of English ones."""
    return rng.choice(wordings(kind, split, "en" if rng.random() < english else "zh"))
