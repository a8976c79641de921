"""Other names for the same symbols.

    get_quote(link_id)  →  queryPrice(item)      drawn from a pool
    get_quote, get_item →  get_item, get_quote   exchanged; the descriptions stay with their meaning

No run can tell the two apart: calls, results and mentions are stored by semantic id, and names are printed
from the Surface. Symbols without a description only take names of the same meaning (declared by the author,
another style, or words of near meaning from the bank), since there a model reads the meaning from the name.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool, WordPool, word_pool
from augmentors.base import Law, Parameters, Preserving
from augmentors.identifiers import Style
from augmentors.index import Index, index
from augmentors.levels import Level
from augmentors.namer import Namer, Taste, is_legal, shown
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface

Renamed = Literal["skill", "tool", "param", "value", "field", "section"]

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
        self._kept: tuple[Index, Surface, list[tuple[SemanticId, ...]], list[SemanticId]] | None = None

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Symbols of the chosen kinds that may take another name."""
        return tuple(self._free(index(core), surface)[1])

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other names."""
        known = index(core)
        spaces, candidates = self._free(known, surface)
        if self.parameters.swap and rng.random() < self.parameters.swap:
            exchanged = _exchange(known, surface, spaces, rng)
            if exchanged:
                return surface.model_copy(update={"names": {**surface.names, **exchanged}})
        namer = self._namer(known, surface, rng)
        if not candidates:
            return surface
        share = self.parameters.share
        chosen = candidates if share >= 1 else [id_ for id_ in candidates if rng.random() < share]
        names = dict(surface.names)
        for id_ in chosen or [rng.choice(candidates)]:
            name = namer.draw(id_)
            if name is not None:
                names[id_] = name
        return surface.model_copy(update={"names": names})

    def level_of(self, core: Core, before: Surface, after: Surface) -> Level:
        """`declared` if a symbol without description took a name of other words, else `structural`."""
        known = index(core)
        for id_, name in after.names.items():
            if id_ in known.described or shown(before, id_) == name:
                continue
            if not known.meaning_stays(id_, name):
                return "declared"
        return "structural"

    def _namer(self, known: Index, surface: Surface, rng: Random) -> Namer:
        wanted = self.parameters
        pool = wanted.words or word_pool(wanted.pool)
        taste = Taste(
            style=rng.choice(wanted.styles),
            pinyin=bool(pool.pinyin_verbs and pool.pinyin_nouns) and rng.random() < wanted.pinyin,
            related=wanted.related,
            declared=wanted.declared,
            longer=wanted.longer,
        )
        return Namer(known, surface, pool, wanted.pool, taste, rng)

    def _free(self, known: Index, surface: Surface) -> tuple[list[tuple[SemanticId, ...]], list[SemanticId]]:
        """Per namespace, the symbols of the chosen kinds whose name is free to change; and those of them for
        which there is another name.

        Rows start from one default Surface, so what it gives is kept.
        """
        kept = self._kept
        if kept is None or kept[0] is not known or kept[1] is not surface:
            spaces = self._free_spaces(known, surface)
            namer = self._namer(known, surface, Random(0))
            candidates = [id_ for ids in spaces for id_ in ids if namer.can_name(id_)]
            kept = self._kept = (known, surface, spaces, candidates)
        return kept[2], kept[3]

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
