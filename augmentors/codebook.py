"""What a row need not say, because its harness says it: ids, wordings, names and distractors by number."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from augmentors.adapters.refactorings import Refactored, shape
from augmentors.banks import distractors
from augmentors.index import Index, index
from augmentors.name_space import MANNERS, Manner, NameSpace
from harness_dsl.ir.canonical import canonical_json
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.listing import unordered_lists
from harness_dsl.ir.quick_digest import quick_core_digest
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Template, Text
from harness_dsl.ir.walk import texts


@dataclass(frozen=True)
class Codebook:
    """One Core and the Surface that its variants start from.

    digest     of the Core, shortened as rows have it
    ids        every id that a row may name by number
    names      symbols whose name may differ, in the order of their numbers
    worded     texts with more than one wording
    lists      free lists with their ids
    hideable   tools and skills
    bank       digest of the banked wordings among those of `worded`
    plain      the codebook without them
    """

    core: Core
    baseline: Surface
    known: Index
    digest: str
    ids: tuple[SemanticId, ...]
    names: tuple[SemanticId, ...]
    worded: tuple[Text, ...]
    lists: dict[str, tuple[SemanticId, ...]]
    hideable: tuple[SemanticId, ...]
    numbers: dict[SemanticId, int]
    spaces: dict[Manner, NameSpace] = field(default_factory=dict)
    bank: str | None = None
    plain: "Codebook | None" = None

    def drawn_with(self, bank: str | None) -> "Codebook | None":
        """The codebook of rows that were drawn with the wordings of `bank`; None: they are not known."""
        if bank == self.bank:
            return self
        return self.plain if bank is None else None

    def space(self, manner: Manner) -> NameSpace:
        """The numbered names in one manner."""
        found = self.spaces.get(manner)
        if found is None:
            found = self.spaces[manner] = NameSpace(self.known, self.baseline, manner)
        return found

    def shaped(self, refactorings: tuple[Refactored, ...]) -> "Codebook":
        """The codebook of this harness after `refactorings`. Raises `RefactoringError`."""
        if not refactorings:
            return self
        after = shape(self.core, self.baseline, refactorings)
        return codebook(after.core, after.surface)

    def likely_manner(self, changed: Sequence[tuple[SemanticId, str]]) -> Manner:
        """The manner in which most of the first few names are numbered."""
        some = [(id_, name) for id_, name in changed if id_ in self.known.described][:8]

        def fits(manner: Manner) -> int:
            space = self.space(manner)
            return sum(space.entry(id_).number(name) is not None for id_, name in some)

        return max(MANNERS, key=fits)


@remembered
def _books(core: Core) -> list[Codebook]:
    return []


def codebook(core: Core, baseline: Surface) -> Codebook:
    """The codebook of a Core and its default Surface; made once."""
    books = _books(core)
    for book in books:
        if book.baseline is baseline and book.core.limits == core.limits:
            return book
    made = _made(core, baseline)
    books[:] = [made, *books[:3]]
    return made


def _made(core: Core, baseline: Surface) -> Codebook:
    known = index(core)
    lists = unordered_lists(core)
    every = [text.id for text in texts(core)]
    hideable = (*(tool.id for tool in core.tools), *(skill.id for skill in core.skills))
    ids = tuple(sorted({*known.space_of, *every, *lists, *hideable, *(hook.id for hook in core.hooks)}))
    return Codebook(
        core=core,
        baseline=baseline,
        known=known,
        digest=shortened(quick_core_digest(core)),
        ids=ids,
        names=tuple(known.space_of),
        worded=tuple(text for text in texts(core) if text.alternatives),
        lists=lists,
        hideable=hideable,
        numbers={id_: at for at, id_ in enumerate(ids)},
    )


def shortened(digest: str) -> str:
    """`sha256:` and 64 hexadecimal digits as 40 characters; any other text as it is."""
    head, _, digits = digest.partition(":")
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        return digest
    if head != "sha256" or len(data) != 32 or data.hex() != digits:
        return digest
    return base64.b85encode(data).decode("ascii")


def lengthened(text: str) -> str:
    """The inverse of `shortened`. Raises `ValueError` for letters outside base 85."""
    return f"sha256:{base64.b85decode(text).hex()}" if len(text) == 40 else text


def wordings(text: Text) -> tuple[Template, ...]:
    """The wordings that a row names by number."""
    return (text.canonical, *text.alternatives)


@dataclass(frozen=True)
class Bank:
    """The shipped distractors by number. `digest`: of all of them, so that an edited bank is noticed."""

    tools: tuple[ForeignTool, ...]
    numbers: dict[str, int]
    digest: str


@cache
def bank() -> Bank:
    """The bank as it is shipped."""
    tools = tuple(entry.tool for entry in distractors())
    whole = hashlib.sha256(canonical_json([tool.model_dump(mode="json") for tool in tools])).digest()
    return Bank(
        tools=tools,
        numbers={tool.name: at for at, tool in enumerate(tools)},
        digest=base64.b85encode(whole[:6]).decode("ascii"),
    )
