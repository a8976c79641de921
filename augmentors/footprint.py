"""Which symbols a task needs: what task-relative augmentors must neither hide nor shadow."""

from collections.abc import Iterable

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.transcript import Call, Generated, LoadSkill, Transcript


class Footprint(Node):
    """Ids of the tools and skills that a right answer to the task uses, sorted."""

    symbols: tuple[SemanticId, ...] = ()

    @classmethod
    def of(cls, symbols: Iterable[SemanticId]) -> "Footprint":
        """The footprint of these ids; a nested id (a parameter, say) stands for its tool or skill."""
        return cls(symbols=tuple(sorted({"/".join(id_.split("/")[:2]) for id_ in symbols})))

    @classmethod
    def everything(cls, core: Core) -> "Footprint":
        """What to assume of a task that is not known: it may need every tool and skill."""
        return cls.of([*(tool.id for tool in core.tools), *(skill.id for skill in core.skills)])

    @classmethod
    def used_by(cls, transcript: Transcript) -> "Footprint":
        """The tools called and the skills loaded in `transcript`."""
        events = [event for turn in transcript.events if isinstance(turn, Generated) for event in turn.events]
        return cls.of(
            [event.tool for event in events if isinstance(event, Call)]
            + [event.skill for event in events if isinstance(event, LoadSkill)]
        )
