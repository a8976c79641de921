"""Versions of one harness that differ in one or two symbols: absent, or varied in all that diff looks at."""

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from harness_dsl.ir.core import (
    Core,
    Hook,
    Input,
    Item,
    Limit,
    ListContent,
    Member,
    Param,
    Prompt,
    ProseContent,
    Section,
    Skill,
    Span,
    Tool,
    TypeDecl,
)
from harness_dsl.ir.expressions import Binary, Called, Constant, Expression, Loaded, Not
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.types import (
    AnyType,
    DecimalType,
    IntType,
    ListType,
    NamedType,
    NullableType,
    StringType,
    Type,
)
from tests.strategies import small_shop
from tests.strategies.choices import Choices

SHOP, SURFACE = small_shop()
BARE = SHOP.model_copy(
    update={
        "types": (),
        "inputs": (),
        "tools": tuple(tool for tool in SHOP.tools if tool.id in ("tool/get_item", "tool/get_quote")),
        "skills": SHOP.skills[:1],
        "hooks": (),
        "limits": (),
        "tests": (),
        "prompt": Prompt(id="prompt/system", sections=()),
    }
)
KINDS = ("tool", "type", "input", "skill", "hook", "section", "limit")
TYPES: tuple[Type, ...] = (
    IntType(),
    DecimalType(),
    StringType(),
    NullableType(item=IntType()),
    ListType(item=NamedType(type="type/T")),
    NamedType(type="type/T"),
    AnyType(),
)
P, Q, R = Called(tool="tool/get_quote"), Loaded(skill="skill/item_qa"), Not(operand=Constant(value=False))
CONDITIONS: tuple[Expression, ...] = (
    P,
    Q,
    Binary(operator="and", left=P, right=Q),
    Binary(operator="and", left=Q, right=P),
    Binary(operator="or", left=P, right=Q),
    Binary(operator="or", left=P, right=Binary(operator="and", left=Q, right=R)),
)


@st.composite
def version_triples(draw: st.DrawFn) -> tuple[tuple[Core, Surface], ...]:
    """Three versions of a bare harness, which differ in one or two symbols and in how they are shown."""
    c = Choices(draw)
    kinds = c.some(KINDS, 1, 2)
    return tuple((_version(c, kinds), _shown(c)) for _ in range(3))


def _version(c: Choices, kinds: list[str]) -> Core:
    core = BARE
    makers = {"tool": tool, "type": type_, "input": input_, "skill": skill, "hook": hook, "limit": limit}
    for kind in kinds:
        if c.between(0, 2) == 0:
            continue
        if kind == "section":
            sections = (*core.prompt.sections, section(c))
            core = core.model_copy(
                update={"prompt": core.prompt.model_copy(update={"sections": _by_id(sections)})}
            )
            continue
        field = f"{kind}s"
        nodes = (*getattr(core, field), makers[kind](c))
        core = core.model_copy(update={field: nodes if kind == "hook" else _by_id(nodes)})
    return core


def removed_and_added(field: str, before: Any, after: Any) -> tuple[tuple[Core, Surface], ...]:
    """The chain in which `before` is removed and comes back as `after`."""
    versions = []
    for nodes in ((before,), (), (after,)):
        versions.append((BARE.model_copy(update={field: _by_id((*getattr(BARE, field), *nodes))}), Surface()))
    return tuple(versions)


def _by_id(nodes: Any) -> Any:
    return tuple(sorted(nodes, key=lambda node: node.id))


def _shown(c: Choices) -> Surface:
    names = {"tool/t": c.pick(("t", "u"))} if c.flip() else {}
    return Surface(
        names=names,
        markup=c.pick(("markdown", "xml")),
        hidden=("tool/get_item",) if c.rarely() else (),
        implementations={"hook/h": c.between(0, 1)},
    )


def text(c: Choices, id_: SemanticId) -> Text:
    """One of a few wordings; some mention a tool."""
    canonical = c.pick(
        ((Literally(text="a"),), (Literally(text="b"),), (Reference(target="tool/get_quote"),))
    )
    return Text(id=id_, canonical=canonical, fixed=c.rarely())


def maybe_text(c: Choices, id_: SemanticId) -> Text | None:
    return text(c, id_) if c.flip() else None


def tool(c: Choices) -> Tool:
    params = []
    for name in c.some(("a", "b"), 0, 2):
        id_ = f"tool/t/param/{name}"
        has_default = c.rarely()
        params.append(
            Param(
                id=id_,
                type=c.pick(TYPES),
                optional=not has_default and c.flip(),
                has_default=has_default,
                default=c.between(1, 2) if has_default else None,
                description=maybe_text(c, f"{id_}/description"),
                fixed=c.rarely(),
            )
        )
    return Tool(
        id="tool/t",
        description=text(c, "tool/t/description"),
        params=_by_id(params),
        returns=c.pick(TYPES),
        effect=c.pick(("read", "write", "irreversible")),
        idempotent=c.flip(),
        timeout_ms=c.pick((None, 1)),
        fails=c.pick(((), ("x",))),
        fixed=c.rarely(),
    )


def type_(c: Choices) -> TypeDecl:
    if c.rarely():
        return TypeDecl(id="type/T", alias=c.pick(TYPES[:4]))
    fields = []
    for name in c.some(("a", "b"), 0, 2):
        id_ = f"type/T/field/{name}"
        shape = c.pick(TYPES[:4])
        fields.append(Member(id=id_, type=shape, optional=c.flip(), fixed=c.rarely()))
    return TypeDecl(id="type/T", fields=_by_id(fields), description=maybe_text(c, "type/T/description"))


def input_(c: Choices) -> Input:
    return Input(
        id="input/i", type=c.pick(TYPES), untrusted=c.flip(), description=maybe_text(c, "input/i/description")
    )


def items(c: Choices, owner: SemanticId) -> tuple[Item, ...]:
    ids = [f"{owner}/{name}" for name in c.some(("a", "b"), 0, 2)]
    return tuple(
        sorted(
            (Item(id=id_, text=text(c, id_), check=c.pick((None, *CONDITIONS[:2]))) for id_ in ids),
            key=lambda item: item.id,
        )
    )


def skill(c: Choices) -> Skill:
    return Skill(
        id="skill/s",
        role=c.pick(("reply", "strategy")),
        when=text(c, "skill/s/when"),
        uses=c.pick(((), ("tool/get_quote",))),
        ordered=False,
        items=items(c, "skill/s/step"),
        fixed=c.rarely(),
    )


def hook(c: Choices) -> Hook:
    return Hook(
        id="hook/h",
        event=c.pick(("before_reply", "before_turn")),
        condition=c.pick(CONDITIONS),
        action=c.pick(("deny", "retry", "replace", "log", "inject", "require")),
        message=maybe_text(c, "hook/h/message"),
        target=c.pick((None, "tool/get_quote", "tool/get_item")),
        max=c.between(1, 2),
        fail=c.pick(("open", "closed")),
        fixed=c.rarely(),
    )


def section(c: Choices) -> Section:
    id_ = "prompt/system/section/x"
    if c.flip():
        return Section(id=id_, content=ProseContent(text=text(c, id_)), fixed=c.rarely())
    return Section(id=id_, content=ListContent(ordered=False, items=items(c, id_)), fixed=c.rarely())


def limit(c: Choices) -> Limit:
    legal = c.pick((None, Span(min=Decimal(1), max=Decimal(9))))
    return Limit(id="limit/l", value=c.between(1, 3), legal=legal)
