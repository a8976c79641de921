"""Rows of a dataset: variants with their certificates, and conversations shown in them, one line each."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from augmentors.certificates import Certificate
from augmentors.codebook import Codebook
from augmentors.compact import to_row
from augmentors.coverage import Coverage
from augmentors.faulted import under_faults
from augmentors.footprint import Footprint
from augmentors.lineage import pools_of
from augmentors.policy import Policy
from augmentors.rewording.banked import Banked
from augmentors.rewording.books import book_of
from augmentors.samples import sample_inputs
from augmentors.variants import Variant, draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.quick_digest import quick_core_digest
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript, User

_CHUNK = 64

Form = Literal["rows", "messages"]


@dataclass(frozen=True)
class Recipe:
    """What rows are made of. Row N shows conversation N modulo their number, and needs what that one uses.

    Without `conversations` the task of a row is not known, so its variant may hide or shadow nothing.
    `form`: a certified Surface, or the conversation as plain messages. `with_messages`: a certified Surface
    with the messages beside it. `bank`: `core` declares banked wordings, too.
    """

    core: Core
    surface: Surface
    policy: Policy
    seed: int
    conversations: tuple[Transcript, ...] = ()
    with_messages: bool = False
    form: Form = "rows"
    bank: Banked | None = None

    @cached_property
    def book(self) -> Codebook:
        """What rows of this harness need not say."""
        return book_of(self.core, self.surface, self.bank)


@dataclass(frozen=True)
class Made:
    """One row: the line as it stands in the file, and its certificate."""

    line: str
    certificate: Certificate


def make(recipe: Recipe, row: int) -> Made:
    """Row `row`, which depends on nothing but the recipe and its number."""
    variant = drawn(recipe, row)
    certificate = variant.certificate
    if recipe.form == "messages":
        from augmentors.transport import without_harness

        data = {
            "seed": recipe.seed,
            "row": row,
            "core_digest": certificate.core,
            "surface_digest": certificate.surface_digest,
            **_drawn_by(certificate),
            "messages": without_harness(_shown(recipe, row, variant)),
            **_lineage(recipe, row),
        }
        return Made(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", certificate)
    if recipe.bank is not None:
        certificate = certificate.model_copy(update={"bank": recipe.bank.digest})
    extra = {"messages": _shown(recipe, row, variant)} if recipe.with_messages else {}
    return Made(to_row(certificate, recipe.book, extra | _lineage(recipe, row)), certificate)


def _drawn_by(certificate: Certificate) -> dict[str, Any]:
    """The operators of a row and the pools they drew from, for readers who have no certificate."""
    applied = {step.operator: step.parameters for step in certificate.operators}
    return {"operators": [*applied], "pools": sorted(pools_of(applied))}


def _lineage(recipe: Recipe, row: int) -> dict[str, Any]:
    """Where the conversation of a row comes from, if it says so."""
    conversation = _conversation(recipe, row)
    return {"lineage": conversation.lineage} if conversation is not None and conversation.lineage else {}


def drawn(recipe: Recipe, row: int) -> Variant:
    """The variant of row `row`."""
    conversation = _conversation(recipe, row)
    footprint = _footprint(conversation) if conversation is not None else None
    return draw(recipe.core, recipe.surface, recipe.policy, recipe.seed, row, footprint, conversation)


def show(recipe: Recipe, row: int) -> list[dict[str, Any]]:
    """The messages of row `row`."""
    return _shown(recipe, row, drawn(recipe, row))


@dataclass(frozen=True)
class Talk:
    """A variant, and the conversation of its row as one under it."""

    variant: Variant
    transcript: Transcript


def talk(recipe: Recipe, row: int) -> Talk:
    """Row `row`, for those who render it themselves."""
    return _talk(recipe, row, drawn(recipe, row))


def _talk(recipe: Recipe, row: int, variant: Variant) -> Talk:
    return Talk(variant, _under(variant, _conversation(recipe, row) or opening(recipe.core, row)))


def _shown(recipe: Recipe, row: int, variant: Variant) -> list[dict[str, Any]]:
    # Most rows show nothing, and loading what shows them takes as long as drawing ten.
    from augmentors.transport import lower

    return lower(_talk(recipe, row, variant).transcript, variant.core, variant.surface)


def _conversation(recipe: Recipe, row: int) -> Transcript | None:
    return recipe.conversations[row % len(recipe.conversations)] if recipe.conversations else None


_footprints: ByIdentity[Footprint] = ByIdentity()


def _footprint(conversation: Transcript) -> Footprint:
    return _footprints.get(conversation, lambda: Footprint.used_by(conversation))


def opening(core: Core, row: int) -> Transcript:
    """What to show without recorded conversations: the user turns of test `row` modulo their number."""
    inputs = sample_inputs(core)
    turns: tuple[str, ...] = ()
    if core.tests:
        test = core.tests[row % len(core.tests)]
        inputs |= {leaf(given.input): given.value for given in test.given}
        turns = test.user
    return Transcript(
        core_digest=quick_core_digest(core), inputs=inputs, events=tuple(User(text=text) for text in turns)
    )


def _under(variant: Variant, conversation: Transcript) -> Transcript:
    """`conversation` as one under the variant's Core, which differs if it was refactored or limits moved, and
    under its faults.
    """
    if variant.adapter is not None:
        conversation = variant.adapter.forward(conversation)
    if variant.faults is not None:
        changed = under_faults(variant.core, conversation, variant.faults)
        # Without calls in it, nothing is met.
        conversation = changed or conversation
    digest = quick_core_digest(variant.core)
    if digest == conversation.core_digest:
        # The very same conversation is shown sooner than a copy of it.
        return conversation
    return conversation.model_copy(update={"core_digest": digest})


def make_all(recipe: Recipe, rows: Iterable[int], workers: int = 1) -> Iterator[str]:
    """The lines of the rows in order; with several processes they are the same, sooner."""
    coverage = Coverage()
    for data in written(recipe, rows, workers, coverage):
        # A text may hold other line ends than this one.
        yield from (f"{line}\n" for line in data.decode("utf-8").split("\n")[:-1])


def written(recipe: Recipe, rows: Iterable[int], workers: int, coverage: Coverage) -> Iterator[bytes]:
    """The bytes of the rows in order, whole lines at a time; `coverage` counts what was given out so far.

    Raises `WorkerLostError` if one of several processes is killed.
    """
    if workers <= 1:
        for row in rows:
            made = make(recipe, row)
            coverage.add(made.certificate)
            yield made.line.encode("utf-8")
        return
    from augmentors.processes import in_order

    # A copy goes along: what the recipe keeps for itself is made anew sooner than sent.
    for data, counted in in_order(_some, replace(recipe), _chunks(rows), workers):
        coverage.merge(counted)
        yield data


def _chunks(rows: Iterable[int]) -> Iterator[tuple[int, ...]]:
    left = iter(rows)
    while chunk := tuple(islice(left, _CHUNK)):
        yield chunk


def _some(recipe: Recipe, rows: tuple[int, ...]) -> tuple[bytes, Coverage]:
    coverage, lines = Coverage(), []
    for row in rows:
        made = make(recipe, row)
        coverage.add(made.certificate)
        lines.append(made.line)
    return "".join(lines).encode("utf-8"), coverage
