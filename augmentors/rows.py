"""Rows of a dataset: variants with their certificates, and conversations shown in them, one line each."""

import multiprocessing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from augmentors.certificates import Certificate, to_line
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.samples import sample_inputs
from augmentors.transport import lower
from augmentors.variants import Variant, draw
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Transcript, User

_CHUNK = 32


@dataclass(frozen=True)
class Recipe:
    """What rows are made of. Row N shows conversation N modulo their number, and needs what that one uses.

    Without `conversations` the task of a row is not known, so its variant may hide or shadow nothing.
    """

    core: Core
    surface: Surface
    policy: Policy
    seed: int
    conversations: tuple[Transcript, ...] = ()
    with_messages: bool = False


@dataclass(frozen=True)
class Made:
    """One row: the line as it stands in the file, and its certificate."""

    line: str
    certificate: Certificate


def make(recipe: Recipe, row: int) -> Made:
    """Row `row`, which depends on nothing but the recipe and its number."""
    conversation = recipe.conversations[row % len(recipe.conversations)] if recipe.conversations else None
    footprint = Footprint.used_by(conversation) if conversation is not None else None
    variant = draw(recipe.core, recipe.surface, recipe.policy, recipe.seed, row, footprint)
    extra: dict[str, Any] = {}
    if recipe.with_messages:
        shown = conversation or opening(recipe.core, row)
        extra["messages"] = lower(_under(variant, shown), variant.core, variant.surface)
    return Made(to_line(variant.certificate, extra), variant.certificate)


def opening(core: Core, row: int) -> Transcript:
    """What to show without recorded conversations: the user turns of test `row` modulo their number."""
    inputs = sample_inputs(core)
    turns: tuple[str, ...] = ()
    if core.tests:
        test = core.tests[row % len(core.tests)]
        inputs |= {leaf(given.input): given.value for given in test.given}
        turns = test.user
    return Transcript(
        core_digest=core_digest(core), inputs=inputs, events=tuple(User(text=text) for text in turns)
    )


def _under(variant: Variant, conversation: Transcript) -> Transcript:
    """`conversation` as one under the variant's Core, which differs where limits moved."""
    return conversation.model_copy(update={"core_digest": variant.certificate.core})


def make_all(recipe: Recipe, rows: Iterable[int], processes: int = 1) -> Iterator[Made]:
    """The rows in order; with several processes they are the same, sooner."""
    if processes <= 1:
        yield from (make(recipe, row) for row in rows)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _Worker.start, (recipe,)) as pool:
        yield from pool.imap(_Worker.make, rows, chunksize=_CHUNK)


class _Worker:
    """What a worker process keeps between rows."""

    recipe: Recipe

    @classmethod
    def start(cls, recipe: Recipe) -> None:
        cls.recipe = recipe

    @classmethod
    def make(cls, row: int) -> Made:
        return make(cls.recipe, row)
