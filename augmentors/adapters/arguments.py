"""What a harness says of the arguments of one tool, and whether it can be said in another shape."""

from collections.abc import Iterator

from harness_dsl.ir.core import Core, ExpectCall, Hook
from harness_dsl.ir.expressions import Argument, Binary, Calling, Expression
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.walk import subexpressions


def asked_arguments(hook: Hook) -> frozenset[str]:
    """The arguments that the condition of `hook` looks at."""
    return frozenset(part.name for part in subexpressions(hook.condition) if isinstance(part, Argument))


def hooks_about(core: Core, tool: SemanticId) -> Iterator[Hook]:
    """The hooks whose arguments may be those of a call of `tool`: all but those about other tools alone."""
    for hook in core.hooks:
        only = {part.tool for part in conjuncts(hook.condition) if isinstance(part, Calling)}
        if asked_arguments(hook) and (not only or tool in only):
            yield hook


def is_about(core: Core, hook: Hook, tool: SemanticId, names: frozenset[str]) -> bool:
    """Whether the arguments called `names` that `hook` looks at are those of `tool` alone: it says so, or no
    other tool has one of them.
    """
    if any(isinstance(part, Calling) and part.tool == tool for part in conjuncts(hook.condition)):
        return True
    others = (leaf(param.id) for other in core.tools if other.id != tool for param in other.params)
    return names.isdisjoint(others)


def conjuncts(expression: Expression) -> Iterator[Expression]:
    """What all must hold for `expression` to hold."""
    if isinstance(expression, Binary) and expression.operator == "and":
        yield from conjuncts(expression.left)
        yield from conjuncts(expression.right)
    else:
        yield expression


def expected_calls(core: Core, tool: SemanticId) -> Iterator[tuple[SemanticId, ExpectCall]]:
    """The expected calls of `tool`, with the tests that expect them."""
    for test in core.tests:
        for expected in test.expect:
            if isinstance(expected, ExpectCall) and expected.tool == tool:
                yield test.id, expected
