"""Valid Cores, built part by part; nothing is filtered."""

from collections.abc import Iterable

from hypothesis import strategies as st

from harness_dsl.ir.core import Core, Moved, Prompt
from harness_dsl.ir.expressions import Binary, Constant, Expression, InputValue, LimitValue
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.types import BoolType, EnumType, IntType, ListType, NamedType, StringType, Type
from tests.strategies import conduct, declarations
from tests.strategies.choices import Choices
from tests.strategies.declarations import PROMPT
from tests.strategies.texts import Scope, texts


@st.composite
def cores(draw: st.DrawFn) -> Core:
    """A small valid Core: unordered lists sorted by id, references resolve, constraints can be met."""
    return core(Choices(draw))


def core(c: Choices) -> Core:
    """A valid Core by the choices of `c`: first what can be mentioned, then the prose that mentions it."""
    decls = declarations.type_decls(c)
    tools = declarations.tools(c, decls)
    bare = Core(
        name="shop",
        version="1.0.0",
        description=c.pick(("", "一家小店。")),
        types=decls,
        inputs=declarations.inputs(c, decls),
        tools=tools,
        skills=conduct.skills(c, tools),
        limits=declarations.limits(c),
        prompt=Prompt(id=PROMPT, sections=()),
    )
    return _worded(c, bare)


def _worded(c: Choices, bare: Core) -> Core:
    scope = scope_of(bare)
    described = [
        tool.model_copy(update={"description": texts(c, f"{tool.id}/description", scope)})
        for tool in bare.tools
    ]
    worded = bare.model_copy(
        update={
            "tools": tuple(described),
            "skills": tuple(conduct.worded(c, skill, scope, bare) for skill in bare.skills),
            "prompt": conduct.prompts(c, bare, scope),
            "hooks": conduct.hooks(c, bare, scope_of(bare, untrusted=True)),
        }
    )
    named = sorted(c.some([tool.id for tool in bare.tools], 0, 2))
    declared = tuple((id_, (f"declared_{index}", "别名" + "名" * index)) for index, id_ in enumerate(named))
    moved = (Moved(old="tool/old_one", new=bare.tools[0].id),) if c.flip() else ()
    return worded.model_copy(
        update={"tests": conduct.tests(c, worded), "declared_names": declared, "moved": moved}
    )


def scope_of(core: Core, untrusted: bool = False) -> Scope:
    """What prose of `core` may mention; values of untrusted inputs only if asked for."""
    values: list[Expression] = [LimitValue(limit=limit.id) for limit in core.limits]
    conditions: list[Expression] = []
    lists: list[Expression] = []
    for input_ in core.inputs:
        for path, type_ in _paths(input_.type, core):
            value = InputValue(input=input_.id, path=path)
            if isinstance(type_, BoolType):
                conditions.append(value)
            elif isinstance(type_, StringType | IntType | EnumType):
                constant = Constant(value=1 if isinstance(type_, IntType) else "calm")
                conditions.append(Binary(operator="==", left=value, right=constant))
                values += [value] * (untrusted or not input_.untrusted)
            elif isinstance(type_, ListType) and isinstance(type_.item, StringType | IntType):
                lists += [value] * (untrusted or not input_.untrusted)
    references = symbols(core) + tuple(limit.id for limit in core.limits)
    return Scope(references, tuple(values), tuple(conditions), tuple(lists))


def _paths(type_: Type, core: Core, depth: int = 2) -> Iterable[tuple[tuple[str, ...], Type]]:
    """Every way through fields that are always there, with the type at its end."""
    yield (), type_
    if not isinstance(type_, NamedType) or not depth:
        return
    decl = next(decl for decl in core.types if decl.id == type_.type)
    if decl.alias is not None:
        yield (), decl.alias
    for field in decl.fields or ():
        if not field.optional:
            for path, end in _paths(field.type, core, depth - 1):
                yield (leaf(field.id), *path), end
