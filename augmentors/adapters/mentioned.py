"""What a harness speaks of by id: in its prose, in declared names, and in the history of its ids."""

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.texts import Reference
from harness_dsl.ir.walk import parts, texts


@remembered
def mentioned(core: Core) -> frozenset[SemanticId]:
    """The symbols that a text refers to in some wording, that have declared names, or that were moved."""
    referred = {
        part.target
        for text in texts(core)
        for wording in (text.canonical, *text.alternatives)
        for part in parts(wording)
        if isinstance(part, Reference)
    }
    return frozenset(referred | {id_ for id_, _ in core.declared_names} | {moved.new for moved in core.moved})
