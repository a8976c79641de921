"""Which implementations the contract suite vouches for: what policies may draw, and what rows may claim."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from augmentors.policy import Policy, PolicyError
from harness_dsl.diagnostics import render
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.opening import HarnessFileError, open_harness
from runtime.contracts.diagnosing import diagnostic, words
from runtime.contracts.plan import Plan, Verdict
from runtime.contracts.running import ContractError, verdicts

if TYPE_CHECKING:
    from augmentors.dataset import Row
    from augmentors.verifying import Proof, Proved

OPERATOR = "hooks"


def tested_policy(policy: Policy, harness: str, say: Callable[[str], None]) -> Policy:
    """`policy`, its operator `hooks` drawing what the contract suite of the file `harness` vouches for; `say`
    is told what it does not. A policy without that operator stays as it is, and nothing runs.

    Raises `PolicyError`.
    """
    if not any(choice.operator == OPERATOR and choice.probability > 0 for choice in policy.operators):
        return policy
    try:
        opened = open_harness(harness)
        found = list(verdicts(Plan(opened.path), opened.core, opened.surface))
    except (ContractError, HarnessFileError) as error:
        raise PolicyError(f"`{OPERATOR}` needs the contract suite, which cannot be run: {error}") from None
    parted = [verdict for verdict in found if not verdict.agrees]
    if parted:
        say(render.text([diagnostic(verdict, opened) for verdict in parted], opened.files))
    return policy.with_parameters(OPERATOR, {"tested": agreed(found)})


def agreed(found: list[Verdict]) -> dict[SemanticId, tuple[int, ...]]:
    """By hook, the implementations that agree."""
    tested: dict[SemanticId, tuple[int, ...]] = {}
    for verdict in found:
        if verdict.agrees:
            tested[verdict.hook] = (*tested.get(verdict.hook, ()), verdict.number)
    return tested


@dataclass(frozen=True)
class ContractProof:
    """A further proof about rows in which a hook runs another implementation: the suite is run again, once in
    each process that meets such a row. Then `then` is asked, if there is any.
    """

    harness: str
    core: Core
    surface: Surface
    then: "Proof | None" = None

    def __call__(self, row: "Row") -> "Proved":
        """What the contract suite, or `then`, finds wrong with `row`."""
        from augmentors.verifying import Proved

        faults = tuple(self._unvouched(row.certificate.surface.implementations))
        if faults or self.then is None:
            return Proved(faults)
        return self.then(row)

    def _unvouched(self, chosen: Mapping[SemanticId, int]) -> list[str]:
        now = {id_: number for id_, number in chosen.items() if number != self._usual(id_)}
        return [fault for id_, number in now.items() if number and (fault := self._fault(id_, number))]

    def _usual(self, hook: SemanticId) -> int:
        return self.surface.implementations.get(hook, 0)

    def _fault(self, hook: SemanticId, number: int) -> str:
        try:
            verdict = self._verdicts[hook, number]
        except ContractError as error:
            return f"proof 2: `{hook}` runs another implementation, which cannot be tested: {error}"
        except KeyError:
            return f"proof 2: `{hook}` has no implementation {number}"
        return "" if verdict.agrees else f"proof 2: `{leaf(hook)}`: {words(verdict)}"

    @cached_property
    def _verdicts(self) -> dict[tuple[SemanticId, int], Verdict]:
        found = verdicts(Plan(self.harness), self.core, self.surface)
        return {(verdict.hook, verdict.number): verdict for verdict in found}
