"""One tool with a choice becomes several: see `folding`."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from augmentors.adapters.arguments import expected_calls, hooks_about
from augmentors.adapters.folding import Folding, Part, by_id, moved_param, replaced
from augmentors.adapters.reshaping import Reshaping
from augmentors.adapters.rewriting import Rewriting, moved_type
from augmentors.adapters.tool_surface import unfolded_surface
from harness_dsl.ir.core import Core, ExpectCall, Skill, Tool
from harness_dsl.ir.expressions import Argument, Binary, Called, Calling, Expression, Results
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Reference, Template
from harness_dsl.ir.transcript import Call, Prose
from harness_dsl.ir.types import EnumType
from harness_dsl.ir.verify_expressions import follow
from harness_dsl.ir.walk import subexpressions


class Unfold(Folding):
    """One tool becomes several."""

    kind: Literal["unfold"] = "unfold"
    one_to_many: ClassVar[bool] = True

    def problem(self, core: Core, surface: Surface) -> str | None:
        return next(self._problems(core, surface), None)

    def _problems(self, core: Core, surface: Surface) -> Iterator[str]:
        tools = {tool.id: tool for tool in core.tools}
        tool = tools.get(self.whole.tool)
        choice = next((one for one in tool.params if one.id == self.choices.param), None) if tool else None
        if tool is None or choice is None or not isinstance(choice.type, EnumType) or not choice.required:
            yield f"`{self.choices.param}` is no choice that every call makes"
            return
        if [member.value for member in choice.type.members] != [part.value for part in self.parts]:
            yield f"the values of `{choice.id}` are others"
        ids = [part.tool for part in self.parts]
        if len(ids) < 2 or len({*ids}) < len(ids) or not tools.keys().isdisjoint({*ids} - {tool.id}):
            yield "the new tools are called like each other or like others"
        if tool.fixed or any(param.fixed for param in tool.params):
            yield f"`{tool.id}` is fixed"
        if tool.id in surface.hidden:
            yield f"`{tool.id}` is hidden"
        if moved_type(tool.returns, "x") != tool.returns:
            yield f"what `{tool.id}` returns has values of its own"
        yield from self._spoken_of(core, [tool.id])
        said = self._rewriting(core)
        for hook in hooks_about(core, tool.id):
            condition = said.rewritten(hook.id, hook.condition)
            parts = (part for part in subexpressions(condition) if isinstance(part, Argument))
            if any(part.name == self.whole.choice for part in parts):
                yield f"`{hook.id}` looks at `{self.whole.choice}`, which no call has then"
        for test, expected in expected_calls(core, tool.id):
            if self.whole.choice not in dict(expected.arguments):
                yield f"`{test}` expects a call of `{tool.id}` whatever is chosen"

    def applied(self, core: Core) -> Core:
        named = [(id_, names) for id_, names in core.declared_names if id_ != self.whole.tool]
        named += [(part.tool, part.named) for part in self.parts if part.named]
        kept = core.model_copy(update={"declared_names": tuple(sorted(named))})
        said = self._rewriting(core).core(kept)
        whole = next(tool for tool in said.tools if tool.id == self.whole.tool)
        tools = [tool for tool in said.tools if tool.id != whole.id]
        return said.model_copy(
            update={
                "tools": by_id([*tools, *(self._part_tool(whole, part) for part in self.parts)]),
                "skills": tuple(map(self._skill, said.skills)),
                "tests": tuple(self._expecting(test, self._expected) for test in said.tests),
            }
        )

    def _part_tool(self, whole: Tool, part: Part) -> Tool:
        params = [moved_param(param, part.tool) for param in whole.params if param.id != self.choices.param]
        return whole.model_copy(
            update={
                "id": part.tool,
                "description": part.description,
                "params": by_id(params),
                "returns": part.returns,
                "implementation": part.implementation,
                "fails": part.fails,
            }
        )

    def _skill(self, skill: Skill) -> Skill:
        left = {id_ for id_ in skill.uses if id_ != self.whole.tool}
        uses = left | {part.tool for part in self.parts if skill.id in part.used_by}
        return skill.model_copy(update={"uses": tuple(sorted(uses))})

    def _expected(self, expected: ExpectCall) -> ExpectCall:
        arguments = dict(expected.arguments)
        part = self._meant(arguments.pop(self.whole.choice, None))
        if expected.tool != self.whole.tool or part is None:
            return expected
        return ExpectCall(
            tool=part.tool, arguments=tuple(sorted(arguments.items())), negated=expected.negated
        )

    def _rewriting(self, core: Core) -> Rewriting:
        asked = {
            Binary(operator="and", left=self._calling(), right=chosen.right): part
            for part in self.parts
            if isinstance(chosen := self._chosen(part), Binary)
        }

        def expression(_: SemanticId, node: Expression) -> Expression:
            if isinstance(node, Called) and node.tool == self.whole.tool:
                return self._called()
            if isinstance(node, Calling) and node.tool == self.whole.tool:
                return self._calling()
            if isinstance(node, Results) and node.tool == self.whole.tool:
                having = [
                    p for p in self.parts if follow(p.returns, node.path, core, spread=True) is not None
                ]
                return Results(tool=having[0].tool, path=node.path) if len(having) == 1 else node
            chosen = asked.get(node) if isinstance(node, Binary) else None
            return node if chosen is None else Calling(tool=chosen.tool)

        def reference(id_: SemanticId) -> Template:
            return self._list() if id_ == self.whole.tool else (Reference(target=id_),)

        def phrases(template: Template) -> Template:
            for part in self.parts:
                template = replaced(template, self._phrase(part), (Reference(target=part.tool),))
            return template

        return Rewriting(lambda id_: id_, reference, expression, phrases)

    def shown(self, core: Core, surface: Surface) -> Surface:
        ids = [part.tool for part in self.parts]
        rewriting = self._rewriting(core)
        return unfolded_surface(surface, self.whole.tool, self.choices.param, ids, rewriting)

    def inverse(self, core: Core) -> Reshaping:
        from augmentors.adapters.fold import Fold

        return Fold(whole=self.whole, parts=self.parts)

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return (self.whole.tool,)

    def tools(self, tool: SemanticId) -> tuple[SemanticId, ...]:
        return tuple(part.tool for part in self.parts) if tool == self.whole.tool else (tool,)

    def call(self, call: Call) -> Call:
        return self.choices.unfolded(call)

    def call_back(self, call: Call) -> Call:
        return self.choices.folded(call)

    def prose(self, prose: Prose) -> Prose:
        return self.choices.said_unfolded(prose)

    def prose_back(self, prose: Prose) -> Prose:
        return self.choices.said_folded(prose)
