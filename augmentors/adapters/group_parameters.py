"""Parameters of a tool become the fields of one record.

hold_item(link_id: 3, quantity: 2)  →  hold_item(request: {link_id: 3, quantity: 2})
"""

from collections.abc import Iterator
from typing import Any, Literal

from augmentors.adapters.arguments import asked_arguments, expected_calls, hooks_about, is_about
from augmentors.adapters.reshaping import AdapterError, Reshaping
from augmentors.adapters.rewriting import Rewriting, moved_text, moved_type
from augmentors.adapters.surfaces import moved_surface
from harness_dsl.ir.core import Core, ExpectCall, Member, Param, TestCase, Tool, TypeDecl
from harness_dsl.ir.expressions import Argument, Expression
from harness_dsl.ir.ids import SemanticId, join, leaf, segment
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Reference
from harness_dsl.ir.transcript import Call, Mention, Prose
from harness_dsl.ir.types import NamedType


class GroupParameters(Reshaping):
    """params  ids of parameters of `tool`, sorted: they become fields of a new type
    into    identifier of the new parameter
    type    identifier of the new type
    """

    kind: Literal["group-parameters"] = "group-parameters"
    tool: SemanticId
    params: tuple[SemanticId, ...]
    into: str
    type: str

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core, surface), None)

    def _problems(self, core: Core, surface: Surface) -> Iterator[str]:
        tool = next((tool for tool in core.tools if tool.id == self.tool), None)
        if tool is None:
            yield f"`{self.tool}` is no tool"
            return
        if tool.fixed:
            yield f"`{self.tool}` is fixed"
        params = {param.id: param for param in tool.params}
        if not self.params or list(self.params) != sorted(set(self.params)):
            yield "its parameters are none, not sorted, or named twice"
        yield from (f"`{id_}` is no parameter of `{self.tool}`" for id_ in self.params if id_ not in params)
        grouped = [params[id_] for id_ in self.params if id_ in params]
        yield from (f"`{param.id}` is fixed" for param in grouped if param.fixed)
        yield from (
            f"`{param.id}` has a default, which no field has" for param in grouped if param.has_default
        )
        if not (self.into.isidentifier() and self.type.isidentifier()):
            yield "its new names are no identifiers"
        if any(decl.id == self._type for decl in core.types):
            yield f"`{self._type}` is declared already"
        beside = [param.id for param in tool.params if param.id not in self.params]
        if self.into in [*map(leaf, params), *(surface.names.get(id_, leaf(id_)) for id_ in beside)]:
            yield f"`{self.tool}` has a parameter `{self.into}` already"
        yield from self._hooks(core)
        yield from self._tests(core)

    def _hooks(self, core: Core) -> Iterator[str]:
        for hook in hooks_about(core, self.tool):
            asked = asked_arguments(hook)
            if self.into in asked:
                yield f"`{hook.id}` looks at an argument `{self.into}`"
            about = asked & self._names
            if about and hook.implementations:
                yield f"`{hook.id}` has implementations that know its arguments"
            if about and not is_about(core, hook, self.tool, about):
                yield f"`{hook.id}` looks at arguments that other tools have as well"

    def _tests(self, core: Core) -> Iterator[str]:
        for test, expected in expected_calls(core, self.tool):
            named = {name for name, _ in expected.arguments} & self._names
            if named and named != self._names:
                yield f"`{test}` expects some of these arguments and leaves the others free"

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(map(leaf, self.params))

    @property
    def _type(self) -> SemanticId:
        return join("type", self.type)

    @property
    def _into(self) -> SemanticId:
        return f"{self.tool}/param/{segment(self.into)}"

    def _field(self, param: SemanticId) -> SemanticId:
        return f"{self._type}/field/{param.rsplit('/', 1)[1]}"

    def moved(self, id_: SemanticId) -> SemanticId:
        """Where a symbol or text is now that was `id_`."""
        for param in self.params:
            if id_ == param or id_.startswith(f"{param}/"):
                return self._field(param) + id_[len(param) :]
        return id_

    def applied(self, core: Core) -> Core:
        about = frozenset(hook.id for hook in hooks_about(core, self.tool))

        def expression(owner: SemanticId, node: Expression) -> Expression:
            if isinstance(node, Argument) and owner in about and node.name in self._names:
                return Argument(name=self.into, path=(node.name, *node.path))
            return node

        said = Rewriting(self.moved, lambda id_: (Reference(target=self.moved(id_)),), expression).core(core)
        tool = next(tool for tool in said.tools if tool.id == self.tool)
        decl = TypeDecl(id=self._type, fields=tuple(map(self._member, self._grouped(tool))))
        kept = [param for param in tool.params if param.id not in self.params]
        params = [*kept, Param(id=self._into, type=NamedType(type=self._type))]
        new = tool.model_copy(update={"params": _by_id(params)})
        return said.model_copy(
            update={
                "types": _by_id([*said.types, decl]),
                "tools": tuple(new if one.id == self.tool else one for one in said.tools),
                "tests": tuple(map(self._test, said.tests)),
            }
        )

    def _grouped(self, tool: Tool) -> list[Param]:
        return [param for param in tool.params if param.id in self.params]

    def _member(self, param: Param) -> Member:
        id_ = self._field(param.id)
        return Member(
            id=id_,
            type=moved_type(param.type, id_),
            optional=param.optional,
            description=moved_text(param.description, f"{id_}/description"),
        )

    def _test(self, test: TestCase) -> TestCase:
        expect = tuple(
            self._expected(one) if isinstance(one, ExpectCall) and one.tool == self.tool else one
            for one in test.expect
        )
        return test if expect == test.expect else test.model_copy(update={"expect": expect})

    def _expected(self, expected: ExpectCall) -> ExpectCall:
        arguments = dict(expected.arguments)
        if self._names.isdisjoint(arguments):
            return expected
        return expected.model_copy(update={"arguments": tuple(sorted(self._in(arguments).items()))})

    def shown(self, core: Core, surface: Surface) -> Surface:
        orders = dict(surface.orders)
        order = orders.get(self.tool)
        if order is not None:
            grouped = tuple(id_ for id_ in order if id_ in self.params)
            at = order.index(grouped[0])
            kept = [id_ for id_ in order if id_ not in self.params]
            orders[self.tool] = (*kept[:at], self._into, *kept[at:])
            orders[self._type] = tuple(map(self._field, grouped))
        return moved_surface(surface.model_copy(update={"orders": orders}), self.moved)

    def inverse(self, core: Core) -> Reshaping:
        from augmentors.adapters.flatten_parameter import FlattenParameter

        return FlattenParameter(param=self._into, fields=tuple(map(self._field, self.params)))

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return self.params

    def spelled(self) -> str:
        return f"{', '.join(map(leaf, self.params))} grouped in {self.into}"

    def call(self, call: Call) -> Call:
        if call.tool != self.tool:
            return call
        if self.into in call.arguments:
            raise AdapterError(f"a call of `{leaf(self.tool)}` has an argument `{self.into}`, which is new")
        return Call(tool=call.tool, arguments=self._in(call.arguments))

    def _in(self, arguments: dict[str, Any]) -> dict[str, Any]:
        inside = {name: value for name, value in arguments.items() if name in self._names}
        return {**{name: arguments[name] for name in arguments if name not in inside}, self.into: inside}

    def call_back(self, call: Call) -> Call:
        if call.tool != self.tool:
            return call
        outside = {name: value for name, value in call.arguments.items() if name != self.into}
        inside = call.arguments.get(self.into)
        if not isinstance(inside, dict) or not outside.keys().isdisjoint(inside):
            raise AdapterError(f"the argument `{self.into}` of `{leaf(self.tool)}` is no record of its own")
        return Call(tool=call.tool, arguments={**outside, **inside})

    def prose(self, prose: Prose) -> Prose:
        return tuple(
            Mention(symbol=self.moved(part.symbol)) if isinstance(part, Mention) else part for part in prose
        )

    def prose_back(self, prose: Prose) -> Prose:
        return tuple(map(self._part_back, prose))

    def _part_back(self, part: str | Mention) -> str | Mention:
        if isinstance(part, str):
            return part
        if part.symbol == self._into:
            return self.into
        field = f"{self._type}/field/"
        if part.symbol.startswith(field):
            return Mention(symbol=f"{self.tool}/param/{part.symbol[len(field) :]}")
        return part


def _by_id(nodes: list[Any] | tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(nodes, key=lambda node: node.id))
