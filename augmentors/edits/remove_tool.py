"""A tool is no longer there, nor anything that the harness says about it.

Predicates lose their calls of it: a rule that prices come from its results says then that no price is stated.
"""

from collections.abc import Iterator
from typing import Literal

from augmentors.edits.edit import Edit, without
from augmentors.edits.folding import FALSE, TRUE, never_called, speaks_of
from augmentors.index import index
from harness_dsl.ir.core import (
    Core,
    Expectation,
    ExpectCall,
    ExpectPredicate,
    Hook,
    Item,
    ListContent,
    Section,
    Skill,
    TestCase,
)
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Reference, Text
from harness_dsl.ir.walk import items, parts, texts


class RemoveTool(Edit):
    """The tool of that id is removed."""

    kind: Literal["remove-tool"] = "remove-tool"
    tool: SemanticId

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core), None)

    def _problems(self, core: Core) -> Iterator[str]:
        tool = next((tool for tool in core.tools if tool.id == self.tool), None)
        if tool is None:
            yield f"`{self.tool}` is no tool"
            return
        if tool.fixed or any(param.fixed for param in tool.params):
            yield f"`{self.tool}` is fixed"
        if leaf(self.tool) in index(core).mentions:
            yield f"a text writes out `{leaf(self.tool)}`"
        yield from self._texts(core)
        for hook in core.hooks:
            if hook.target == self.tool:
                yield f"`{hook.id}` requires it"
            elif (condition := never_called(hook.condition, self.tool)) != FALSE and (
                speaks_of(condition, self.tool) or (hook.fixed and condition != hook.condition)
            ):
                yield f"`{hook.id}` cannot do without it"
        for item in items(core):
            if item.check is not None and speaks_of(never_called(item.check, self.tool), self.tool):
                yield f"`{item.id}` cannot be checked without it"

    def _texts(self, core: Core) -> Iterator[str]:
        """What would speak of a tool that is not there, or would be lost with it."""
        own = {text.id for text in texts(core) if text.id.startswith(f"{self.tool}/")}
        dropped = {text.id for text in self._dropped_texts(core)}
        for text in texts(core):
            if text.id not in own | dropped and self._is_about(text):
                yield f"`{text.id}` speaks of it"
            elif text.id in dropped and text.fixed:
                yield f"`{text.id}` is fixed"

    def _dropped_texts(self, core: Core) -> Iterator[Text]:
        for hook in core.hooks:
            if hook.message is not None and never_called(hook.condition, self.tool) == FALSE:
                yield hook.message
        for skill in core.skills:
            if not skill.ordered and not skill.fixed:
                yield from (item.text for item in skill.items if self._falls(item, skill.items))
        for section in core.prompt.sections:
            rules = section.content
            if isinstance(rules, ListContent) and not rules.ordered and not section.fixed:
                yield from (item.text for item in rules.items if self._falls(item, rules.items))

    def _falls(self, item: Item, beside: tuple[Item, ...]) -> bool:
        """Whether `item` says nothing without the tool: its prose speaks of no other tool, and no predicate
        is lost. One item at least is left.
        """
        if not self._is_about(item.text) or not any(not self._is_about(other.text) for other in beside):
            return False
        others = {
            part.target.split("/")[1]
            for wording in (item.text.canonical, *item.text.alternatives)
            for part in parts(wording)
            if isinstance(part, Reference) and part.target.startswith("tool/")
        } - {self.tool.split("/")[1]}
        return not others and (item.check is None or never_called(item.check, self.tool) == TRUE)

    def _is_about(self, text: Text) -> bool:
        return any(
            isinstance(part, Reference) and self._is_own(part.target)
            for wording in (text.canonical, *text.alternatives)
            for part in parts(wording)
        )

    def applied(self, core: Core) -> Core:
        return core.model_copy(
            update={
                "tools": tuple(tool for tool in core.tools if tool.id != self.tool),
                "skills": tuple(map(self._skill, core.skills)),
                "hooks": tuple(hook for old in core.hooks if (hook := self._hook(old)) is not None),
                "prompt": core.prompt.model_copy(
                    update={"sections": tuple(map(self._section, core.prompt.sections))}
                ),
                "tests": tuple(test for old in core.tests if (test := self._test(old)) is not None),
                "moved": tuple(one for one in core.moved if not self._is_own(one.new)),
                "declared_names": tuple(one for one in core.declared_names if not self._is_own(one[0])),
            }
        )

    def shown(self, core: Core, surface: Surface) -> Surface:
        dropped = {text.id for text in self._dropped_texts(core)}
        hooks = {hook.id for hook in core.hooks if self._hook(hook) is None}
        return without(surface, frozenset({self.tool, *dropped, *hooks}))

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return (self.tool,)

    def spelled(self) -> str:
        return f"{leaf(self.tool)} removed"

    def _is_own(self, id_: SemanticId) -> bool:
        return id_ == self.tool or id_.startswith(f"{self.tool}/")

    def _skill(self, skill: Skill) -> Skill:
        kept = skill.items if skill.ordered or skill.fixed else self._kept(skill.items)
        uses = tuple(tool for tool in skill.uses if tool != self.tool)
        return skill.model_copy(update={"uses": uses, "items": tuple(map(self._item, kept))})

    def _section(self, section: Section) -> Section:
        rules = section.content
        if not isinstance(rules, ListContent):
            return section
        kept = rules.items if rules.ordered or section.fixed else self._kept(rules.items)
        content = rules.model_copy(update={"items": tuple(map(self._item, kept))})
        return section.model_copy(update={"content": content})

    def _kept(self, beside: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(item for item in beside if not self._falls(item, beside))

    def _item(self, item: Item) -> Item:
        if item.check is None or not speaks_of(item.check, self.tool):
            return item
        check = never_called(item.check, self.tool)
        return item.model_copy(update={"check": None if check == TRUE else check})

    def _hook(self, hook: Hook) -> Hook | None:
        """`hook` without the tool; None: it would never act."""
        condition = never_called(hook.condition, self.tool)
        if condition == FALSE and hook.condition != FALSE:
            return None
        return hook if condition == hook.condition else hook.model_copy(update={"condition": condition})

    def _test(self, test: TestCase) -> TestCase | None:
        """`test` without the tool; None: it needs the tool."""
        kept: list[Expectation] = []
        for expected in test.expect:
            if isinstance(expected, ExpectCall) and expected.tool == self.tool:
                if not expected.negated:
                    return None
            elif isinstance(expected, ExpectPredicate) and speaks_of(expected.predicate, self.tool):
                return None
            else:
                kept.append(expected)
        return test.model_copy(update={"expect": tuple(kept)}) if kept else None
