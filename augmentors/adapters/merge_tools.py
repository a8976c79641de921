"""Tools that take the same arguments become one, with a choice that says which of them is meant."""

from typing import Literal

from augmentors.adapters.choices import Choices
from augmentors.adapters.fold import Fold
from augmentors.adapters.folding import Part, Whole, declared
from augmentors.adapters.reshaping import Reshaping
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, join, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Template, Text
from harness_dsl.ir.transcript import Call, Prose
from harness_dsl.ir.types import Type, UnionType


class MergeTools(Reshaping):
    """merged  ids of the tools, sorted; each is meant by its identifier
    into    identifier of the one tool
    choice  identifier of its parameter that says which is meant
    """

    kind: Literal["merge-tools"] = "merge-tools"
    merged: tuple[SemanticId, ...]
    into: str
    choice: str

    def problem(self, core: Core, surface: Surface) -> str | None:
        known = {tool.id for tool in core.tools}
        if list(self.merged) != sorted(set(self.merged)) or not known.issuperset(self.merged):
            return "its tools are none of the harness, not sorted, or named twice"
        if not (self.into.isidentifier() and self.choice.isidentifier()):
            return "its new names are no identifiers"
        if join("tool", self.into) in known:
            return f"`{self.into}` is a tool already"
        if len(self.merged) < 2:
            return "there are not several such tools"
        if any(tool.description.fixed for tool in core.tools if tool.id in self.merged):
            return "a description that would be worded otherwise is fixed"
        return self._fold(core).problem(core, surface)

    def _fold(self, core: Core) -> Fold:
        """What it does, said in full."""
        tools = {tool.id: tool for tool in core.tools}
        parts = tuple(
            Part(value=leaf(id_), **declared(core, tools[id_])) for id_ in self.merged if id_ in tools
        )
        whole = Whole(
            tool=join("tool", self.into),
            choice=self.choice,
            choice_text=None,
            description=self._description(parts),
            returns=_union([part.returns for part in parts]),
            implementation=None,
            fails=tuple(sorted({failure for part in parts for failure in part.fails})),
            used_by=tuple(sorted({id_ for part in parts for id_ in part.used_by})),
            named=(),
        )
        return Fold(whole=whole, parts=parts)

    def _description(self, parts: tuple[Part, ...]) -> Text:
        """The descriptions of the tools one below the other, each behind the value that means it."""
        most = max(len(part.description.alternatives) for part in parts)

        def wording(at: int) -> Template:
            said: list[Template] = []
            for part in parts:
                own = (part.description.canonical, *part.description.alternatives)
                value = Reference(target=self._choices.value(part.value))
                said.append((value, Literally(text=": "), *own[min(at, len(own) - 1)]))
            lines = [line if not n else (Literally(text="\n"), *line) for n, line in enumerate(said)]
            return tuple(piece for line in lines for piece in line)

        return Text(
            id=f"{join('tool', self.into)}/description",
            canonical=wording(0),
            alternatives=tuple(wording(at) for at in range(1, most + 1)),
            fixed=any(part.description.fixed for part in parts),
        )

    def applied(self, core: Core) -> Core:
        return self._fold(core).applied(core)

    def shown(self, core: Core, surface: Surface) -> Surface:
        return self._fold(core).shown(core, surface)

    def inverse(self, core: Core) -> Reshaping:
        return self._fold(core).inverse(core)

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return self.merged

    def spelled(self) -> str:
        return f"{', '.join(map(leaf, self.merged))} merged in {self.into} by {self.choice}"

    @property
    def _choices(self) -> Choices:
        words = tuple((leaf(id_), id_) for id_ in self.merged)
        return Choices(join("tool", self.into), self.choice, words)

    def call(self, call: Call) -> Call:
        return self._choices.folded(call)

    def call_back(self, call: Call) -> Call:
        return self._choices.unfolded(call)

    def tools(self, tool: SemanticId) -> tuple[SemanticId, ...]:
        return (join("tool", self.into),) if tool in self.merged else (tool,)

    def prose(self, prose: Prose) -> Prose:
        return self._choices.said_folded(prose)

    def prose_back(self, prose: Prose) -> Prose:
        return self._choices.said_unfolded(prose)


def _union(types: list[Type]) -> Type:
    """Values of any of `types`, each named once."""
    options: list[Type] = []
    for type_ in types:
        for option in type_.options if isinstance(type_, UnionType) else (type_,):
            if option not in options:
                options.append(option)
    return options[0] if len(options) == 1 else UnionType(options=tuple(options))
