"""One more rule of the bank in a list of rules."""

from collections.abc import Iterator
from typing import Literal

from augmentors.edits.edit import Edit
from augmentors.edits.rule_bank import RULES
from augmentors.index import literals
from harness_dsl.ir.core import Choice, Core, Item, ListContent, Section
from harness_dsl.ir.evaluate import Facts, evaluate, truth
from harness_dsl.ir.expressions import Affix, Constant, Expression
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.walk import items, subexpressions


class AddRule(Edit):
    """section  an unordered list of rules in the prompt
    rule     the name of the rule in the bank
    """

    kind: Literal["add-rule"] = "add-rule"
    section: SemanticId
    rule: str

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core), None)

    def _problems(self, core: Core) -> Iterator[str]:
        section = next((one for one in core.prompt.sections if one.id == self.section), None)
        rules = section.content if section is not None else None
        if section is None or not isinstance(rules, ListContent) or rules.ordered or not rules.items:
            yield f"`{self.section}` is no unordered list of rules"
            return
        if self.rule not in RULES:
            yield f"the bank has no rule `{self.rule}`"
            return
        if section.fixed:
            yield f"`{self.section}` is fixed"
        if any(item.id == self._id for item in rules.items):
            yield f"`{self._id}` is there already"
        check = RULES[self.rule].check
        for item in items(core):
            for other in subexpressions(item.check) if item.check is not None else ():
                if isinstance(other, Affix) and other.where == "end" and _asks_for_an_end(check):
                    yield f"`{item.id}` says already how a reply ends"
        if not _asks_for_an_end(check):
            yield from (f"other rules ask for `{word}`" for word in _words(core) if not _keeps(check, word))

    @property
    def _id(self) -> SemanticId:
        return f"{self.section}/{self.rule}"

    def applied(self, core: Core) -> Core:
        sections = tuple(map(self._section, core.prompt.sections))
        return core.model_copy(update={"prompt": core.prompt.model_copy(update={"sections": sections})})

    def _section(self, section: Section) -> Section:
        rules = section.content
        if section.id != self.section or not isinstance(rules, ListContent):
            return section
        banked = RULES[self.rule]
        own, other = (banked.zh, banked.en) if _is_chinese(rules) else (banked.en, banked.zh)
        text = Text(id=self._id, canonical=(Literally(text=own),), alternatives=((Literally(text=other),),))
        added = Item(id=self._id, text=text, check=banked.check)
        listed = tuple(sorted((*rules.items, added), key=lambda item: item.id))
        return section.model_copy(update={"content": rules.model_copy(update={"items": listed})})

    def shown(self, core: Core, surface: Surface) -> Surface:
        order = surface.orders.get(self.section)
        if order is None:
            return surface
        return surface.model_copy(update={"orders": {**surface.orders, self.section: (*order, self._id)}})

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return (self.section,)

    def spelled(self) -> str:
        return f"{self.rule} added"


def _asks_for_an_end(check: Expression) -> bool:
    return any(isinstance(part, Affix) and part.where == "end" for part in subexpressions(check))


def _keeps(check: Expression, reply: str) -> bool:
    return truth(evaluate(check, Facts(reply=reply)))


def _words(core: Core) -> Iterator[str]:
    """Words that predicates of the harness look for in a reply, or may when a limit moves."""
    for item in items(core):
        for part in subexpressions(item.check) if item.check is not None else ():
            if (
                isinstance(part, Affix)
                and isinstance(part.text, Constant)
                and isinstance(part.text.value, str)
            ):
                yield part.text.value
    for limit in core.limits:
        if isinstance(limit.legal, Choice):
            yield from limit.legal.values


def _is_chinese(rules: ListContent) -> bool:
    """Whether most of the rules are written in Chinese."""
    prose = ["".join(literals(item.text.canonical)) for item in rules.items]
    return sum(any("一" <= char <= "鿿" for char in text) for text in prose) * 2 > len(prose)
