"""The fields of a parameter that is a record become parameters of the tool.

hold_item(request: {link_id: 3, quantity: 2})  →  hold_item(link_id: 3, quantity: 2)
"""

from collections.abc import Iterator
from typing import Any, Literal

from augmentors.adapters.arguments import asked_arguments, expected_calls, hooks_about, is_about
from augmentors.adapters.mentioned import mentioned
from augmentors.adapters.reshaping import AdapterError, Reshaping
from augmentors.adapters.rewriting import Rewriting, moved_text, moved_type
from augmentors.adapters.surfaces import moved_surface
from harness_dsl.ir.core import Core, ExpectCall, Member, Param, TestCase, TypeDecl
from harness_dsl.ir.expressions import Argument, Expression
from harness_dsl.ir.ids import SemanticId, leaf, parent
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Reference
from harness_dsl.ir.transcript import Call, Mention, Prose
from harness_dsl.ir.types import ListType, MapType, NamedType, NullableType, Type, UnionType
from harness_dsl.ir.walk import subexpressions, types


class FlattenParameter(Reshaping):
    """param   id of a required parameter whose type is a record that nothing else uses
    fields  ids of all fields of that record, sorted: they become parameters, and the record is no more
    """

    kind: Literal["flatten-parameter"] = "flatten-parameter"
    param: SemanticId
    fields: tuple[SemanticId, ...]

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core, surface), None)

    def _problems(self, core: Core, surface: Surface) -> Iterator[str]:
        tool = next((tool for tool in core.tools if tool.id == self._tool), None)
        param = next((param for param in tool.params if param.id == self.param), None) if tool else None
        decl = next((decl for decl in core.types if decl.id == self._type), None)
        if tool is None or param is None or decl is None:
            yield f"`{self.param}` is no parameter of a record"
            return
        if not self.fields or self.fields != tuple(field.id for field in decl.fields or ()):
            yield f"its fields are not those of `{decl.id}`"
        if param.type != NamedType(type=decl.id) or not param.required:
            yield f"`{self.param}` is no required `{decl.id}`"
        if tool.fixed or param.fixed or any(field.fixed for field in decl.fields or ()):
            yield f"`{self.param}`, its tool or one of its fields is fixed"
        if param.description is not None or decl.description is not None:
            yield f"the description of `{self.param}` or of its type would be lost"
        if sum(used == decl.id for _, type_ in types(core) for used in _named(type_)) != 1:
            yield f"`{decl.id}` is used elsewhere"
        if self.param in mentioned(core):
            yield f"a text, a declared name or a move speaks of `{self.param}`"
        shown = [surface.names.get(id_, leaf(id_)) for id_ in (*self._kept(core), *self.fields)]
        if len(set(shown)) != len(shown) or not self._names.isdisjoint(map(leaf, self._kept(core))):
            yield f"`{self._tool}` has a parameter that is called like one of the fields"
        yield from self._hooks(core)
        yield from self._tests(core)

    def _hooks(self, core: Core) -> Iterator[str]:
        name = leaf(self.param)
        for hook in hooks_about(core, self._tool):
            asked = asked_arguments(hook)
            if asked & self._names:
                yield f"`{hook.id}` looks at an argument that is called like a field"
            if name not in asked:
                continue
            if hook.implementations:
                yield f"`{hook.id}` has implementations that know its arguments"
            if not is_about(core, hook, self._tool, frozenset([name])):
                yield f"`{hook.id}` looks at arguments that other tools have as well"
            parts = (part for part in subexpressions(hook.condition) if isinstance(part, Argument))
            if any(part.name == name and part.path[:1] not in self._paths for part in parts):
                yield f"`{hook.id}` looks at all of `{name}`"

    def _tests(self, core: Core) -> Iterator[str]:
        for test, expected in expected_calls(core, self._tool):
            given = dict(expected.arguments).get(leaf(self.param), {})
            if not isinstance(given, dict) or (given and given.keys() != self._names):
                yield f"`{test}` expects `{leaf(self.param)}` without some of its fields"
            if leaf(self.param) in dict(expected.arguments) and not given:
                yield f"`{test}` expects an empty `{leaf(self.param)}`"

    @property
    def _tool(self) -> SemanticId:
        return parent(self.param)

    @property
    def _type(self) -> SemanticId:
        return parent(self.fields[0]) if self.fields else ""

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(map(leaf, self.fields))

    @property
    def _paths(self) -> frozenset[tuple[str, ...]]:
        return frozenset((name,) for name in self._names)

    def _kept(self, core: Core) -> list[SemanticId]:
        return [
            param.id
            for tool in core.tools
            if tool.id == self._tool
            for param in tool.params
            if param.id != self.param
        ]

    def _param(self, field: SemanticId) -> SemanticId:
        return f"{self._tool}/param/{field.rsplit('/', 1)[1]}"

    def moved(self, id_: SemanticId) -> SemanticId:
        """Where a symbol or text is now that was `id_`."""
        for field in self.fields:
            if id_ == field or id_.startswith(f"{field}/"):
                return self._param(field) + id_[len(field) :]
        return id_

    def applied(self, core: Core) -> Core:
        about = frozenset(hook.id for hook in hooks_about(core, self._tool))
        name = leaf(self.param)

        def expression(owner: SemanticId, node: Expression) -> Expression:
            if isinstance(node, Argument) and owner in about and node.name == name and node.path:
                return Argument(name=node.path[0], path=node.path[1:])
            return node

        said = Rewriting(self.moved, lambda id_: (Reference(target=self.moved(id_)),), expression).core(core)
        decl = next(decl for decl in said.types if decl.id == self._type)
        tool = next(tool for tool in said.tools if tool.id == self._tool)
        kept = [param for param in tool.params if param.id != self.param]
        params = [*kept, *map(self._flat, decl.fields or ())]
        new = tool.model_copy(update={"params": tuple(sorted(params, key=lambda param: param.id))})
        return said.model_copy(
            update={
                "types": tuple(one for one in said.types if one.id != self._type),
                "tools": tuple(new if one.id == self._tool else one for one in said.tools),
                "tests": tuple(map(self._test, said.tests)),
            }
        )

    def _flat(self, field: Member) -> Param:
        id_ = self._param(field.id)
        return Param(
            id=id_,
            type=moved_type(field.type, id_),
            optional=field.optional,
            description=moved_text(field.description, f"{id_}/description"),
        )

    def _test(self, test: TestCase) -> TestCase:
        expect = tuple(
            self._expected(one) if isinstance(one, ExpectCall) and one.tool == self._tool else one
            for one in test.expect
        )
        return test if expect == test.expect else test.model_copy(update={"expect": expect})

    def _expected(self, expected: ExpectCall) -> ExpectCall:
        arguments = dict(expected.arguments)
        inside = arguments.pop(leaf(self.param), {})
        return expected.model_copy(update={"arguments": tuple(sorted({**arguments, **inside}.items()))})

    def shown(self, core: Core, surface: Surface) -> Surface:
        orders = dict(surface.orders)
        order = orders.get(self._tool)
        fields = orders.pop(self._type, self.fields)
        if order is not None:
            at = order.index(self.param)
            orders[self._tool] = (*order[:at], *map(self._param, fields), *order[at + 1 :])
        names = {id_: name for id_, name in surface.names.items() if id_ != self.param}
        return moved_surface(surface.model_copy(update={"orders": orders, "names": names}), self.moved)

    def inverse(self, core: Core) -> Reshaping:
        from augmentors.adapters.group_parameters import GroupParameters

        return GroupParameters(
            tool=self._tool,
            params=tuple(sorted(map(self._param, self.fields))),
            into=leaf(self.param),
            type=leaf(self._type),
        )

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return (self.param,)

    def spelled(self) -> str:
        return f"{leaf(self.param)} flattened to {', '.join(map(leaf, self.fields))}"

    def call(self, call: Call) -> Call:
        if call.tool != self._tool:
            return call
        outside = {name: value for name, value in call.arguments.items() if name != leaf(self.param)}
        inside = call.arguments.get(leaf(self.param))
        if not isinstance(inside, dict) or not inside.keys() <= self._names:
            raise AdapterError(f"the argument `{leaf(self.param)}` of `{leaf(self._tool)}` is no such record")
        if not self._names.isdisjoint(outside):
            raise AdapterError(f"a call of `{leaf(self._tool)}` has an argument that is new")
        return Call(tool=call.tool, arguments={**outside, **inside})

    def call_back(self, call: Call) -> Call:
        if call.tool != self._tool:
            return call
        if leaf(self.param) in call.arguments:
            raise AdapterError(f"a call of `{leaf(self._tool)}` has an argument `{leaf(self.param)}`")
        inside = {name: value for name, value in call.arguments.items() if name in self._names}
        outside: dict[str, Any] = {
            name: value for name, value in call.arguments.items() if name not in self._names
        }
        return Call(tool=call.tool, arguments={**outside, leaf(self.param): inside})

    def prose(self, prose: Prose) -> Prose:
        return tuple(self._said(part) if isinstance(part, Mention) else part for part in prose)

    def _said(self, said: Mention) -> Mention | str:
        return leaf(said.symbol) if said.symbol == self.param else Mention(symbol=self.moved(said.symbol))

    def prose_back(self, prose: Prose) -> Prose:
        back = {self._param(field): field for field in self.fields}
        return tuple(
            Mention(symbol=_under(back, part.symbol)) if isinstance(part, Mention) else part for part in prose
        )


def record_of(core: Core, param: Param) -> TypeDecl | None:
    """The record that is the type of `param`, if it is one with fields."""
    if not isinstance(param.type, NamedType):
        return None
    named = param.type.type
    return next((decl for decl in core.types if decl.id == named and decl.fields), None)


def _under(back: dict[SemanticId, SemanticId], symbol: SemanticId) -> SemanticId:
    for new, old in back.items():
        if symbol == new or symbol.startswith(f"{new}/"):
            return old + symbol[len(new) :]
    return symbol


def _named(type_: Type) -> Iterator[SemanticId]:
    match type_:
        case NamedType():
            yield type_.type
        case ListType() | NullableType():
            yield from _named(type_.item)
        case MapType():
            yield from _named(type_.value)
        case UnionType():
            for option in type_.options:
                yield from _named(option)
        case _:
            return
