"""A bank of wordings as it stands in its file: texts by id, each with wordings, their state and their origin.

bank: 1
texts:
  tool/get_quote/description:
    canonical: "Look up the current price of a link."
    wordings:
      - text: "Find out what a link costs now."
        state: accepted
        by: "rule en.look-up"
"""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, get_args

from ruamel.yaml.nodes import MappingNode, Node

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.ir.ids import SemanticId

State = Literal["proposed", "accepted", "rejected"]
STATES: tuple[State, ...] = get_args(State)
SUFFIX = ".wordings.yaml"
FORMAT = 1


@dataclass(frozen=True)
class Wording:
    """One wording of a text. `by`: a rule, a model, a person. `reason`: why it is rejected. `allowed`: by
    code, why a check that refuses it is wrong. `node`: the mapping in the file.
    """

    text: str
    state: State
    language: str | None
    by: str
    reason: str
    allowed: dict[str, str]
    at: Span
    plain: bool
    node: MappingNode

    def place(self, start: int, end: int) -> Span:
        """Where characters of the text stand in the file; the whole text where it is not written as it is."""
        if not self.plain:
            return self.at
        begin = self.at.start + min(start, self.at.end - self.at.start)
        return Span(self.at.path, begin, max(begin, self.at.start + end))


@dataclass(frozen=True)
class Entry:
    """The wordings of one text. `canonical`: what the text was when they were made."""

    id: SemanticId
    canonical: str
    wordings: tuple[Wording, ...]
    at: Span
    canonical_at: Span
    node: MappingNode
    canonical_node: Node
    list_node: Node | None


@dataclass(frozen=True)
class Bank:
    """`source` is the text of the file without a byte-order mark. With `faults`, entries are what could be
    read.
    """

    path: str
    source: str
    entries: dict[SemanticId, Entry]
    texts_node: Node | None
    faults: list[Diagnostic] = field(default_factory=list)

    @property
    def shown(self) -> dict[str, str]:
        """The text by its path as diagnostics show it: as long, with line feeds alone ending lines."""
        return {self.path: self.source.replace("\r\n", " \n")}


def key_of(id_: SemanticId, text: str) -> str:
    """A short name of one wording, which stays when others come or go."""
    return sha256(f"{id_}\0{text}".encode()).hexdigest()[:8]
