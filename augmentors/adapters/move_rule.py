"""A rule moves between a section of the prompt and a skill; what is judged of replies stays the same.

    skill order_help: keep "Hold a piece only when asked."  ⇄  rules: keep "order_help: Hold a piece …"

The steps of a skill are judged in turns that have loaded it, the rules of the prompt in all. So a rule that
leaves its skill says which one it is about, and its predicate begins with `not loaded(skill) or`. Only where
there is a single reply skill, without which nothing is published, a rule may move as it is.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from augmentors.adapters.reshaping import Reshaping
from harness_dsl.ir.core import Core, Item, ListContent, Section, Skill
from harness_dsl.ir.expressions import Binary, Expression, Loaded, Not
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Template, Text
from harness_dsl.ir.walk import content_items


class MoveRule(Reshaping):
    """rule     id of a rule of a section, or of a step of a skill
    to       its new id, in the other kind of place
    guarded  whether it names its skill where it is a rule of the prompt
    """

    kind: Literal["move-rule"] = "move-rule"
    rule: SemanticId
    to: SemanticId
    guarded: bool = True

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core), None)

    def _problems(self, core: Core) -> Iterator[str]:
        skill, section, item = self._skill(core), self._section(core), self._item(core)
        if skill is None or section is None or item is None:
            yield f"`{self.rule}` or where it moves to is in no skill and no section of free order"
            return
        if skill.fixed or section.fixed or item.text.fixed:
            yield f"`{self.rule}` or where it is shown is fixed"
        if len(self._source(core)) < 2:
            yield f"nothing would be left where `{self.rule}` is"
        if any(one.id == self.to for one in self._target(core)):
            yield f"`{self.to}` is there already"
        if not self.guarded and sole_reply_skill(core) != skill.id:
            yield f"`{skill.id}` is not loaded in every turn that replies"
        if self.guarded and not self._leaves_the_skill and self._moved(item) is None:
            yield f"`{self.rule}` does not say that it is about `{skill.id}`"

    @property
    def _leaves_the_skill(self) -> bool:
        return self.rule.startswith("skill/")

    @property
    def _skill_id(self) -> SemanticId:
        return (self.rule if self._leaves_the_skill else self.to).split("/step/")[0]

    @property
    def _section_id(self) -> SemanticId:
        return (self.to if self._leaves_the_skill else self.rule).rsplit("/", 1)[0]

    def _skill(self, core: Core) -> Skill | None:
        found = next((skill for skill in core.skills if skill.id == self._skill_id), None)
        return None if found is None or found.ordered else found

    def _section(self, core: Core) -> Section | None:
        for section in core.prompt.sections:
            content = section.content
            if section.id == self._section_id and isinstance(content, ListContent) and not content.ordered:
                return section
        return None

    def _places(self, core: Core) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
        """The steps of the skill and the rules of the section."""
        skill, section = self._skill(core), self._section(core)
        return skill.items if skill else (), content_items(section.content) if section else ()

    def _source(self, core: Core) -> tuple[Item, ...]:
        steps, rules = self._places(core)
        return steps if self._leaves_the_skill else rules

    def _target(self, core: Core) -> tuple[Item, ...]:
        steps, rules = self._places(core)
        return rules if self._leaves_the_skill else steps

    def _item(self, core: Core) -> Item | None:
        return next((item for item in self._source(core) if item.id == self.rule), None)

    def _moved(self, item: Item) -> Item | None:
        """`item` where it moves to; None: it does not name the skill that it is about."""
        if not self.guarded:
            return self._named(item.text.canonical, item.text.alternatives, item)
        if self._leaves_the_skill:
            said = item.model_copy(update={"check": item.check and guarded(self._skill_id, item.check)})
            opening = self._opening
            others = tuple((*opening, *wording) for wording in item.text.alternatives)
            return self._named((*opening, *item.text.canonical), others, said)
        check = None if item.check is None else unguarded(self._skill_id, item.check)
        wordings = [self._without_opening(w) for w in (item.text.canonical, *item.text.alternatives)]
        if (item.check is not None and check is None) or any(wording is None for wording in wordings):
            return None
        canonical, *rest = [wording for wording in wordings if wording is not None]
        return self._named(canonical, tuple(rest), item.model_copy(update={"check": check}))

    @property
    def _opening(self) -> Template:
        return (Reference(target=self._skill_id), Literally(text=": "))

    def _without_opening(self, wording: Template) -> Template | None:
        return wording[2:] if wording[:2] == self._opening else None

    def _named(self, canonical: Template, alternatives: tuple[Template, ...], item: Item) -> Item:
        text = Text(id=self.to, canonical=canonical, alternatives=alternatives, fixed=item.text.fixed)
        return Item(id=self.to, text=text, check=item.check)

    def applied(self, core: Core) -> Core:
        item = self._item(core)
        moved = None if item is None else self._moved(item)
        assert moved is not None, "asked for after `problem`"
        steps, rules = self._places(core)

        def now(items: tuple[Item, ...], *, target: bool) -> tuple[Item, ...]:
            kept = [one for one in items if one.id != self.rule]
            return tuple(sorted([*kept, moved] if target else kept, key=lambda one: one.id))

        skills = tuple(
            skill.model_copy(update={"items": now(steps, target=not self._leaves_the_skill)})
            if skill.id == self._skill_id
            else skill
            for skill in core.skills
        )
        sections = tuple(
            self._with_rules(section, now(rules, target=self._leaves_the_skill))
            if section.id == self._section_id
            else section
            for section in core.prompt.sections
        )
        history = tuple(
            move.model_copy(update={"new": self.to}) if move.new == self.rule else move for move in core.moved
        )
        prompt = core.prompt.model_copy(update={"sections": sections})
        return core.model_copy(update={"skills": skills, "prompt": prompt, "moved": history})

    def _with_rules(self, section: Section, rules: tuple[Item, ...]) -> Section:
        return section.model_copy(update={"content": section.content.model_copy(update={"items": rules})})

    def shown(self, core: Core, surface: Surface) -> Surface:
        orders, wordings = dict(surface.orders), dict(surface.wordings)
        for key in (self._skill_id, self._section_id):
            if key in orders:
                kept = tuple(id_ for id_ in orders[key] if id_ != self.rule)
                orders[key] = kept if self.rule.startswith(f"{key}/") else (*kept, self.to)
        wordings.pop(self.rule, None)
        return surface.model_copy(update={"orders": orders, "wordings": wordings})

    def inverse(self, core: Core) -> Reshaping:
        return MoveRule(rule=self.to, to=self.rule, guarded=self.guarded)

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return (self.rule,)

    def spelled(self) -> str:
        return f"moved to {self.to}"


def guarded(skill: SemanticId, check: Expression) -> Expression:
    """That `check` holds, if `skill` has been loaded."""
    return Binary(operator="or", left=Not(operand=Loaded(skill=skill)), right=check)


def unguarded(skill: SemanticId, check: Expression) -> Expression | None:
    """What must hold if `skill` has been loaded; None: `check` is of another form."""
    if isinstance(check, Binary) and check == guarded(skill, check.right):
        return check.right
    return None


def sole_reply_skill(core: Core) -> SemanticId | None:
    """The only reply skill: without it nothing is published."""
    found = [skill.id for skill in core.skills if skill.role == "reply"]
    return found[0] if len(found) == 1 else None


def judged(core: Core) -> Counter[Expression]:
    """What must hold of every turn that replies, as far as predicates say it, each in one form."""
    sole = sole_reply_skill(core)

    def always(check: Expression) -> Expression:
        return check if sole is None or unguarded(sole, check) is not None else guarded(sole, check)

    found: Counter[Expression] = Counter()
    for section in core.prompt.sections:
        found.update(always(item.check) for item in content_items(section.content) if item.check is not None)
    for skill in core.skills:
        checks = (guarded(skill.id, item.check) for item in skill.items if item.check is not None)
        found.update(map(always, checks))
    return found
