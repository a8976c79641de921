"""Other names for the same symbols.

    get_quote(link_id)  →  queryPrice(item)      drawn from a pool
    get_quote, get_item →  get_item, get_quote   exchanged; the descriptions stay with their meaning

No run can tell the two apart: calls, results and mentions are stored by semantic id, and names are printed
from the Surface. Symbols without a description only take names of the same meaning (declared by the author,
another style, or words of near meaning from the bank), since there a model reads the meaning from the name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool, WordPool, word_pool
from augmentors.base import Law, Parameters, Preserving
from augmentors.boards import BOARDS, Manner, Table, Wishes
from augmentors.chance import shorts
from augmentors.identifiers import Style
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.namer import is_legal, shown
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import Surface

Renamed = Literal["skill", "tool", "param", "value", "field", "section"]

_KEPT = 4
_EXCHANGED = ("tool", "skill", "param")


class RenameParameters(Parameters):
    """pool      whose words new names are built from
    words     words to use instead of those the pool ships
    kinds     which kinds of symbols are renamed
    share     how likely each of them is renamed; at least one always is
    swap      how likely names are exchanged within their namespace instead of drawn
    related   how likely a drawn name has a word of near meaning, where some are known
    declared  how likely a name is one that the author declares, where there are some
    longer    how likely a drawn parameter or skill name has one word more than it needs
    pinyin    how likely the tool names of one variant are in pinyin
    styles    writing styles; one is chosen for a variant
    """

    pool: Pool = "train"
    words: WordPool | None = None
    kinds: tuple[Renamed, ...] = ("skill", "tool", "param", "value", "field")
    share: float = Field(default=1.0, gt=0, le=1)
    swap: float = Field(default=0.0, ge=0, le=1)
    related: float = Field(default=0.5, ge=0, le=1)
    declared: float = Field(default=0.2, ge=0, le=1)
    longer: float = Field(default=0.3, ge=0, le=1)
    pinyin: float = Field(default=0.1, ge=0, le=1)
    styles: tuple[Style, ...] = Field(default=("snake", "camel", "kebab"), min_length=1)


@dataclass(frozen=True)
class _Ready:
    """`spaces`: per namespace, the symbols of the chosen kinds whose name is free to change."""

    known: Index
    surface: Surface
    spaces: list[tuple[SemanticId, ...]]
    table: Table
    has_pinyin: bool


class Rename(Preserving):
    """Draws or exchanges the shown names of skills, tools, parameters, enum values and result fields."""

    name: ClassVar[str] = "rename"
    family: ClassVar[str] = "naming"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "one name for two symbols of a namespace",
        "accepted": "two symbols with one name, a `fixed` one renamed, an opaque word nothing explains",
        "deterministic": "names drawn from anything but the seed",
        "frozen": "another name for a symbol that is `fixed`",
        "legal-names": "a name with a space",
    }
    parameters_model: ClassVar[type[Parameters]] = RenameParameters
    parameters: RenameParameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._kept: list[_Ready] = []

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Symbols of the chosen kinds that may take another name."""
        return self._ready(index(core), surface).table.ids

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other names."""
        known, wanted = index(core), self.parameters
        ready = self._ready(known, surface)
        if wanted.swap and rng.random() < wanted.swap:
            exchanged = _exchange(known, surface, ready.spaces, rng)
            if exchanged:
                return with_changes(surface, names={**surface.names, **exchanged})
        table = ready.table
        if not table.ids:
            return surface
        style, number = rng.choice(wanted.styles), int(rng.random() * BOARDS)
        pinyin = ready.has_pinyin and rng.random() < wanted.pinyin
        names = table.board(Manner(style, pinyin), number).names(shorts(rng, table.width))
        given = dict(zip(table.ids, names, strict=True))
        chosen = self._chosen(given, rng)
        return with_changes(surface, names={**surface.names, **chosen}) if chosen else surface

    def _chosen(self, given: dict[SemanticId, str], rng: Random) -> dict[SemanticId, str]:
        """The names that a variant shows: each as likely as `share` says, at least one."""
        share = self.parameters.share
        if "" in given.values():
            given = {id_: name for id_, name in given.items() if name}
        if share >= 1 or not given:
            return given
        chosen = [id_ for id_ in given if rng.random() < share] or [rng.choice(list(given))]
        return {id_: given[id_] for id_ in chosen}

    def level_of(self, core: Core, before: Surface, after: Surface) -> Level:
        """`declared` if a symbol without description took a name of other words, else `structural`."""
        known = index(core)
        for id_, name in after.names.items():
            if id_ in known.described or shown(before, id_) == name:
                continue
            if not known.meaning_stays(id_, name):
                return "declared"
        return "structural"

    def _ready(self, known: Index, surface: Surface) -> "_Ready":
        """What rows that start from one Surface have in common; they mostly start from the default one."""
        for ready in self._kept:
            if ready.known is known and ready.surface is surface:
                return ready
        wanted, spaces = self.parameters, self._free_spaces(known, surface)
        pool = wanted.words or word_pool(wanted.pool)
        wishes = Wishes(wanted.pool, pool, wanted.related, wanted.declared, wanted.longer)
        table = Table(known, surface, wishes, (id_ for ids in spaces for id_ in ids))
        made = _Ready(known, surface, spaces, table, bool(pool.pinyin_verbs and pool.pinyin_nouns))
        self._kept = [made, *self._kept[: _KEPT - 1]]
        return made

    def _free_spaces(self, known: Index, surface: Surface) -> list[tuple[SemanticId, ...]]:
        kinds = frozenset(self.parameters.kinds)
        spaces = (
            tuple(id_ for id_ in ids if kind(id_) in kinds and _may_change(known, surface, id_))
            for ids in known.spaces.values()
        )
        return [ids for ids in spaces if ids]


def _may_change(known: Index, surface: Surface, id_: SemanticId) -> bool:
    """Seen, no built-in, not frozen, not written out as code in prose, not mistakable for a free text."""
    if id_.startswith("builtin/"):
        return False
    if id_ in known.unseen or id_ in known.ambiguous or id_ in known.frozen:
        return False
    return shown(surface, id_) not in known.mentions and leaf(id_) not in known.mentions


def _exchange(
    known: Index, surface: Surface, spaces: list[tuple[SemanticId, ...]], rng: Random
) -> dict[SemanticId, str]:
    """In each namespace the described symbols in a random ring, each taking the name of the next.

    A name that not every target takes stays where its author put it.
    """
    names: dict[SemanticId, str] = {}
    for ids in spaces:
        ring = [
            id_
            for id_ in ids
            if kind(id_) in _EXCHANGED and id_ in known.described and is_legal(kind(id_), shown(surface, id_))
        ]
        if len(ring) < 2:
            continue
        rng.shuffle(ring)
        names.update(
            (id_, shown(surface, other)) for id_, other in zip(ring, ring[1:] + ring[:1], strict=True)
        )
    return names
