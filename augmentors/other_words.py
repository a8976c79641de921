"""Shipped words for other spellings of a name: abbreviations, translations, opaque stems, other loaders."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from augmentors.banks import Pool, synonyms_of
from augmentors.identifiers import only_words, words, written

POOLS: tuple[Pool, ...] = ("train", "held-out")


class Written(BaseModel):
    """A word in Chinese characters and in pinyin."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    zh: str = Field(min_length=1)
    pinyin: str = Field(pattern="^[a-z]+$")


class Meaning(BaseModel):
    """English words for one thing, and a Chinese word for it in each pool."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    en: tuple[str, ...] = Field(min_length=1)
    train: Written
    held_out: Written = Field(alias="held-out")

    def chinese(self, pool: Pool) -> Written:
        """The word that names of `pool` take."""
        return self.train if pool == "train" else self.held_out


class Loader(BaseModel):
    """Names by pool for the built-in that loads a skill, for its parameter, and numbers of its wordings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: dict[Pool, tuple[str, ...]]
    params: dict[Pool, tuple[str, ...]]
    wordings: dict[Pool, tuple[int, ...]]


def _data(name: str) -> Any:
    return json.loads((files("augmentors") / "data" / name).read_text("utf-8"))


@cache
def abbreviations() -> Mapping[str, Mapping[Pool, str]]:
    """By word, its abbreviation in each pool."""
    found: Mapping[str, Mapping[Pool, str]] = _data("abbreviations.json")
    return found


@cache
def shipped_abbreviations(pool: Pool) -> frozenset[str]:
    """All abbreviations of a pool."""
    return frozenset(short[pool] for short in abbreviations().values())


@cache
def opaque_stems(pool: Pool) -> tuple[str, ...]:
    """What opaque names of `pool` begin with."""
    return tuple(_data("opaque.json")[pool])


@cache
def loader() -> Loader:
    """How else the built-in that loads a skill is shown."""
    return Loader.model_validate(_data("skill_loader.json"))


@cache
def meanings() -> tuple[Meaning, ...]:
    """English words with their Chinese ones."""
    return tuple(Meaning.model_validate(entry) for entry in _data("translations.json"))


@cache
def _by_english() -> Mapping[str, Meaning]:
    return {word: meaning for meaning in meanings() for word in meaning.en}


@cache
def _by_chinese() -> Mapping[str, Meaning]:
    return {meaning.chinese(pool).zh: meaning for meaning in meanings() for pool in POOLS}


def into_chinese(name: str, pool: Pool) -> tuple[Written, ...]:
    """The words of an English name in Chinese; none unless all of them are known."""
    if not only_words(name):
        return ()
    found = [_by_english().get(word) for word in words(name)]
    return tuple(one.chinese(pool) for one in found if one is not None) if all(found) else ()


def into_english(name: str, pool: Pool) -> tuple[str, ...]:
    """The words of a Chinese name in English, the longest known words first; none unless all are known."""
    parts: list[str] = []
    at = 0
    while at < len(name):
        length = next(
            (n for n in range(min(6, len(name) - at), 0, -1) if name[at : at + n] in _by_chinese()), 0
        )
        if not length:
            return ()
        cluster = synonyms_of().get(_by_chinese()[name[at : at + length]].en[0])
        drawn = cluster.drawn(pool) if cluster is not None else ()
        if not drawn:
            return ()
        parts.append(drawn[0])
        at += length
    return tuple(parts)


def translated(name: str, pool: Pool, *, in_characters: bool) -> tuple[str, ...]:
    """`name` in the other language, in every way it is written; none if a word of it is not known."""
    english = into_english(name, pool)
    if english:
        return tuple(dict.fromkeys(written(english, style) for style in ("snake", "camel")))
    chinese = into_chinese(name, pool)
    if not chinese:
        return ()
    pinyin = tuple(word.pinyin for word in chinese)
    names = [written(pinyin, style) for style in ("snake", "camel")]
    return tuple(dict.fromkeys((*(["".join(word.zh for word in chinese)] if in_characters else []), *names)))
