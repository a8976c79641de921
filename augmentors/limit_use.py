"""Where limits are read by the model and where they are enforced."""

from collections.abc import Iterator

from augmentors.index import index
from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Expression, LimitValue
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Interpolation, Reference, Template
from harness_dsl.ir.walk import items, parts, subexpressions

ENFORCED = frozenset(
    f"limit/{name}"
    for name in ("turns", "tool_calls", "reply_chars", "think_tokens", "reply_tokens", "wall_ms")
)
"""Limits that the runtime keeps by itself."""


def shown_limits(core: Core, surface: Surface) -> frozenset[SemanticId]:
    """Limits that some chosen wording prints."""
    texts = index(core).texts
    limits = frozenset(limit.id for limit in core.limits)
    return limits & frozenset(
        id_ for text in texts.values() for id_ in _printed(surface.wordings.get(text.id, text.canonical))
    )


def checked_limits(core: Core) -> frozenset[SemanticId]:
    """Limits in the predicate of a rule or step, in the condition of a hook, or enforced by the runtime."""
    expressions = [item.check for item in items(core) if item.check is not None]
    expressions.extend(hook.condition for hook in core.hooks)
    used = frozenset(id_ for expression in expressions for id_ in _limits_in(expression))
    return used | (ENFORCED & frozenset(limit.id for limit in core.limits))


def _printed(template: Template) -> Iterator[SemanticId]:
    for part in parts(template):
        if isinstance(part, Reference):
            yield part.target
        elif isinstance(part, Interpolation):
            yield from _limits_in(part.value)


def _limits_in(expression: Expression) -> Iterator[SemanticId]:
    return (inner.limit for inner in subexpressions(expression) if isinstance(inner, LimitValue))
