"""Every refactoring there is, and a harness after a list of them."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Union

from pydantic import Field

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.flatten_parameter import FlattenParameter
from augmentors.adapters.group_parameters import GroupParameters
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface

Refactored = Annotated[Union[GroupParameters, FlattenParameter], Field(discriminator="kind")]
"""A refactoring as rows and certificates have it."""

_KEPT = 64


class RefactoringError(Exception):
    """A refactoring cannot be applied; the message says which and why."""


@dataclass(frozen=True)
class Shape:
    """A harness after refactorings: what it means, its default Surface, and how calls go to and fro.

    `given`: the default Surface that the first of them started from. `earlier`: the shape before the last of
    them; None where there is none.
    """

    core: Core
    surface: Surface
    adapter: Adapter
    given: Surface
    refactorings: tuple[Refactored, ...] = ()
    earlier: "Shape | None" = None


_known: OrderedDict[tuple[int, int, Sequence[Refactored]], tuple[Core, Surface, Shape]] = OrderedDict()


def shape(core: Core, surface: Surface, refactorings: tuple[Refactored, ...]) -> Shape:
    """`core` and its default `surface` after `refactorings`, in their order.

    Equal answers are one object as long as they are remembered, so that what follows from a Core is computed
    once. Raises `RefactoringError`.
    """
    key = (id(core), id(surface), refactorings)
    found = _known.get(key)
    if found is None:
        # Kept with the answer: an id is only that of one object while that object lives.
        found = _known[key] = (core, surface, _made(core, surface, refactorings))
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return found[2]


def reshaped(before: Shape, last: Refactored) -> Shape:
    """`before` with one more refactoring. Raises `RefactoringError`."""
    return shape(before.adapter.base, before.given, (*before.refactorings, last))


def _made(core: Core, surface: Surface, refactorings: tuple[Refactored, ...]) -> Shape:
    if not refactorings:
        return Shape(core, surface, Adapter(core, core, ()), surface)
    before = shape(core, surface, refactorings[:-1])
    last = refactorings[-1]
    problem = last.problem(before.core, before.surface)
    if problem is not None:
        raise RefactoringError(f"`{last.kind}` cannot be applied: {problem}")
    after = last.applied(before.core)
    shown = last.shown(before.core, before.surface)
    return Shape(after, shown, Adapter(core, after, refactorings), surface, refactorings, before)
