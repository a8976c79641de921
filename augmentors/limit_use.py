"""Where limits are read by the model and where they are enforced."""

from collections import Counter
from collections.abc import Iterator

from augmentors.index import index
from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Expression, LimitValue
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.remembered import remembered
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
    usual, often = _usually_printed(core)
    limits = frozenset(limit.id for limit in core.limits)
    worded = surface.wordings.keys() & index(core).texts.keys()
    if not worded:
        return limits & often.keys()
    count = Counter(often)
    for id_ in worded:
        count.subtract(usual[id_])
        count.update(_printed(surface.wordings[id_]))
    return limits & frozenset(id_ for id_, times in count.items() if times > 0)


def checked_limits(core: Core) -> frozenset[SemanticId]:
    """Limits in the predicate of a rule or step, in the condition of a hook, or enforced by the runtime."""
    return _in_predicates(core) | (ENFORCED & frozenset(limit.id for limit in core.limits))


@remembered
def _in_predicates(core: Core) -> frozenset[SemanticId]:
    expressions = [item.check for item in items(core) if item.check is not None]
    expressions.extend(hook.condition for hook in core.hooks)
    return frozenset(id_ for expression in expressions for id_ in _limits_in(expression))


@remembered
def _usually_printed(core: Core) -> tuple[dict[SemanticId, frozenset[SemanticId]], Counter[SemanticId]]:
    """By text, what its canonical wording prints; and how many texts print each."""
    usual = {id_: _printed(text.canonical) for id_, text in index(core).texts.items()}
    return usual, Counter(id_ for printed in usual.values() for id_ in printed)


_known: ByIdentity[frozenset[SemanticId]] = ByIdentity()


def _printed(template: Template) -> frozenset[SemanticId]:
    """What `template` refers to, and the limits whose values it shows."""
    return _known.get(template, lambda: frozenset(_all_printed(template)))


def _all_printed(template: Template) -> Iterator[SemanticId]:
    for part in parts(template):
        if isinstance(part, Reference):
            yield part.target
        elif isinstance(part, Interpolation):
            yield from _limits_in(part.value)


def _limits_in(expression: Expression) -> Iterator[SemanticId]:
    return (inner.limit for inner in subexpressions(expression) if isinstance(inner, LimitValue))
