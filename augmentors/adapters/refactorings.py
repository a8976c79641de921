"""Every refactoring there is, and a harness after a list of them."""

import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Union

from pydantic import Field

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.flatten_parameter import FlattenParameter
from augmentors.adapters.group_parameters import GroupParameters
from augmentors.adapters.merge_tools import MergeTools
from augmentors.adapters.move_rule import MoveRule
from augmentors.adapters.split_tool import SplitTool
from augmentors.edits.add_rule import AddRule
from augmentors.edits.edit import Edit
from augmentors.edits.remove_tool import RemoveTool
from augmentors.footprint import Footprint
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.verify import verify_core, verify_surface

Refactored = Annotated[
    Union[RemoveTool, AddRule, GroupParameters, FlattenParameter, MergeTools, SplitTool, MoveRule],
    Field(discriminator="kind"),
]
"""A refactoring as rows and certificates have it, or an edit that comes before all of them."""

_KEPT = 64
_LATELY = 8


class RefactoringError(Exception):
    """A refactoring cannot be applied; the message says which and why."""


@dataclass(frozen=True)
class Shape:
    """A harness after refactorings: what it means, its default Surface, and how calls go to and fro.

    `origin` and `given`: the Core and the default Surface that the first of them started from. `earlier`: the
    shape before the last of them; None where there is none. No adapter leads back behind an edit, after which
    another harness is meant: `adapter` is that of the refactorings behind it.
    """

    core: Core
    surface: Surface
    adapter: Adapter
    origin: Core
    given: Surface
    refactorings: tuple[Refactored, ...] = ()
    earlier: "Shape | None" = None

    def needed(self, footprint: Footprint) -> Footprint:
        """What a task that needed `footprint` of `origin` may need now. Without one of its tools it may be
        answered by any reply skill.
        """
        told = self.adapter.footprint(footprint)
        if len(self.refactorings) == len(self.adapter.steps):
            return told
        replies = (skill.id for skill in self.core.skills if skill.role == "reply")
        return Footprint.of([*told.symbols, *replies])


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


_Fitting = dict[tuple[int, Refactored], tuple[Surface, bool]]
_fitting: dict[int, tuple[weakref.ref[Core], _Fitting]] = {}


def fits(core: Core, surface: Surface, refactoring: Refactored) -> bool:
    """Whether `refactoring` can be applied to `core`, whose default Surface is `surface`; remembered as long
    as the Core is used elsewhere.
    """
    number = id(core)
    known = _fitting.get(number)
    if known is None or known[0]() is not core:
        known = _fitting[number] = (weakref.ref(core, lambda _: _fitting.pop(number, None)), {})
    found = known[1].get((id(surface), refactoring))
    if found is None:
        try:
            _step(core, surface, refactoring)
        except RefactoringError:
            found = (surface, False)
        else:
            found = (surface, True)
        known[1][id(surface), refactoring] = found
    return found[1]


def reshaped(before: Shape, last: Refactored) -> Shape:
    """`before` with one more refactoring. Raises `RefactoringError`."""
    return shape(before.origin, before.given, (*before.refactorings, last))


def _made(core: Core, surface: Surface, refactorings: tuple[Refactored, ...]) -> Shape:
    if not refactorings:
        return Shape(core, surface, Adapter(core, core, ()), core, surface)
    before = shape(core, surface, refactorings[:-1])
    last = refactorings[-1]
    after, shown = _step(before.core, before.surface, last)
    adapter = Adapter(before.adapter.base, after, (*before.adapter.steps, last))
    if isinstance(last, Edit):
        if before.adapter.steps:
            raise RefactoringError(f"`{last.kind}` cannot be applied: it comes before what has an adapter")
        adapter = Adapter(after, after, ())
    return Shape(after, shown, adapter, core, surface, refactorings, before)


_Taken = tuple[Core, Surface, Core, Surface]
_lately: OrderedDict[tuple[int, int, Refactored], _Taken] = OrderedDict()


def _step(core: Core, surface: Surface, refactoring: Refactored) -> tuple[Core, Surface]:
    """`core` and `surface` after `refactoring`; what was tried a moment ago is not made again."""
    key = (id(core), id(surface), refactoring)
    known = _lately.get(key)
    if known is None:
        known = _lately[key] = (core, surface, *_after(core, surface, refactoring))
        while len(_lately) > _LATELY:
            _lately.popitem(last=False)
    return known[2], known[3]


def _after(core: Core, surface: Surface, refactoring: Refactored) -> tuple[Core, Surface]:
    problem = refactoring.problem(core, surface)
    if problem is not None:
        raise RefactoringError(f"`{refactoring.kind}` cannot be applied: {problem}")
    after, shown = refactoring.applied(core), refactoring.shown(core, surface)
    for wrong in (*verify_core(after), *verify_surface(after, shown)):
        raise RefactoringError(
            f"`{refactoring.kind}` cannot be applied: it leaves `{wrong.id}`: {wrong.message}"
        )
    return after, shown
