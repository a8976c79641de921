"""An edit that no adapter takes back: the harness means something else afterwards."""

from collections.abc import Mapping
from typing import Any

from augmentors.adapters.reshaping import Reshaping
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


class Edit(Reshaping):
    """One edit, as data. Calls are what they were: only tasks and rules are others."""

    def inverse(self, core: Core) -> None:
        return None


def without(surface: Surface, gone: frozenset[SemanticId]) -> Surface:
    """`surface` without what it says of symbols and texts in or under `gone`."""

    def stays(id_: SemanticId) -> bool:
        parts = id_.split("/")
        return all("/".join(parts[:end]) not in gone for end in range(1, len(parts) + 1))

    def kept(values: Mapping[SemanticId, Any]) -> dict[SemanticId, Any]:
        return {id_: value for id_, value in values.items() if stays(id_)}

    orders = {key: tuple(filter(stays, order)) for key, order in kept(surface.orders).items()}
    return surface.model_copy(
        update={
            "names": kept(surface.names),
            "wordings": kept(surface.wordings),
            "orders": {key: order for key, order in orders.items() if len(order) > 1},
            "hidden": tuple(filter(stays, surface.hidden)),
            "implementations": kept(surface.implementations),
            "feedback": kept(surface.feedback),
            "layouts": kept(surface.layouts),
            "unsaid": tuple(filter(stays, surface.unsaid)),
        }
    )
