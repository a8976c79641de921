"""The whole harness."""

from dataclasses import dataclass
from typing import Any

from harness_dsl.diagnostics import Span
from harness_dsl.ir import core as ir
from harness_dsl.ir.ids import join, segment
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.alternatives import text_id
from harness_dsl.syntax.checks.declarations import milliseconds
from harness_dsl.syntax.lowering.conduct import lower_hook, lower_skill
from harness_dsl.syntax.lowering.prompt import lower_prompt
from harness_dsl.syntax.lowering.state import Lowering
from harness_dsl.syntax.lowering.tests import lower_test
from harness_dsl.syntax.lowering.types import lower_type
from harness_dsl.syntax.moves import destinations
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.references import Target, shape_of, target_of
from harness_dsl.syntax.symbols import tool_id
from harness_dsl.syntax.values import exact, plain
from harness_dsl.syntax.written import written


@dataclass(slots=True)
class Lowered:
    core: ir.Core
    surface: Surface
    spans: dict[str, Span]


def lower(analysis: Analysis) -> Lowered:
    """`analysis` has no errors."""
    state = Lowering(analysis)
    names = _alternatives(state)
    symbols = analysis.symbols
    ends = destinations(symbols.moved)
    header = symbols.header
    assert header is not None
    state.order("tools", [tool_id(name) for name in symbols.tools])
    state.order("skills", [join("skill", name) for name in symbols.skills])
    core = ir.Core(
        name=header.name.text,
        version=value_of(header.version),
        description=value_of(header.description) if header.description else "",
        types=_sorted(_type(state, decl) for decl in symbols.types.values()),
        inputs=_sorted(_input(state, decl) for decl in symbols.inputs.values()),
        tools=_sorted(_tool(state, decl) for decl in symbols.tools.values()),
        skills=_sorted(lower_skill(state, decl) for decl in symbols.skills.values()),
        hooks=tuple(lower_hook(state, decl) for decl in symbols.hooks.values()),
        prompt=lower_prompt(state),
        limits=_sorted(_limit(state, decl) for decl in symbols.limits.values()),
        tests=_sorted(lower_test(state, decl) for decl in symbols.tests.values()),
        moved=tuple(_moved(state, decl, ends[written(decl.old)]) for decl in symbols.moved),
        declared_names=tuple(sorted(names.items())),
    )
    settings: dict[str, Any] = {setting.name.text: setting.value.text for setting in symbols.settings}
    surface = Surface(names=state.names, orders=state.orders, **settings)
    return Lowered(core, surface, state.spans)


def _sorted(nodes: Any) -> tuple[Any, ...]:
    return tuple(sorted(nodes, key=lambda node: node.id))


def _alternatives(state: Lowering) -> dict[str, tuple[str, ...]]:
    """Other wordings go into the state; other names are returned by id."""
    names: dict[str, tuple[str, ...]] = {}
    for entry in state.analysis.symbols.alternatives:
        target = target_of(entry.target, state.analysis.symbols)
        assert isinstance(target, Target)
        if isinstance(entry, t.OtherNames):
            new = (value_of(name) for name in entry.names)
            names[target.id] = tuple(dict.fromkeys((*names.get(target.id, ()), *new)))
        else:
            id_ = text_id(target, state.analysis)
            assert id_ is not None
            state.wordings.setdefault(id_, []).extend(entry.texts)
    return names


def _type(state: Lowering, decl: t.TypeDecl) -> ir.TypeDecl:
    id_ = join("type", decl.name.text)
    state.place(id_, decl.name)
    description = state.optional(id_, decl.description)
    if isinstance(decl, t.AliasDecl):
        return ir.TypeDecl(id=id_, alias=lower_type(decl.type, id_, state), description=description)
    fields = [_field(state, id_, field) for field in decl.fields]
    state.order(id_, [field.id for field in fields])
    return ir.TypeDecl(id=id_, fields=_sorted(fields), description=description)


def _field(state: Lowering, owner: str, field: t.Field) -> ir.Member:
    id_ = f"{owner}/field/{segment(field.name.text)}"
    state.place(id_, field.name)
    state.name(id_, field.named)
    return ir.Member(
        id=id_,
        type=lower_type(field.type, id_, state),
        optional=field.optional,
        description=state.optional(id_, field.description, field.fixed),
        fixed=field.fixed,
    )


def _input(state: Lowering, decl: t.InputDecl) -> ir.Input:
    id_ = join("input", decl.name.text)
    state.place(id_, decl.name)
    return ir.Input(
        id=id_,
        type=lower_type(decl.type, id_, state),
        untrusted=decl.untrusted,
        description=state.optional(id_, decl.description),
    )


def _tool(state: Lowering, decl: t.ToolDecl) -> ir.Tool:
    id_ = tool_id(decl.name.text)
    state.place(id_, decl.name)
    state.name(id_, decl.named)
    params = [_param(state, id_, param) for param in decl.params]
    state.order(id_, [param.id for param in params])
    said: dict[str, t.Clause] = {}
    for clause in decl.clauses:
        said.setdefault(clause.word, clause)
    prose = said["text"].args[0]
    assert isinstance(prose, t.Prose)
    effect: Any = _word(said, "effect") or "read"
    timeout = said["timeout"].args[0] if "timeout" in said else None
    fails = said["fails"].args if "fails" in said else []
    return ir.Tool(
        id=id_,
        description=state.text(f"{id_}/description", prose.quote, prose.fixed or decl.fixed),
        params=_sorted(params),
        returns=lower_type(decl.returns, id_, state),
        effect=effect,
        idempotent="idempotent" in said,
        implementation=_implementation(said),
        timeout_ms=milliseconds(timeout) if isinstance(timeout, t.Number) else None,
        fails=tuple(sorted(name.text for name in fails if isinstance(name, t.Ident))),
        fixed=decl.fixed,
    )


def _word(said: dict[str, t.Clause], word: str) -> str | None:
    node = said[word].args[0] if word in said else None
    return node.text if isinstance(node, t.Ident) else None


def _param(state: Lowering, owner: str, param: t.ParamDecl) -> ir.Param:
    id_ = f"{owner}/param/{segment(param.name.text)}"
    state.place(id_, param.name)
    state.name(id_, param.named)
    return ir.Param(
        id=id_,
        type=lower_type(param.type, id_, state),
        optional=param.optional,
        has_default=param.default is not None,
        default=plain(param.default) if param.default is not None else None,
        description=state.optional(id_, param.description, param.fixed),
        fixed=param.fixed,
    )


def _implementation(said: dict[str, t.Clause]) -> ir.Implementation | None:
    impl = said["impl"].args[0] if "impl" in said else None
    if not isinstance(impl, t.Impl):
        return None
    target = value_of(impl.target)
    if impl.kind == "python":
        return ir.PythonImplementation(target=target)
    if impl.kind == "http":
        return ir.HttpImplementation(url=target)
    assert impl.tool is not None
    return ir.McpImplementation(server=target, tool=value_of(impl.tool))


def _limit(state: Lowering, decl: t.LimitDecl) -> ir.Limit:
    id_ = join("limit", decl.name.text)
    state.place(id_, decl.name)
    value = exact(decl.value) if isinstance(decl.value, t.Number) else value_of(decl.value)
    return ir.Limit(id=id_, value=value, legal=_legal(decl.legal))


def _legal(legal: t.Legal | None) -> ir.Span | ir.Choice | None:
    if legal is None:
        return None
    numbers = [exact(value) for value in legal.values if isinstance(value, t.Number)]
    if numbers:
        from decimal import Decimal

        return ir.Span(min=Decimal(numbers[0]), max=Decimal(numbers[1]))
    return ir.Choice(values=tuple(value_of(value) for value in legal.values if isinstance(value, t.Quote)))


def _moved(state: Lowering, decl: t.MovedDecl, end: t.Path | None) -> ir.Moved:
    assert end is not None
    new = target_of(end, state.analysis.symbols)
    assert isinstance(new, Target)
    old = shape_of(decl.old, new.kind)
    assert old is not None
    return ir.Moved(old=old, new=new.id)
