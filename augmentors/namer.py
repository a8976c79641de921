"""Draws names that are legal, that nothing else is called, and that no prose mentions."""

import keyword
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from augmentors.banks import Cluster, Pool, WordPool, synonyms_of
from augmentors.chance import chooser
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
_TRIES = 12


@dataclass(frozen=True)
class Taste:
    """How names of one variant look; the shares are those of the rename operator."""

    style: Style
    pinyin: bool
    related: float
    declared: float
    longer: float


def shown(surface: Surface, id_: SemanticId) -> str:
    """The name under which `surface` shows `id_`."""
    return surface.names.get(id_) or leaf(id_)


class Namer:
    """Names for one variant; what it has drawn counts as taken."""

    def __init__(
        self, known: Index, surface: Surface, pool: WordPool, side: Pool, taste: Taste, rng: Random
    ) -> None:
        self._known = known
        self._surface = surface
        self._words = pool
        self._side = side
        self._taste = taste
        self._random = rng.random
        self._choice: Callable[[Sequence[str]], str] = chooser(rng)
        self._drawn: dict[SemanticId, str] = {}
        self._callables = {name_key(shown(surface, id_)) for id_ in known.callables}
        self._taken = set(known.taken)
        self._taken.update(name_key(name) for name in surface.names.values())
        self._taken.update(name_key(tool.name) for tool in surface.distractors)

    def can_name(self, id_: SemanticId) -> bool:
        """Whether there is another name for `id_`."""
        return id_ in self._known.described or next(self._of_same_meaning(id_), None) is not None

    def draw(self, id_: SemanticId) -> str | None:
        """Another name for `id_`; None if those of its meaning have gone to its neighbours."""
        name = self._declared(id_) if id_ in self._known.declared else None
        if name is None:
            name = self._from_pool(id_) if id_ in self._known.described else self._near_name(id_)
        if name is not None:
            key = name_key(name)
            self._drawn[id_] = name
            self._taken.add(key)
            if kind(id_) in ("tool", "skill"):
                self._callables.add(key)
        return name

    def _declared(self, id_: SemanticId) -> str | None:
        names = self._known.declared[id_]
        if not names or self._random() >= self._taste.declared:
            return None
        free = [name for name in names if is_legal(kind(id_), name) and name_key(name) not in self._taken]
        return self._choice(free) if free else None

    def _from_pool(self, id_: SemanticId) -> str:
        role = kind(id_)
        style = self._taste.style if self._taste.style in STYLES[role] else "snake"
        name, is_free = self._param_name(style) if role == "param" else self._role_name(id_, role, style)
        if is_free:
            return name
        number = 2
        while name_key(f"{name}_{number}") in self._taken:
            number += 1
        return f"{name}_{number}"

    def _role_name(self, id_: SemanticId, role: str, style: Style) -> tuple[str, bool]:
        """The last name that was tried for a tool, skill or section, and whether it is free."""
        cluster = self._known.related.get(id_)
        name = ""
        for attempt in range(_TRIES):
            near = cluster if cluster is not None and self._random() < self._taste.related else None
            parts = self._parts(role, near)
            more = (self._choice(self._words.nouns),) if attempt > _TRIES // 2 else ()
            name, key, legal = _made(role, parts, more, style)
            if key not in self._taken and legal:
                return name, True
        return name, False

    def _param_name(self, style: Style) -> tuple[str, bool]:
        """As `_role_name` for a parameter; most names of a variant are those of parameters."""
        random, choice, taken, pool = self._random, self._choice, self._taken, self._words
        words, tails, longer = pool.params, pool.param_tails, self._taste.longer
        name = ""
        for attempt in range(_TRIES):
            is_longer = random() < longer
            word = choice(words)
            tail = choice(tails) if is_longer or keyword.iskeyword(word) else ""
            more = choice(pool.nouns) if attempt > _TRIES // 2 else ""
            name, key, legal = _made_param(word, tail, more, style)
            if key not in taken and legal:
                return name, True
        return name, False

    def _parts(self, role: str, near: Cluster | None) -> tuple[str, ...]:
        choice, pool = self._choice, self._words
        longer = self._random() < self._taste.longer
        if role == "skill":
            parts = choice(pool.skill_verbs), self._noun(near)
            return (*parts, choice(pool.skill_tails)) if longer else parts
        if self._taste.pinyin:
            return choice(pool.pinyin_verbs), choice(pool.pinyin_nouns)
        return choice(pool.verbs), self._noun(near)

    def _noun(self, near: Cluster | None) -> str:
        return self._choice((near.drawn(self._side) if near is not None else ()) or self._words.nouns)

    def _near_name(self, id_: SemanticId) -> str | None:
        options = list(self._of_same_meaning(id_))
        if not options:
            return None
        styled = [option for option in options if _is_styled(option, self._taste.style)]
        return self._choice(styled or options)

    def _of_same_meaning(self, id_: SemanticId) -> Iterator[str]:
        """Names that say what the declared identifier says, as far as they are free in its namespace."""
        options = near_names(self._known, self._side, id_)
        if not options:
            return
        drawn, given = self._drawn, self._surface.names
        used = {
            name_key(drawn.get(other) or given.get(other) or leaf(other)) for other in self._known.beside(id_)
        }
        for name in options:
            key = name_key(name)
            if key in used or key in self._callables or name in self._known.mentions:
                continue
            yield name


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
def _made(role: str, parts: tuple[str, ...], more: tuple[str, ...], style: Style) -> tuple[str, str, bool]:
    """A name from words without repetition, and `more` behind; its key, and whether it is legal."""
    name = written((*dict.fromkeys(parts), *more), style)
    return name, name_key(name), is_legal(role, name)


@lru_cache(maxsize=1 << 16)
def _made_param(word: str, tail: str, more: str, style: Style) -> tuple[str, str, bool]:
    """As `_made`; an empty word is none."""
    return _made("param", (word, tail) if tail else (word,), (more,) if more else (), style)


@lru_cache(maxsize=1 << 16)
def _is_styled(name: str, style: Style) -> bool:
    return written(words(name), style) == name


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> str:
    """Two names with one key could be taken for each other."""
    return sanitised(name).lower()
