"""How close two descriptions of tools are, in Chinese, in English, and across the two."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from math import sqrt

from augmentors.banks import lexicon
from augmentors.identifiers import words

_LATIN = re.compile(r"[a-z]+")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_STOP = frozenset(
    """
    a an and any are as at based be by can for from get given has in into is it its list of on one or return
    returns retrieve set show specific specified such that the their this to tool use used using with you your
    all each query find search look check details information info data number name id
    """.split()  # noqa: SIM905 (prose-like, and read as such)
)


@dataclass(frozen=True)
class Features:
    """What two descriptions are compared by."""

    words: frozenset[str]
    concepts: frozenset[int]
    grams: Counter[str]
    norm: float


@lru_cache(maxsize=8192)
def features(name: str, description: str) -> Features:
    """The features of a tool by its declared name and its description."""
    text = description.lower()
    found = {_stem(word) for word in (*words(name), *_LATIN.findall(text)) if word not in _STOP}
    han = _HAN.findall(text) + _HAN.findall(name)
    pairs = {run[at : at + 2] for run in han for at in range(len(run) - 1)}
    together = "".join(han)
    concepts = frozenset(
        number
        for number, (english, chinese) in enumerate(_concepts())
        if not found.isdisjoint(english) or (together and any(word in together for word in chinese))
    )
    latin = (f" {word} " for word in _LATIN.findall(text) if word not in _STOP)
    grams = Counter(word[at : at + 3] for word in latin for at in range(len(word) - 2))
    grams.update(pairs)
    norm = sqrt(sum(count * count for count in grams.values()))
    return Features(frozenset(found | pairs), concepts, grams, norm)


@cache
def _concepts() -> list[tuple[frozenset[str], tuple[str, ...]]]:
    """Stems of the English words, and the Chinese words, of each concept of the lexicon."""
    return [(frozenset(map(_stem, concept.english)), concept.chinese) for concept in lexicon()]


def similarity(left: Features, right: Features) -> float:
    """Between 0 (nothing in common) and 1: the largest of word overlap, n-gram cosine and shared concepts."""
    return max(
        _jaccard(left.words, right.words),
        _cosine(left, right),
        _shared_concepts(left.concepts, right.concepts),
    )


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    either = len(left | right)
    return len(left & right) / either if either else 0.0


def _cosine(left: Features, right: Features) -> float:
    if not left.norm or not right.norm:
        return 0.0
    small, large = sorted((left.grams, right.grams), key=len)
    product = sum(count * large[gram] for gram, count in small.items() if gram in large)
    return product / (left.norm * right.norm)


def _shared_concepts(left: frozenset[int], right: frozenset[int]) -> float:
    """The share of the concepts of the description with fewer of them."""
    fewer = min(len(left), len(right))
    return len(left & right) / fewer if fewer else 0.0


def _stem(word: str) -> str:
    for ending in ("ies", "ing", "es", "s"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word
