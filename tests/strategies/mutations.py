"""Changes of meaning: each gives a valid Core that means something else, and says what was changed."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hypothesis import strategies as st

from harness_dsl.ir.core import Core, Hook, Limit, ListContent, ProseContent, Section, Skill, Tool
from harness_dsl.ir.expressions import Constant, Expression, Not
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.types import EnumType, IntType, StringType
from tests.strategies.choices import Choices


class Mutation(NamedTuple):
    """`label` says what was changed, `id` where."""

    core: Core
    label: str
    id: SemanticId


@st.composite
def semantic_mutations(draw: st.DrawFn, core: Core) -> Mutation:
    """A Core that means something else than `core`, and the label of the change."""
    kinds: dict[str, list[Mutation]] = {}
    for mutation in all_mutations(core):
        kinds.setdefault(mutation.label, []).append(mutation)
    c = Choices(draw)
    return c.pick(kinds[c.pick(sorted(kinds))])


def all_mutations(core: Core) -> Iterator[Mutation]:
    """Every mutation that applies to `core`. Each touches one thing."""
    for change in (
        _of_tools,
        _of_params,
        _of_skills,
        _of_hooks,
        _of_sections,
        _of_limits,
        _of_types,
        _of_inputs,
    ):
        yield from change(core)


Rewrite = Callable[[Any], Node]


def _replaced(nodes: tuple[Any, ...], old: Node, new: Node) -> tuple[Any, ...]:
    return tuple(new if node is old else node for node in nodes)


def _with(core: Core, field: str, old: Node, **update: Any) -> Core:
    new = old.model_copy(update=update)
    return core.model_copy(update={field: _replaced(getattr(core, field), old, new)})


def reworded(text: Text) -> Text:
    """`text` with one more sentence, and its declared alternatives likewise."""
    more = Literally(text=" 另外，要快。")
    return text.model_copy(
        update={
            "canonical": (*text.canonical, more),
            "alternatives": tuple((*wording, more) for wording in text.alternatives),
        }
    )


def _of_tools(core: Core) -> Iterator[Mutation]:
    effects = {"read": "write", "write": "irreversible", "irreversible": "read"}
    for tool in core.tools:
        yield Mutation(_tool(core, tool, effect=effects[tool.effect]), "effect of a tool", tool.id)
        yield Mutation(_tool(core, tool, idempotent=not tool.idempotent), "idempotence of a tool", tool.id)
        yield Mutation(
            _tool(core, tool, timeout_ms=(tool.timeout_ms or 0) + 100), "timeout of a tool", tool.id
        )
        yield Mutation(_tool(core, tool, fails=(*tool.fails, "zz_new")), "failure of a tool", tool.id)
        yield Mutation(_tool(core, tool, fixed=not tool.fixed), "fixed surface of a tool", tool.id)
        text = reworded(tool.description)
        yield Mutation(_tool(core, tool, description=text), "description of a tool", text.id)


def _tool(core: Core, tool: Tool, **update: Any) -> Core:
    return _with(core, "tools", tool, **update)


def _of_params(core: Core) -> Iterator[Mutation]:
    for tool in core.tools:
        for param in tool.params:
            if not param.has_default:
                changed = param.model_copy(update={"optional": not param.optional})
                params = _replaced(tool.params, param, changed)
                yield Mutation(_tool(core, tool, params=params), "optional parameter", param.id)
            if isinstance(param.type, IntType) and not param.has_default and not core.tests:
                changed = param.model_copy(update={"type": StringType()})
                params = _replaced(tool.params, param, changed)
                yield Mutation(_tool(core, tool, params=params), "type of a parameter", param.id)
            if isinstance(param.type, EnumType) and len(param.type.members) > 1:
                turned = EnumType(members=param.type.members[::-1])
                params = _replaced(tool.params, param, param.model_copy(update={"type": turned}))
                yield Mutation(_tool(core, tool, params=params), "order of enum values", param.id)


def _of_skills(core: Core) -> Iterator[Mutation]:
    for skill in core.skills:
        role = "strategy" if skill.role == "reply" else "reply"
        yield Mutation(_skill(core, skill, role=role), "role of a skill", skill.id)
        uses = tuple(sorted(set(skill.uses) ^ {core.tools[0].id}))
        yield Mutation(_skill(core, skill, uses=uses), "tools of a skill", skill.id)
        yield Mutation(_skill(core, skill, when=reworded(skill.when)), "occasion of a skill", skill.when.id)
        first, *others = skill.items
        changed = first.model_copy(update={"text": reworded(first.text)})
        yield Mutation(_skill(core, skill, items=(changed, *others)), "text of a step", first.id)
        changed = first.model_copy(update={"check": inverted(first.check)})
        yield Mutation(_skill(core, skill, items=(changed, *others)), "check of a step", first.id)


def _skill(core: Core, skill: Skill, **update: Any) -> Core:
    return _with(core, "skills", skill, **update)


def inverted(check: Expression | None) -> Expression:
    """Another predicate than `check`."""
    return Not(operand=Constant(value=False) if check is None else check)


def _of_hooks(core: Core) -> Iterator[Mutation]:
    for hook in core.hooks:
        yield Mutation(_hook(core, hook, condition=inverted(hook.condition)), "condition of a hook", hook.id)
        yield Mutation(_hook(core, hook, max=hook.max + 1), "retries of a hook", hook.id)
        fail = "open" if hook.fail == "closed" else "closed"
        yield Mutation(_hook(core, hook, fail=fail), "failure mode of a hook", hook.id)
        if hook.message is not None:
            yield Mutation(
                _hook(core, hook, message=reworded(hook.message)), "message of a hook", hook.message.id
            )
        rest = tuple(other for other in core.hooks if other is not hook)
        yield Mutation(core.model_copy(update={"hooks": rest}), "hook removed", hook.id)
    if len(core.hooks) > 1:
        yield Mutation(core.model_copy(update={"hooks": core.hooks[::-1]}), "order of hooks", "hook")


def _hook(core: Core, hook: Hook, **update: Any) -> Core:
    return _with(core, "hooks", hook, **update)


def _of_sections(core: Core) -> Iterator[Mutation]:
    for section in core.prompt.sections:
        yield Mutation(
            _section(core, section, fixed=not section.fixed), "fixed surface of a section", section.id
        )
        content = section.content
        if isinstance(content, ProseContent):
            changed = content.model_copy(update={"text": reworded(content.text)})
            yield Mutation(_section(core, section, content=changed), "text of a section", section.id)
        if not isinstance(content, ListContent):
            continue
        first, *others = content.items
        checked = first.model_copy(update={"check": inverted(first.check)})
        changed_list = content.model_copy(update={"items": (checked, *others)})
        yield Mutation(_section(core, section, content=changed_list), "check of a rule", first.id)
        if others:
            shorter = content.model_copy(update={"items": content.items[:-1]})
            yield Mutation(_section(core, section, content=shorter), "rule removed", content.items[-1].id)
    if core.prompt.order:
        prompt = core.prompt.model_copy(update={"order": core.prompt.order[1:]})
        yield Mutation(core.model_copy(update={"prompt": prompt}), "order of sections freed", core.prompt.id)


def _section(core: Core, section: Section, **update: Any) -> Core:
    sections = _replaced(core.prompt.sections, section, section.model_copy(update=update))
    return core.model_copy(update={"prompt": core.prompt.model_copy(update={"sections": sections})})


def _of_limits(core: Core) -> Iterator[Mutation]:
    for limit in core.limits:
        yield Mutation(_with(core, "limits", limit, value=_moved(limit)), "value of a limit", limit.id)
        if limit.legal is not None:
            yield Mutation(_with(core, "limits", limit, legal=None), "legal range of a limit", limit.id)


def _moved(limit: Limit) -> Any:
    """Another legal value."""
    match limit.legal:
        case None:
            return limit.value + "！" if isinstance(limit.value, str) else limit.value + 1
        case legal if legal.kind == "choice":
            return next(word for word in legal.values if word != limit.value)
        case legal:
            ends = (type(limit.value)(legal.min), type(limit.value)(legal.max))
            return next(end for end in ends if end != limit.value)


def _of_types(core: Core) -> Iterator[Mutation]:
    for decl in core.types:
        for field in decl.fields or ():
            changed = field.model_copy(update={"fixed": not field.fixed})
            fields = _replaced(decl.fields or (), field, changed)
            yield Mutation(_with(core, "types", decl, fields=fields), "fixed surface of a field", field.id)


def _of_inputs(core: Core) -> Iterator[Mutation]:
    for input_ in core.inputs:
        if input_.untrusted:
            yield Mutation(_with(core, "inputs", input_, untrusted=False), "input trusted", input_.id)
