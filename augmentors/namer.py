"""What names may be: legal ones, ones that nothing else is called, and ones that mean what is declared."""

import keyword
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Literal

from augmentors.banks import Pool, WordPool, synonyms_of
from augmentors.identifiers import TOOL_NAME, Style, sanitised, words, written
from augmentors.index import Index
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface

STYLES: dict[str, tuple[Style, ...]] = {
    "tool": ("snake", "camel", "kebab"),
    "skill": ("snake", "camel", "kebab"),
    "param": ("snake", "camel"),
    "value": ("snake", "camel", "kebab"),
    "field": ("snake", "camel"),
    "section": ("snake", "kebab"),
}

Parts = tuple[str, ...]
"""The words of a name, before they are written in some style."""

Length = Literal["short", "long", "longest", "pinyin"]


def shown(surface: Surface, id_: SemanticId) -> str:
    """The name under which `surface` shows `id_`."""
    return surface.names.get(id_) or leaf(id_)


def parts_of_names(role: str, words: WordPool, length: Length, nouns: Parts) -> Iterator[Parts]:
    """What names of a tool, skill or parameter are made of.

    short    no word more than needed
    long     a skill or parameter with one word more
    longest  one noun more than any of these, where there are more symbols than names
    pinyin   a tool in pinyin
    """
    if length == "longest":
        for shorter in ("short", "long"):
            for parts in parts_of_names(role, words, shorter, nouns):
                yield from ((*dict.fromkeys(parts), noun) for noun in words.nouns)
    elif length == "pinyin":
        yield from product(words.pinyin_verbs, words.pinyin_nouns)
    elif role == "param":
        pairs = product(words.params, words.param_tails)
        yield from pairs if length == "long" else ((word,) for word in words.params)
    elif role == "skill":
        yield from product(words.skill_verbs, nouns, *([words.skill_tails] if length == "long" else []))
    elif length == "short":
        yield from product(words.verbs, nouns)


def style_of(role: str, style: Style) -> Style:
    """`style`, if symbols of that role are written so at all."""
    return style if style in STYLES[role] else "snake"


def near_names(known: Index, side: Pool, id_: SemanticId) -> tuple[str, ...]:
    """Names that say what `id_` is declared as, free or not."""
    found = known.near_names.get((side, id_))
    if found is None:
        found = known.near_names[side, id_] = tuple(_all_near_names(known, side, id_))
    return found


def _all_near_names(known: Index, side: Pool, id_: SemanticId) -> Iterator[str]:
    """Declared names, the name in another style, and the name with one word of near meaning in each style."""
    role, declared = kind(id_), leaf(id_)
    parts = words(declared)
    declarations = known.declared.get(id_, ())
    found = dict.fromkeys(declarations)
    if len(parts) > 1:
        found.update(dict.fromkeys(written(parts, style) for style in STYLES[role]))
    for place, word in enumerate(parts):
        cluster = synonyms_of().get(word)
        for near in cluster.drawn(side) if cluster is not None else ():
            changed = (*parts[:place], near, *parts[place + 1 :])
            found.update(dict.fromkeys(written(changed, style) for style in STYLES[role]))
    for name in found:
        vouched = name in declarations or known.meaning_stays(id_, name) or known.bank_vouches(id_, name)
        if name != declared and is_legal(role, name) and vouched:
            yield name


def is_legal(role: str, name: str) -> bool:
    """Whether targets take `name`: identifiers for parameters and fields, tool characters for the rest."""
    if role in ("param", "field"):
        return name.isidentifier() and not keyword.iskeyword(name)
    return TOOL_NAME.fullmatch(name) is not None


@lru_cache(maxsize=1 << 16)
def is_styled(name: str, style: Style) -> bool:
    """Whether `name` is written in `style`."""
    return written(words(name), style) == name


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> str:
    """Two names with one key could be taken for each other."""
    return sanitised(name).lower()
