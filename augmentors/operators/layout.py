"""Another layout of the items of a skill or a section of rules.

    1. Look it up.      →   (1) Look it up. (2) Say it.   →   | # | step |
    2. Say it.                                                | 1 | Look it up. | …

No run can tell the two apart: every text stands as it is, in the same order, and what is numbered keeps its
numbers.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, get_args

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, Parameters, Preserving
from augmentors.index import index
from augmentors.levels import Level
from harness_dsl.ir.core import Core, Item
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.listing import item_lists
from harness_dsl.ir.node import with_changes
from harness_dsl.ir.surface import Layout as Form
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Template
from harness_dsl.ir.walk import parts
from harness_dsl.protocol.layouts import fits


class LayoutParameters(Parameters):
    """forms  which layouts are drawn from
    share  how likely each list changes; at least one always does
    """

    forms: tuple[Form, ...] = Field(default=get_args(Form), min_length=1)
    share: float = Field(default=0.6, gt=0, le=1)


class Layout(Preserving):
    """Draws how the items of each list are set. Not where a text has several lines, or a bar in a table."""

    name: ClassVar[str] = "layout"
    family: ClassVar[str] = "format"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "the layout of a section of prose",
        "accepted": "another layout of a skill that is `fixed`",
        "frozen": "another layout of a skill that is `fixed`",
        "effective": "a table of texts that are shown as a list, since one has several lines",
    }
    parameters_model: ClassVar[type[Parameters]] = LayoutParameters
    parameters: LayoutParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Skills and sections of rules that are not frozen and can be set in another of the layouts."""
        frozen = index(core).frozen
        return tuple(
            id_
            for id_, items in item_lists(core).items()
            if id_ not in frozen and id_ not in surface.hidden and self._others(id_, items, surface)
        )

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """`surface` with other layouts."""
        ids = self.symbols(core, surface)
        if not ids:
            return surface
        chosen = [id_ for id_ in ids if rng.random() < self.parameters.share] or [rng.choice(ids)]
        layouts = dict(surface.layouts)
        for id_ in chosen:
            layouts[id_] = rng.choice(self._others(id_, item_lists(core)[id_], surface))
        return with_changes(surface, layouts={id_: form for id_, form in layouts.items() if form != "list"})

    def _others(self, id_: SemanticId, items: tuple[Item, ...], surface: Surface) -> list[Form]:
        """The layouts other than the present one that its texts fit."""
        others = [form for form in self.parameters.forms if form != surface.layouts.get(id_, "list")]
        for item in items if others != ["list"] else ():
            forms = _fitting(surface.wordings.get(item.text.id, item.text.canonical), surface)
            others = [form for form in others if form in forms]
        return others


_written: ByIdentity[tuple[frozenset[Form], tuple[SemanticId, ...]]] = ByIdentity()


def _fitting(wording: Template, surface: Surface) -> frozenset[Form]:
    """The layouts that `wording` fits, by what is fixed of it and the names in it: all that is known before
    inputs are.
    """
    forms, named = _written.get(wording, lambda: _taken_apart(wording))
    if not named:
        return forms
    names = " ".join([surface.names.get(id_) or leaf(id_) for id_ in named])
    return frozenset(form for form in forms if fits(form, [names]))


def _taken_apart(wording: Template) -> tuple[frozenset[Form], tuple[SemanticId, ...]]:
    found = [*parts(wording)]
    literal = "".join(part.text for part in found if isinstance(part, Literally))
    forms = frozenset(form for form in get_args(Form) if fits(form, [literal]))
    return forms, tuple(part.target for part in found if isinstance(part, Reference))
