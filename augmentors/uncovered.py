"""What rows could have exercised and did not, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from augmentors.coverage import Coverage
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.registry import applicable
from augmentors.rows import Recipe
from augmentors.variants import draw
from harness_dsl.ir.ids import SemanticId

TRIED = 8
"""Rows that an operator draws alone to see whether chance is all that kept it from a symbol."""


@dataclass(frozen=True)
class Never:
    """`operator` changed `symbol` in no row. `reason` is a phrase."""

    operator: str
    symbol: SemanticId
    reason: str

    def as_data(self) -> dict[str, Any]:
        return {"operator": self.operator, "symbol": self.symbol, "reason": self.reason}


def never(recipe: Recipe, coverage: Coverage) -> list[Never]:
    """The pairs of operator and symbol that the rows which `coverage` counted lack, of all that some row of
    `recipe` could have.
    """
    could, needed = _could(recipe)
    missing = [pair for pair in coverage.missing(could) if coverage.rows]
    alone = _reached_alone(recipe, {name for name, _ in missing})
    found = [
        Never(name, id_, _why(alone.get((name, id_)), coverage.operators[name])) for name, id_ in missing
    ]
    return found + [Never(name, id_, "every task needs it") for name, id_ in needed]


def left(recipe: Recipe, coverage: Coverage) -> int:
    """How many pairs `never` would name, without asking why."""
    could, needed = _could(recipe)
    return len(coverage.missing(could)) + len(needed)


def _could(recipe: Recipe) -> tuple[dict[str, tuple[SemanticId, ...]], list[tuple[str, SemanticId]]]:
    """What each operator could change in some row; and what it could if only no task needed it."""
    core, surface = recipe.core, recipe.surface
    operators = [choice.instance for choice in recipe.policy.operators if choice.probability > 0]
    most = applicable(operators, core, surface, Footprint())
    tasks = dict.fromkeys(Footprint.used_by(one) for one in recipe.conversations)
    relative = [operator for operator in operators if operator.kind == "task-relative"]
    found: dict[str, set[SemanticId]] = {operator.name: set() for operator in relative}
    for footprint in tasks or [Footprint.everything(core)]:
        left = [operator for operator in relative if len(found[operator.name]) < len(most[operator.name])]
        if not left:
            break
        for name, ids in applicable(left, core, surface, footprint).items():
            found[name].update(ids)
    could = {name: tuple(id_ for id_ in ids if id_ in found.get(name, ids)) for name, ids in most.items()}
    needed = [(name, id_) for name in found for id_ in most[name] if id_ not in found[name]]
    return could, needed if tasks else []


def _reached_alone(recipe: Recipe, names: set[str]) -> dict[tuple[str, SemanticId], int]:
    """By operator and symbol, the first row in which the operator, drawn alone, changes it."""
    found: dict[tuple[str, SemanticId], int] = {}
    for choice in recipe.policy.operators:
        if choice.operator not in names:
            continue
        alone = Policy(operators=(choice.model_copy(update={"probability": 1.0}),))
        for row in range(TRIED):
            for pair in _changed(recipe, alone, row):
                found.setdefault(pair, row)
    return found


def _changed(recipe: Recipe, alone: Policy, row: int) -> Iterator[tuple[str, SemanticId]]:
    talks = recipe.conversations
    footprint = Footprint.used_by(talks[row % len(talks)]) if talks else None
    variant = draw(recipe.core, recipe.surface, alone, recipe.seed, row, footprint)
    for step in variant.certificate.operators:
        yield from ((step.operator, id_) for id_ in step.changed)


def _why(row: int | None, rows: int) -> str:
    if row is not None:
        return f"by chance: alone it is changed in row {row}"
    return f"in none of the {rows} row{'' if rows == 1 else 's'} with it, nor in {TRIED} with it alone"
