"""Which rules hold for a turn, and which of them it breaks."""

from collections.abc import Iterator, Set

from harness_dsl.ir.core import Core, Item, ListContent
from harness_dsl.ir.evaluate import evaluate, truth
from harness_dsl.ir.facts import Facts
from harness_dsl.ir.ids import SemanticId


def rules(core: Core, loaded: Set[SemanticId]) -> Iterator[Item]:
    """The rules of the prompt, and the steps of the skills in `loaded`."""
    for section in core.prompt.sections:
        if isinstance(section.content, ListContent):
            yield from section.content.items
    for skill in core.skills:
        if skill.id in loaded:
            yield from skill.items


def broken(core: Core, facts: Facts) -> list[SemanticId]:
    """The rules with a predicate that does not hold for `facts`, of the prompt and of the skills loaded."""
    return [
        rule.id
        for rule in rules(core, facts.loaded)
        if rule.check is not None and not truth(evaluate(rule.check, facts))
    ]
