"""The shipped words, topics, synonyms, distractors and lexicon; read once."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from augmentors.identifiers import only_words, words
from harness_dsl.ir.surface import ForeignTool

Pool = Literal["train", "held-out"]


class WordPool(BaseModel):
    """Words that names are built from, by their place in the name; pinyin stands for one word each."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verbs: tuple[str, ...] = Field(min_length=1)
    nouns: tuple[str, ...] = Field(min_length=1)
    params: tuple[str, ...] = Field(min_length=1)
    param_tails: tuple[str, ...] = Field(min_length=1)
    skill_verbs: tuple[str, ...] = Field(min_length=1)
    skill_tails: tuple[str, ...] = Field(min_length=1)
    pinyin_verbs: tuple[str, ...] = ()
    pinyin_nouns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cluster:
    """Words of near meaning. `seeds` are looked up and never drawn."""

    seeds: tuple[str, ...]
    train: tuple[str, ...]
    held_out: tuple[str, ...]

    def drawn(self, pool: Pool) -> tuple[str, ...]:
        """The words that names of `pool` may take from this cluster."""
        return self.train if pool == "train" else self.held_out


@dataclass(frozen=True)
class Distractor:
    """A tool of another harness. `pool` says whether training may show it."""

    pool: Pool
    tool: ForeignTool


@dataclass(frozen=True)
class Concept:
    """Words for the same thing in two languages."""

    english: frozenset[str]
    chinese: tuple[str, ...]


def _data(name: str) -> Any:
    return json.loads((files("augmentors") / "data" / name).read_text("utf-8"))


@cache
def word_pool(pool: Pool) -> WordPool:
    """The shipped words of `pool`."""
    return WordPool.model_validate(_data("names.json")[pool])


@cache
def topic_of() -> dict[str, Cluster]:
    """The topic that each word belongs to: words that a tool on it may have in its name."""
    return _by_word("topics")


@cache
def synonyms_of() -> dict[str, Cluster]:
    """The words that may stand for each word where a name is all there is to read."""
    return _by_word("synonyms")


def _by_word(table: Literal["topics", "synonyms"]) -> dict[str, Cluster]:
    found: dict[str, Cluster] = {}
    for entry in _data("names.json")[table]:
        cluster = Cluster(tuple(entry["seeds"]), tuple(entry["train"]), tuple(entry["held-out"]))
        for word in (*cluster.seeds, *cluster.train, *cluster.held_out):
            found[word] = cluster
    return found


def means_the_same(name: str, declared: str) -> bool:
    """Whether `name` says what `declared` says: word by word equal or synonyms."""
    if not (only_words(name) and only_words(declared)):
        return name == declared
    mine, theirs = words(name), words(declared)
    known = synonyms_of()
    return len(mine) == len(theirs) > 0 and all(
        a == b or (a in known and known[a] is known.get(b)) for a, b in zip(mine, theirs, strict=True)
    )


@cache
def distractors() -> tuple[Distractor, ...]:
    """The shipped distractor tools, in a fixed order."""
    return tuple(
        Distractor(
            entry["pool"],
            ForeignTool(
                name=entry["name"],
                description=entry["description"],
                parameters=entry["parameters"],
                failure=f"{entry['name']} is not connected in this session",
                origin=entry["origin"],
            ),
        )
        for entry in _data("distractors.json")
    )


@cache
def lexicon() -> tuple[Concept, ...]:
    """English and Chinese words for the same thing."""
    return tuple(Concept(frozenset(entry["en"]), tuple(entry["zh"])) for entry in _data("lexicon.json"))
