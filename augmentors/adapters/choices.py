"""A call of one of several tools as a call of one tool that is told which of them is meant, and back."""

from dataclasses import dataclass

from augmentors.adapters.reshaping import AdapterError
from harness_dsl.ir.ids import SemanticId, join, leaf, segment
from harness_dsl.ir.transcript import Call, Mention, Prose


@dataclass(frozen=True)
class Choices:
    """`whole` stands for several tools, and its parameter `choice` says by one of `words` which is meant."""

    whole: SemanticId
    choice: str
    words: tuple[tuple[str, SemanticId], ...]

    @property
    def param(self) -> SemanticId:
        """The id of the choice."""
        return f"{self.whole}/param/{segment(self.choice)}"

    def value(self, word: str) -> SemanticId:
        """The id of one of its values."""
        return f"{self.param}/value/{join(word)}"

    def folded(self, call: Call) -> Call:
        """`call` of one of the tools as one of the whole. Raises `AdapterError`."""
        for word, tool in self.words:
            if tool == call.tool:
                if self.choice in call.arguments:
                    raise AdapterError(f"a call of `{leaf(call.tool)}` has an argument `{self.choice}`")
                return Call(tool=self.whole, arguments={self.choice: word, **call.arguments})
        return call

    def unfolded(self, call: Call) -> Call:
        """The inverse of `folded`."""
        if call.tool != self.whole:
            return call
        arguments = dict(call.arguments)
        said = arguments.pop(self.choice, None)
        for word, tool in self.words:
            if word == said:
                return Call(tool=tool, arguments=arguments)
        raise AdapterError(f"a call of `{leaf(call.tool)}` does not say which tool it means")

    def said_folded(self, prose: Prose) -> Prose:
        """Free text that speaks of the tools, as one that speaks of the words that mean them.

        What has several counterparts, such as a parameter of the whole, or none, is kept as words.
        """
        return tuple(self._folded(part) if isinstance(part, Mention) else part for part in prose)

    def said_unfolded(self, prose: Prose) -> Prose:
        """The inverse of `said_folded`."""
        return tuple(self._unfolded(part) if isinstance(part, Mention) else part for part in prose)

    def _folded(self, said: Mention) -> Mention | str:
        for word, tool in self.words:
            if said.symbol == tool:
                return Mention(symbol=self.value(word))
        under = any(said.symbol.startswith(f"{tool}/") for _, tool in self.words)
        return leaf(said.symbol) if under else said

    def _unfolded(self, said: Mention) -> Mention | str:
        for word, tool in self.words:
            if said.symbol == self.value(word):
                return Mention(symbol=tool)
        under = said.symbol == self.whole or said.symbol.startswith(f"{self.whole}/")
        return leaf(said.symbol) if under else said
