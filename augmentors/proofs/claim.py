"""What is to be proved: a certificate beside the Core and the default Surface that it speaks of."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from augmentors.adapters.refactorings import Shape, shape
from augmentors.certificates import Certificate
from augmentors.footprint import Footprint
from augmentors.index import Index, index
from augmentors.limit_values import with_limits
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface

Proof = Literal[1, 2, 3, 4, 5]


@dataclass(frozen=True)
class Finding:
    """Proof number `proof` fails, because of `message`."""

    proof: Proof
    message: str

    def __str__(self) -> str:
        return f"proof {self.proof}: {self.message}"


@dataclass(frozen=True)
class Claim:
    """`base` and `baseline` are those given by who checks, in the shape that the certificate's refactorings
    give them; everything else is the certificate's word.
    """

    base: Core
    baseline: Surface
    certificate: Certificate
    shape: Shape

    @classmethod
    def of(cls, core: Core, baseline: Surface, certificate: Certificate) -> "Claim":
        """The claim of `certificate` about `core`. Raises `RefactoringError`."""
        given = shape(core, baseline, certificate.refactorings)
        return cls(given.core, given.surface, certificate, given)

    @cached_property
    def surface(self) -> Surface:
        """The Surface that is claimed to show the same."""
        return self.certificate.surface

    @cached_property
    def core(self) -> Core:
        """The Core of the variant: `base` with the limits of the certificate."""
        return with_limits(self.base, self.certificate.limits)

    @property
    def is_edited(self) -> bool:
        """Whether another harness is meant than the one that was varied."""
        return len(self.shape.refactorings) > len(self.shape.adapter.steps)

    @cached_property
    def plan(self) -> FaultPlan:
        """What calls of the row's conversation meet."""
        return FaultPlan(faults=self.certificate.faults)

    @cached_property
    def known(self) -> Index:
        """The index of `base`; limits have no part in it."""
        return index(self.base)

    @cached_property
    def footprint(self) -> Footprint:
        """What the task of the row needs; everything if the row does not say."""
        needed = self.certificate.footprint
        return Footprint.everything(self.base) if needed is None else self.shape.adapter.footprint(needed)

    def name(self, id_: SemanticId) -> str:
        """The name under which the variant shows `id_`."""
        return self.surface.names.get(id_) or leaf(id_)

    def old_name(self, id_: SemanticId) -> str:
        """The name under which the default Surface shows `id_`."""
        return self.baseline.names.get(id_) or leaf(id_)

    @cached_property
    def renamed(self) -> dict[SemanticId, tuple[str, str]]:
        """The symbols that are not shown under their old name: old and new one."""
        now, before, found = self.surface.names, self.baseline.names, {}
        for id_ in self.known.space_of.keys() & (now.keys() | before.keys()):
            old, new = before.get(id_) or leaf(id_), now.get(id_) or leaf(id_)
            if old != new:
                found[id_] = (old, new)
        return found

    @cached_property
    def all_names(self) -> dict[SemanticId, str]:
        """Every symbol with its name."""
        given = self.surface.names.get
        return {id_: given(id_) or leaf(id_) for id_ in self.known.space_of}
