"""A tool with a choice among words becomes one tool for each word."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from augmentors.adapters.choices import Choices
from augmentors.adapters.folding import Part, Whole, declared
from augmentors.adapters.reshaping import Reshaping
from augmentors.adapters.rewriting import Rewriting
from augmentors.adapters.unfold import Unfold
from harness_dsl.ir.core import Core, Param, Tool
from harness_dsl.ir.ids import SemanticId, join, leaf, parent
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference, Template, Text
from harness_dsl.ir.transcript import Call, Prose


class SplitTool(Reshaping):
    """param  id of the choice: a required parameter that is one of a few words
    into   each of the words, in their order, with the identifier of the tool that it becomes
    """

    kind: Literal["split-tool"] = "split-tool"
    one_to_many: ClassVar[bool] = True
    param: SemanticId
    into: tuple[tuple[str, str], ...]

    def problem(self, core: Core, surface: Surface) -> str | None:
        found = self._found(core)
        if found is None:
            return f"`{self.param}` is no parameter"
        if not all(name.isidentifier() for _, name in self.into):
            return "its new names are no identifiers"
        if any(join("tool", name) == self._tool for _, name in self.into):
            return f"`{leaf(self._tool)}` would be one of the tools that it becomes"
        tool, choice = found
        fixed = tool.description.fixed or (choice.description is not None and choice.description.fixed)
        if fixed:
            return "a description that would be worded otherwise is fixed"
        return self._unfold(core).problem(core, surface)

    @property
    def _tool(self) -> SemanticId:
        return parent(self.param)

    def _found(self, core: Core) -> tuple[Tool, Param] | None:
        pairs = ((tool, param) for tool in core.tools for param in tool.params)
        return next((pair for pair in pairs if pair[1].id == self.param), None)

    def _unfold(self, core: Core) -> Unfold:
        """What it does, said in full."""
        found = self._found(core)
        assert found is not None, "asked for after `problem`"
        tool, choice = found
        said = declared(core, tool)
        whole = Whole(choice=leaf(self.param), choice_text=choice.description, **said)
        one = said | {"implementation": None, "named": ()}
        parts = tuple(
            Part(
                **one
                | {"tool": join("tool", name), "description": self._description(tool, choice, value, name)},
                value=value,
            )
            for value, name in self.into
        )
        return Unfold(whole=whole, parts=parts)

    def _description(self, tool: Tool, choice: Param, value: str, name: str) -> Text:
        """The description of the tool, then what the choice is about and which one this is."""
        about = list(self._worded(choice.description)) or [()]
        own = list(self._worded(tool.description))

        def wording(at: int) -> Template:
            what = about[min(at, len(about) - 1)]
            opening = (Literally(text=" ("), *what, Literally(text=" ")) if what else (Literally(text=" ("),)
            last = Literally(text=f"{leaf(self.param)}: {value})")
            return (*own[min(at, len(own) - 1)], *opening, last)

        most = max(len(own), len(about))
        return Text(
            id=f"{join('tool', name)}/description",
            canonical=wording(0),
            alternatives=tuple(wording(at) for at in range(1, most)),
        )

    def _worded(self, text: Text | None) -> Iterator[Template]:
        """The wordings of `text`, in which the choice and its words, which are no more, are written out."""

        def reference(id_: SemanticId) -> Template:
            gone = id_ == self.param or id_.startswith(f"{self.param}/")
            return (Literally(text=leaf(id_)),) if gone else (Reference(target=id_),)

        if text is None:
            return
        said = Rewriting(lambda id_: id_, reference).text(text)
        yield from (said.canonical, *said.alternatives)

    def applied(self, core: Core) -> Core:
        return self._unfold(core).applied(core)

    def shown(self, core: Core, surface: Surface) -> Surface:
        return self._unfold(core).shown(core, surface)

    def inverse(self, core: Core) -> Reshaping:
        return self._unfold(core).inverse(core)

    @property
    def symbols(self) -> tuple[SemanticId, ...]:
        return (self._tool,)

    def spelled(self) -> str:
        return f"{leaf(self._tool)} split by {leaf(self.param)} in {', '.join(name for _, name in self.into)}"

    @property
    def _choices(self) -> Choices:
        words = tuple((value, join("tool", name)) for value, name in self.into)
        return Choices(self._tool, leaf(self.param), words)

    def call(self, call: Call) -> Call:
        return self._choices.unfolded(call)

    def call_back(self, call: Call) -> Call:
        return self._choices.folded(call)

    def tools(self, tool: SemanticId) -> tuple[SemanticId, ...]:
        return tuple(join("tool", name) for _, name in self.into) if tool == self._tool else (tool,)

    def prose(self, prose: Prose) -> Prose:
        return self._choices.said_unfolded(prose)

    def prose_back(self, prose: Prose) -> Prose:
        return self._choices.said_folded(prose)
