"""Several tools as one that is told by a choice which of them is meant, and back: `Fold` and `Unfold`.

    get_item(link_id: 3), get_material(link_id: 3)  ⇄  ask(action: "get_item", link_id: 3), …

The tools take the same arguments, so that every call that fits one shape has exactly one that fits the other.
Both say in full what either shape declares, and are each other's inverse. What merges and splits tools in
rows is derived from the harness: see `merge_tools` and `split_tool`.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from augmentors.adapters.choices import Choices
from augmentors.adapters.reshaping import Reshaping
from augmentors.adapters.rewriting import Rewriting, moved_text, moved_type
from harness_dsl.ir.core import Core, ExpectCall, Implementation, Param, TestCase, Tool
from harness_dsl.ir.expressions import (
    Argument,
    Binary,
    Called,
    Calling,
    Constant,
    Expression,
    Results,
)
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.node import Node
from harness_dsl.ir.texts import Literally, Reference, Template, Text
from harness_dsl.ir.types import Type
from harness_dsl.ir.walk import parts as parts_of
from harness_dsl.ir.walk import predicates, subexpressions, texts


class Declared(Node):
    """What one tool says that another shape does not: all but its parameters and how it may be run."""

    tool: SemanticId
    description: Text
    returns: Type
    implementation: Implementation | None
    fails: tuple[str, ...]
    used_by: tuple[SemanticId, ...]
    named: tuple[str, ...]


class Part(Declared):
    """One of several tools. `value`: the choice that means it."""

    value: str


class Whole(Declared):
    """The tool that stands for several. `choice`: identifier of the parameter that says which, described by
    `choice_text`.
    """

    choice: str
    choice_text: Text | None


def declared(core: Core, tool: Tool) -> dict[str, Any]:
    """The fields of `Declared` for a tool of `core`."""
    named = dict(core.declared_names)
    return {
        "tool": tool.id,
        "description": tool.description,
        "returns": tool.returns,
        "implementation": tool.implementation,
        "fails": tool.fails,
        "used_by": tuple(skill.id for skill in core.skills if tool.id in skill.uses),
        "named": named.get(tool.id, ()),
    }


class Folding(Reshaping):
    """What both directions know."""

    whole: Whole
    parts: tuple[Part, ...]

    @property
    def choices(self) -> Choices:
        """Which word means which tool."""
        words = tuple((part.value, part.tool) for part in self.parts)
        return Choices(self.whole.tool, self.whole.choice, words)

    def _part(self, tool: SemanticId) -> Part | None:
        return next((part for part in self.parts if part.tool == tool), None)

    def _meant(self, value: object) -> Part | None:
        return next((part for part in self.parts if part.value == value), None)

    def _spoken_of(self, core: Core, tools: Sequence[SemanticId]) -> Iterator[str]:
        """Why what the harness says of `tools` cannot be said of others."""
        keep = frozen(core)
        for text in texts(core):
            targets = {part.target for part in parts_of(text.canonical) if isinstance(part, Reference)}
            if keep.wording(text.id) and not targets.isdisjoint(tools):
                yield f"`{text.id}` is fixed and speaks of such a tool"
        for id_, _ in core.declared_names:
            if any(id_.startswith(f"{tool}/") for tool in tools):
                yield f"`{id_}` has declared names"
        for hook in core.hooks:
            about = {
                part.tool
                for part in subexpressions(hook.condition)
                if isinstance(part, Called | Calling | Results)
            }
            if hook.implementations and not about.isdisjoint(tools):
                yield f"`{hook.id}` has implementations that know such a tool"
            if hook.target in tools:
                yield f"`{hook.id}` requires such a tool"
        for move in core.moved:
            if _is_of(move.new, tools):
                yield f"`{move.new}` was moved, and history follows its id"
        yield from self._left(core, tools)

    @abstractmethod
    def _rewriting(self, core: Core) -> Rewriting:
        """What conditions and references become."""

    def _left(self, core: Core, tools: Sequence[SemanticId]) -> Iterator[str]:
        """Conditions and references that would still be about `tools` when they are no more."""
        said = self._rewriting(core)
        for owner, predicate in predicates(core):
            for part in subexpressions(said.rewritten(owner, predicate)):
                if isinstance(part, Called | Calling | Results) and part.tool in tools:
                    yield f"`{owner}` asks about `{part.tool}` what cannot be asked then"
        for text in texts(core):
            if text.id in [f"{tool}/description" for tool in tools]:
                continue
            for wording in (text.canonical, *text.alternatives):
                for piece in parts_of(said.template(text.id, wording)):
                    if isinstance(piece, Reference) and _is_of(piece.target, tools):
                        yield f"`{text.id}` speaks of `{piece.target}`, which would be no more"

    def _called(self) -> Expression:
        return any_of(Called(tool=part.tool) for part in self.parts)

    def _calling(self) -> Expression:
        return any_of(Calling(tool=part.tool) for part in self.parts)

    def _chosen(self, part: Part) -> Expression:
        """That the call that is looked at means `part`, in the shape of one tool."""
        choice = Binary(
            operator="==", left=Argument(name=self.whole.choice), right=Constant(value=part.value)
        )
        return Binary(operator="and", left=Calling(tool=self.whole.tool), right=choice)

    def _phrase(self, part: Part) -> Template:
        """How prose names `part` in the shape of one tool: `ask(action=get_item)`."""
        return (
            Reference(target=self.whole.tool),
            Literally(text="("),
            Reference(target=self.choices.param),
            Literally(text="="),
            Reference(target=self.choices.value(part.value)),
            Literally(text=")"),
        )

    def _list(self) -> Template:
        """How prose names the whole in the shape of several tools: `get_item / get_material`."""
        found: list[Any] = []
        for part in self.parts:
            found += [Literally(text=" / "), Reference(target=part.tool)]
        return tuple(found[1:])

    def _expecting(self, test: TestCase, change: Any) -> TestCase:
        expect = tuple(change(one) if isinstance(one, ExpectCall) else one for one in test.expect)
        return test if expect == test.expect else test.model_copy(update={"expect": expect})

    def spelled(self) -> str:
        names = ", ".join(leaf(part.tool) for part in self.parts)
        return f"{names} as {leaf(self.whole.tool)} by {self.whole.choice}"


def _is_of(id_: SemanticId, tools: Sequence[SemanticId]) -> bool:
    """Whether `id_` is one of `tools` or lies under one."""
    return any(id_ == tool or id_.startswith(f"{tool}/") for tool in tools)


def moved_param(param: Param, tool: SemanticId) -> Param:
    """`param` as one of `tool`."""
    id_ = f"{tool}/param/{param.id.rsplit('/', 1)[1]}"
    return param.model_copy(
        update={
            "id": id_,
            "type": moved_type(param.type, id_),
            "description": moved_text(param.description, f"{id_}/description"),
        }
    )


def replaced(template: Template, old: Template, new: Template) -> Template:
    """`template` with `new` wherever `old` stands in it, at its top level."""
    found: list[Any] = []
    at = 0
    while at < len(template):
        if template[at : at + len(old)] == old:
            found += new
            at += len(old)
        else:
            found.append(template[at])
            at += 1
    return tuple(found)


def any_of(expressions: Iterable[Expression]) -> Expression:
    """That at least one of them holds."""
    found: Expression
    found, *others = expressions
    for other in others:
        found = Binary(operator="or", left=found, right=other)
    return found


def by_id(nodes: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(sorted(nodes, key=lambda node: node.id))
