"""Several tools become one, with a choice that says which of them is meant: see `folding`."""

from collections.abc import Iterator
from typing import Any, Literal

from augmentors.adapters.folding import Folding, any_of, by_id, moved_param, replaced
from augmentors.adapters.reshaping import Reshaping
from augmentors.adapters.rewriting import Rewriting, moved_type
from augmentors.adapters.tool_surface import folded_surface
from harness_dsl.ir.core import Core, ExpectCall, Param, Skill, Tool
from harness_dsl.ir.expressions import Argument, Called, Calling, Expression, Results
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Reference, Template
from harness_dsl.ir.transcript import Call, Prose
from harness_dsl.ir.types import EnumMember, EnumType
from harness_dsl.ir.verify_expressions import follow
from harness_dsl.ir.walk import subexpressions


class Fold(Folding):
    """Several tools become one."""

    kind: Literal["fold"] = "fold"

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core, surface), None)

    def _problems(self, core: Core, surface: Surface) -> Iterator[str]:
        tools = {tool.id: tool for tool in core.tools}
        ids = [part.tool for part in self.parts]
        if len(ids) < 2 or len({*ids}) < len(ids) or not all(id_ in tools for id_ in ids):
            yield "there are not several such tools"
            return
        first, *others = [tools[id_] for id_ in ids]
        if self.whole.tool in tools and self.whole.tool not in ids:
            yield f"`{self.whole.tool}` is declared already"
        if any(tool.fixed or any(param.fixed for param in tool.params) for tool in (first, *others)):
            yield "one of the tools is fixed"
        if not set(ids).isdisjoint(surface.hidden):
            yield "one of the tools is hidden"
        if any(_run(tool) != _run(first) for tool in others):
            yield "the tools differ in effect, in how often they may be tried, or in their timeouts"
        if any(_asked(tool) != _asked(first) for tool in others):
            yield "the tools differ in what they ask for"
        if self.whole.choice in [leaf(param.id) for param in first.params]:
            yield f"the tools have a parameter `{self.whole.choice}` already"
        asked = {
            part.name
            for hook in core.hooks
            for part in subexpressions(hook.condition)
            if isinstance(part, Argument)
        }
        if self.whole.choice in asked:
            yield f"a hook looks at an argument `{self.whole.choice}`"
        if any(moved_type(part.returns, "x") != part.returns for part in self.parts):
            yield "what one of the tools returns has values of its own"
        yield from self._spoken_of(core, ids)

    def applied(self, core: Core) -> Core:
        ids = [part.tool for part in self.parts]
        named = [(id_, names) for id_, names in core.declared_names if id_ not in ids]
        if self.whole.named:
            named.append((self.whole.tool, self.whole.named))
        kept = core.model_copy(update={"declared_names": tuple(sorted(named))})
        said = self._rewriting(core).core(kept)
        tools = [tool for tool in said.tools if tool.id not in ids]
        first = next(tool for tool in said.tools if tool.id == ids[0])
        return said.model_copy(
            update={
                "tools": by_id([*tools, self._whole_tool(first)]),
                "skills": tuple(map(self._skill, said.skills)),
                "tests": tuple(self._expecting(test, self._expected) for test in said.tests),
            }
        )

    def _whole_tool(self, first: Tool) -> Tool:
        members = tuple(
            EnumMember(id=self.choices.value(part.value), value=part.value) for part in self.parts
        )
        choice = Param(
            id=self.choices.param, type=EnumType(members=members), description=self.whole.choice_text
        )
        params = [choice, *(moved_param(param, self.whole.tool) for param in first.params)]
        return first.model_copy(
            update={
                "id": self.whole.tool,
                "description": self.whole.description,
                "params": by_id(params),
                "returns": self.whole.returns,
                "implementation": self.whole.implementation,
                "fails": self.whole.fails,
            }
        )

    def _skill(self, skill: Skill) -> Skill:
        left = {id_ for id_ in skill.uses if self._part(id_) is None}
        uses = left | ({self.whole.tool} if skill.id in self.whole.used_by else set())
        return skill.model_copy(update={"uses": tuple(sorted(uses))})

    def _expected(self, expected: ExpectCall) -> ExpectCall:
        part = self._part(expected.tool)
        if part is None:
            return expected
        arguments = {**dict(expected.arguments), self.whole.choice: part.value}
        return ExpectCall(
            tool=self.whole.tool, arguments=tuple(sorted(arguments.items())), negated=expected.negated
        )

    def _rewriting(self, core: Core) -> Rewriting:
        def expression(_: SemanticId, node: Expression) -> Expression:
            if isinstance(node, Calling) and (part := self._part(node.tool)) is not None:
                return self._chosen(part)
            if isinstance(node, Results) and self._is_only_result_of(node, core):
                return Results(tool=self.whole.tool, path=node.path)
            if node == self._called():
                return Called(tool=self.whole.tool)
            return Calling(tool=self.whole.tool) if node == any_of(map(self._chosen, self.parts)) else node

        def reference(id_: SemanticId) -> Template:
            part = self._part(id_)
            return (Reference(target=id_),) if part is None else self._phrase(part)

        def phrases(template: Template) -> Template:
            return replaced(template, self._list(), (Reference(target=self.whole.tool),))

        return Rewriting(lambda id_: id_, reference, expression, phrases)

    def _is_only_result_of(self, node: Results, core: Core) -> bool:
        """Whether no other of the tools gives what `node` asks one of them for."""
        return (
            self._part(node.tool) is not None
            and bool(node.path)
            and all(
                follow(part.returns, node.path, core, spread=True) is None
                for part in self.parts
                if part.tool != node.tool
            )
        )

    def shown(self, core: Core, surface: Surface) -> Surface:
        ids = [part.tool for part in self.parts]
        rewriting = self._rewriting(core)
        return folded_surface(surface, ids, self.whole.tool, self.choices.param, rewriting)

    def inverse(self, core: Core) -> Reshaping:
        from augmentors.adapters.unfold import Unfold

        return Unfold(whole=self.whole, parts=self.parts)

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return tuple(sorted(part.tool for part in self.parts))

    def tools(self, tool: SemanticId) -> tuple[SemanticId, ...]:
        return (tool,) if self._part(tool) is None else (self.whole.tool,)

    def call(self, call: Call) -> Call:
        return self.choices.folded(call)

    def call_back(self, call: Call) -> Call:
        return self.choices.unfolded(call)

    def prose(self, prose: Prose) -> Prose:
        return self.choices.said_folded(prose)

    def prose_back(self, prose: Prose) -> Prose:
        return self.choices.said_unfolded(prose)


def _run(tool: Tool) -> tuple[Any, ...]:
    return tool.effect, tool.idempotent, tool.timeout_ms


def _asked(tool: Tool) -> list[Param]:
    """What `tool` asks for, as if it were another tool."""
    return [moved_param(param, "tool/some") for param in tool.params]
