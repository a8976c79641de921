"""What an augmentor is: its kind, its claim, the laws it obeys, and the one method that applies it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Literal, Union

from pydantic import BaseModel, ConfigDict

from augmentors.adapters.refactorings import Refactored
from augmentors.footprint import Footprint
from augmentors.levels import Level
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import FaultPlan
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface

Law = Literal[
    "valid",
    "core-unchanged",
    "accepted",
    "transport",
    "deterministic",
    "frozen",
    "effective",
    "legal-names",
    "adapter",
]

PROMISES: dict[Law, str] = {
    "valid": "valid in, valid out",
    "core-unchanged": "the Core, and so its digest, is the one that came in",
    "accepted": "the independent checker accepts the certificate",
    "transport": "a transcript lowered and lifted again is the same, byte for byte",
    "deterministic": "equal seeds give equal results",
    "frozen": "what is declared `fixed` is shown as before",
    "effective": "where it applies, something changes",
    "legal-names": "names fit every target after sanitising",
    "adapter": "calls come back through the adapter the same, either way; what fits one shape fits the other",
}

COMMON_LAWS: tuple[Law, ...] = (
    "valid",
    "accepted",
    "transport",
    "deterministic",
    "frozen",
    "effective",
    "legal-names",
)


class Parameters(BaseModel):
    """Strengths of one operator, as a policy writes them. Unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Operator(ABC):
    """`name` is kebab-case. `observation`: what no run can tell apart. `level`: how well that is founded.
    `refused`: by law, a result that would break it.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    level: ClassVar[Level]
    observation: ClassVar[str]
    laws: ClassVar[tuple[Law, ...]] = (*COMMON_LAWS, "core-unchanged")
    refused: ClassVar[Mapping[Law, str]]
    parameters_model: ClassVar[type[Parameters]]

    def __init__(self, parameters: Parameters | None = None) -> None:
        self.parameters = parameters or self.parameters_model()

    @cached_property
    def said(self) -> dict[str, Any]:
        """The parameters that are not the default, as JSON data."""
        return self.parameters.model_dump(mode="json", exclude_defaults=True)

    def level_of(self, core: Core, before: Surface, after: Surface) -> Level:
        """The level of the claim for this very change; `level` unless the operator says otherwise."""
        return self.level


class Preserving(_Operator):
    """Changes how a harness is shown, and nothing a run could tell apart."""

    kind: ClassVar[Literal["preserving"]] = "preserving"

    @abstractmethod
    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Where it would change something: ids of symbols, texts or lists. Empty: it does not apply."""

    @abstractmethod
    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        """A Surface that differs from `surface`, or `surface` itself where `symbols` is empty."""


class TaskRelative(_Operator):
    """Changes what stands beside the symbols of a footprint; holds for tasks that need no more than those."""

    kind: ClassVar[Literal["task-relative"]] = "task-relative"
    level: ClassVar[Level] = "task-relative"

    @abstractmethod
    def symbols(self, core: Core, surface: Surface, footprint: Footprint) -> tuple[SemanticId, ...]:
        """Where it would change something, given what the task needs."""

    @abstractmethod
    def apply(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Surface:
        """A Surface that differs from `surface`, or `surface` itself where `symbols` is empty."""


class OracleChanging(_Operator):
    """Changes what the right answer is; expectations follow, since they are computed from the Core."""

    kind: ClassVar[Literal["oracle-changing"]] = "oracle-changing"
    laws: ClassVar[tuple[Law, ...]] = COMMON_LAWS

    @abstractmethod
    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """What it could change in `core` so that the model can see it."""

    @abstractmethod
    def apply(self, core: Core, surface: Surface, rng: Random) -> Core:
        """A well-formed Core that differs from `core`, or `core` itself where `symbols` is empty."""


class Refactoring(_Operator):
    """Gives a harness another shape, and brings the adapter that leads calls from one to the other."""

    kind: ClassVar[Literal["refactoring"]] = "refactoring"
    laws: ClassVar[tuple[Law, ...]] = (*COMMON_LAWS, "adapter")

    @abstractmethod
    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """What it could give another shape, in a harness whose default Surface is `surface`."""

    @abstractmethod
    def draw(self, core: Core, surface: Surface, rng: Random) -> Refactored | None:
        """A refactoring that can be applied, as data; None where `symbols` is empty."""


class Capability(_Operator):
    """Changes what a harness can do, and so what is right; expectations are computed from the new Core."""

    kind: ClassVar[Literal["capability"]] = "capability"
    laws: ClassVar[tuple[Law, ...]] = COMMON_LAWS

    @abstractmethod
    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """What it could change in a harness whose default Surface is `surface`."""

    @abstractmethod
    def draw(self, core: Core, surface: Surface, footprint: Footprint, rng: Random) -> Refactored | None:
        """An edit that can be applied, as data; None where `symbols` is empty."""


class Environment(_Operator):
    """Changes what happens to tools while a conversation runs; the harness and the task stay as they are."""

    kind: ClassVar[Literal["environment"]] = "environment"

    @abstractmethod
    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """The tools that something could happen to."""

    @abstractmethod
    def apply(
        self, core: Core, surface: Surface, plan: FaultPlan, footprint: Footprint, rng: Random
    ) -> FaultPlan:
        """A plan that differs from `plan`, or `plan` itself where the task needs none of `symbols`."""


Operator = Union[Preserving, TaskRelative, OracleChanging, Refactoring, Capability, Environment]
