"""What a Core asks for: skills, prompt, hooks and tests over what is declared."""

from decimal import Decimal
from typing import Literal

from harness_dsl.ir.core import (
    CatalogContent,
    Constraint,
    Content,
    Core,
    Expectation,
    ExpectCall,
    ExpectFact,
    ExpectPredicate,
    ExpectSkill,
    Given,
    Hook,
    HookAction,
    HookEvent,
    Item,
    ListContent,
    Prompt,
    ProseContent,
    PythonImplementation,
    Section,
    Skill,
    TestCase,
    Tool,
)
from harness_dsl.ir.expressions import Constant, Expression
from harness_dsl.ir.ids import SemanticId, join, leaf
from tests.strategies import names
from tests.strategies.choices import Choices
from tests.strategies.declarations import PROMPT, by_id
from tests.strategies.predicates import calls, replies
from tests.strategies.texts import Scope, texts
from tests.strategies.types import join_under, value

EVENTS: dict[HookAction, tuple[HookEvent, ...]] = {
    "deny": ("before_call", "before_reply"),
    "retry": ("before_reply",),
    "replace": ("before_reply",),
    "inject": ("before_turn", "after_call"),
    "require": ("before_reply",),
    "log": ("before_turn", "before_call", "after_call", "before_reply"),
}


def skills(c: Choices, tools: tuple[Tool, ...]) -> tuple[Skill, ...]:
    """Skills without prose yet; at least one of them replies, if there is any."""
    found = []
    for index, name in enumerate(c.some(names.SKILLS, 0, 3)):
        id_ = join("skill", name)
        role: Literal["reply", "strategy"] = "strategy" if index and c.flip() else "reply"
        found.append(
            Skill(
                id=id_,
                role=role,
                when=texts(c, f"{id_}/when", Scope(), varied=False),
                uses=tuple(sorted(c.some([tool.id for tool in tools], 0, 2))),
                ordered=c.flip(),
                fixed=c.rarely(),
            )
        )
    return by_id(found)


def worded(c: Choices, skill: Skill, scope: Scope, core: Core) -> Skill:
    """`skill` with its prose and its steps."""
    steps = items(c, f"{skill.id}/step", skill.ordered, scope, core)
    return skill.model_copy(update={"when": texts(c, f"{skill.id}/when", scope), "items": steps})


def items(c: Choices, owner: SemanticId, ordered: bool, scope: Scope, core: Core) -> tuple[Item, ...]:
    """One to three steps or rules: numbered if `ordered`, else labelled."""
    labels = c.some(names.LABELS, 1, 3)
    if ordered:
        labels = [str(position) for position in range(1, len(labels) + 1)]
    ids = [join_under(owner, label) for label in labels]
    found = [
        Item(id=id_, text=texts(c, id_, scope), check=replies(c, core) if c.flip() else None) for id_ in ids
    ]
    return tuple(found) if ordered else by_id(found)


def prompts(c: Choices, core: Core, scope: Scope) -> Prompt:
    """The catalogs and up to three other sections, and constraints that one order, drawn first, satisfies."""
    kinds: list[Literal["tools", "skills"]] = ["tools", "skills"] if core.skills else ["tools"]
    contents: list[Content] = [CatalogContent(of=of) for of in kinds]
    shown = []
    for name in c.some(names.SECTIONS, len(contents), len(contents) + 3):
        id_ = join_under(PROMPT, "section", name)
        if contents:
            content = contents.pop()
        elif c.flip():
            ordered = c.flip()
            content = ListContent(ordered=ordered, items=items(c, id_, ordered, scope, core))
        else:
            content = ProseContent(text=texts(c, id_, scope))
        shown.append(Section(id=id_, content=content, fixed=c.rarely()))
    order = constraints(c, c.shuffled([section.id for section in shown]))
    return Prompt(id=PROMPT, sections=by_id(shown), order=order)


def constraints(c: Choices, shown: list[SemanticId]) -> tuple[Constraint, ...]:
    """Constraints that hold for `shown`, sorted."""
    found = []
    if len(shown) > 1 and c.flip():
        at = c.between(0, len(shown) - 2)
        found.append(
            Constraint(relation="before", section=shown[at], other=shown[c.between(at + 1, len(shown) - 1)])
        )
    if c.flip():
        found.append(Constraint(relation="first", section=shown[0]))
    if len(shown) > 1 and c.flip():
        found.append(Constraint(relation="last", section=shown[-1]))
    return tuple(found)


def hooks(c: Choices, core: Core, scope: Scope) -> tuple[Hook, ...]:
    """Up to three hooks, in an order that means something. `scope` may hold untrusted values."""
    targets = [tool.id for tool in core.tools] + [skill.id for skill in core.skills]
    found = []
    for name in c.some(names.HOOKS, 0, 3):
        id_ = join("hook", name)
        action: HookAction = c.pick(("deny", "retry", "replace", "inject", "require", "log"))
        event = c.pick(EVENTS[action])
        found.append(
            Hook(
                id=id_,
                event=event,
                condition=_condition(c, event, core, scope),
                action=action,
                message=None if action == "log" else texts(c, f"{id_}/message", scope),
                target=c.pick(targets) if action == "require" else None,
                max=c.between(1, 2),
                fail=c.pick(("open", "closed")),
                implementations=(PythonImplementation(target="shop.hooks:same"),) if c.flip() else (),
                fixed=c.rarely(),
            )
        )
    return tuple(found)


def _condition(c: Choices, event: HookEvent, core: Core, scope: Scope) -> Expression:
    if event == "before_reply":
        return replies(c, core)
    if event != "before_turn":
        return calls(c, core.tools)
    return c.pick(scope.conditions) if scope.conditions else Constant(value=True)


def tests(c: Choices, core: Core) -> tuple[TestCase, ...]:
    found = []
    for name in c.some(("price", "hello", "空"), 0, 2):
        given = tuple(
            Given(input=input_.id, value=value(c, input_.type, core)) for input_ in core.inputs if c.flip()
        )
        expect = tuple(_expectation(c, core) for _ in range(c.between(1, 2)))
        found.append(
            TestCase(id=join("test", name), title=name, given=given, user=("3号链接多少钱？",), expect=expect)
        )
    return by_id(found)


def _expectation(c: Choices, core: Core) -> Expectation:
    match c.pick(("call", "fact", "predicate", "skill")):
        case "skill" if core.skills:
            return ExpectSkill(skill=c.pick(core.skills).id, negated=c.flip())
        case "call":
            tool = c.pick(core.tools)
            params = c.some(tool.params, 0, 2)
            arguments = tuple((leaf(param.id), value(c, param.type, core)) for param in by_id(params))
            return ExpectCall(tool=tool.id, arguments=arguments, negated=c.flip())
        case "fact":
            return ExpectFact(
                fact="price", value=c.pick((Decimal(89), Decimal("89.5"))), unit=c.pick((None, "CNY"))
            )
        case _:
            return ExpectPredicate(predicate=replies(c, core))
