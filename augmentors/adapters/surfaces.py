"""A Surface whose entries follow symbols to their new ids."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from augmentors.adapters.rewriting import Rewriting
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Reference, Template

_Value = TypeVar("_Value")


def moved_surface(
    surface: Surface,
    moved: Callable[[SemanticId], SemanticId],
    reference: Callable[[SemanticId], Template] | None = None,
) -> Surface:
    """`surface` with names and wordings under the ids of today. `reference`: what stands for a reference in a
    wording; by default one to the id of today. Orders, which are lists of neighbours, are the caller's.
    """
    rewriting = Rewriting(moved, reference or (lambda id_: (Reference(target=moved(id_)),)))
    wordings = {id_: rewriting.template(id_, wording) for id_, wording in surface.wordings.items()}
    return surface.model_copy(
        update={"names": _keys(surface.names, moved), "wordings": _keys(wordings, moved)}
    )


def _keys(
    values: Mapping[SemanticId, _Value], moved: Callable[[SemanticId], SemanticId]
) -> dict[SemanticId, _Value]:
    return {moved(id_): value for id_, value in values.items()}
