"""What a refactoring is: another shape of one harness, with calls led from one to the other and back."""

from abc import ABC, abstractmethod
from typing import ClassVar

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, Prose


class AdapterError(Exception):
    """A call has no counterpart in the other shape; the message says which and why."""


class Reshaping(Node, ABC):
    """One refactoring, as data. All methods are pure, and `core` is the one before it."""

    kind: str
    one_to_many: ClassVar[bool] = False
    """Whether a call must be looked into to tell what tool of the new shape it is of."""

    @abstractmethod
    def problem(self, core: Core, surface: Surface) -> str | None:
        """Why it cannot be applied to `core`, whose default Surface is `surface`, as one phrase; None: it
        can.
        """

    @abstractmethod
    def applied(self, core: Core) -> Core:
        """`core` in the new shape. Only where `problem` finds none."""

    @abstractmethod
    def shown(self, core: Core, surface: Surface) -> Surface:
        """`surface`, which shows `core`, as one that shows `applied(core)`."""

    @abstractmethod
    def inverse(self, core: Core) -> "Reshaping | None":
        """What leads from `applied(core)` to `core`; None: nothing does, since another harness is meant."""

    @property
    @abstractmethod
    def symbols(self) -> tuple[SemanticId, ...]:
        """The ids in the Core before it that it is about, sorted."""

    @abstractmethod
    def spelled(self) -> str:
        """In a few words what it does, by declared identifiers."""

    def call(self, call: Call) -> Call:
        """`call` in the new shape. Raises `AdapterError`."""
        return call

    def call_back(self, call: Call) -> Call:
        """The call before, of a call in the new shape. Raises `AdapterError`."""
        return call

    def tools(self, tool: SemanticId) -> tuple[SemanticId, ...]:
        """The tools of the new shape that do what `tool` does."""
        return (tool,)

    def prose(self, prose: Prose) -> Prose:
        """Free text in the new shape: its mentions are of the symbols there. One that has no counterpart is
        kept as words.
        """
        return prose

    def prose_back(self, prose: Prose) -> Prose:
        """The inverse of `prose`."""
        return prose
