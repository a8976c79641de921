"""Which ids two Surfaces show differently: what a coverage report counts."""

from collections.abc import Mapping
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, foreign
from harness_dsl.ir.surface import Surface


def changed(core: Core, before: Surface, after: Surface) -> tuple[SemanticId, ...]:
    """What `changes` gives, sorted."""
    return tuple(sorted(changes(core, before, after)))


def changes(core: Core, before: Surface, after: Surface) -> set[SemanticId]:
    """Symbols, texts and lists shown differently.

    A new markup or call syntax counts for the prompt, a new documentation form for every tool.
    """
    found = {
        *differing(before.names, after.names),
        *differing(before.wordings, after.wordings),
        *differing(before.orders, after.orders),
        *differing(before.implementations, after.implementations),
        *differing(before.feedback, after.feedback),
        *differing(before.layouts, after.layouts),
        *(set(before.unsaid) ^ set(after.unsaid)),
        *(set(before.hidden) ^ set(after.hidden)),
    }
    names = {tool.name for tool in before.distractors} ^ {tool.name for tool in after.distractors}
    found.update(foreign(name) for name in names)
    if (before.markup, before.call_syntax) != (after.markup, after.call_syntax):
        found.add(core.prompt.id)
    if before.tool_docs != after.tool_docs:
        found.update(tool.id for tool in core.tools)
    return found


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """The keys under which the two have not the same."""
    if before is after:
        return set()
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
