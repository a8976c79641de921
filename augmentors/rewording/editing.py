"""Edits of a bank that leave every other byte of its file as it is.

Places are those of the text as it was read; all edits of one pass are made at once, from the end to the
beginning.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from augmentors.rewording.bank import FORMAT, Bank, Entry, State, Wording
from harness_dsl.ir.ids import SemanticId

_PLAIN = re.compile(r"[A-Za-z0-9\u4e00-\u9fff][\w\u4e00-\u9fff ./+-]*(?<! )")
_WORDS_OF_YAML = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_UNSAFE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


@dataclass(frozen=True)
class New:
    """A wording that is not in the bank yet."""

    text: str
    state: State
    by: str
    language: str | None = None
    reason: str = ""

    def pairs(self) -> list[tuple[str, str]]:
        found = [("text", _quoted(self.text)), ("state", self.state)]
        if self.language is not None:
            found.append(("language", _scalar(self.language)))
        found.append(("by", _scalar(self.by)))
        if self.reason:
            found.append(("reason", _scalar(self.reason)))
        return found


@dataclass(frozen=True)
class _Splice:
    start: int
    end: int
    text: str


class Editor:
    """Collects edits of `bank`; `result` is its new text."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._source = bank.source
        self._newline = "\r\n" if "\r\n" in bank.source else "\n"
        self._splices: list[_Splice] = []
        self._entries: list[tuple[SemanticId, str, Sequence[New]]] = []

    def result(self) -> str:
        """The text with every edit."""
        if self._entries:
            self._append_entries()
        text = self._source
        # At one place, what was asked for first stands first.
        order = sorted(enumerate(self._splices), key=lambda one: (one[1].start, one[0]), reverse=True)
        for _, splice in order:
            text = text[: splice.start] + splice.text + text[splice.end :]
        return text

    @property
    def is_changed(self) -> bool:
        """Whether anything was asked for."""
        return bool(self._splices or self._entries)

    def set_state(self, wording: Wording, state: State, reason: str = "") -> None:
        """Gives a wording another state; a reason is that of a rejection, and goes with it."""
        pairs = {str(key.value): (key, value) for key, value in wording.node.value}
        key, value = pairs["state"]
        self._replace(value, state)
        if "reason" in pairs:
            if reason:
                self._replace(pairs["reason"][1], _scalar(reason))
            else:
                self._remove(wording.node, *pairs["reason"])
        elif reason:
            self._insert_pair(wording.node, key, value, "reason", _scalar(reason))

    def set_canonical(self, entry: Entry, text: str) -> None:
        """Says that the wordings of `entry` are of another canonical text now."""
        self._replace(entry.canonical_node, _quoted(text))

    def add(self, entry: Entry, new: Sequence[New]) -> None:
        """Wordings behind those of `entry`."""
        node = entry.list_node
        if not new:
            return
        if isinstance(node, SequenceNode) and node.flow_style:
            self._insert_flow(node, [_flow(one.pairs()) for one in new])
            return
        if isinstance(node, SequenceNode) and node.value:
            indent = self._column(node.start_mark.index)
            at = self._behind(node)
            self._splices.append(_Splice(at, at, self._lead(at) + self._items(new, indent)))
            return
        self._first_wordings(entry, new)

    def add_entry(self, id_: SemanticId, canonical: str, new: Sequence[New]) -> None:
        """A text that is not in the bank yet, behind the others."""
        self._entries.append((id_, canonical, new))

    def _first_wordings(self, entry: Entry, new: Sequence[New]) -> None:
        """The list is missing or null."""
        if entry.node.flow_style:
            shown = "[" + ", ".join(_flow(one.pairs()) for one in new) + "]"
            if entry.list_node is not None:
                self._replace(entry.list_node, shown)
            else:
                self._insert_flow(entry.node, [f"wordings: {shown}"])
            return
        indent = self._column(entry.node.start_mark.index)
        items = self._items(new, indent + 2)
        if entry.list_node is not None:
            node = entry.list_node
            at = self._line_end(node.end_mark.index)
            self._splices.append(_Splice(node.start_mark.index, node.end_mark.index, ""))
            self._splices.append(_Splice(at, at, self._lead(at) + items))
            return
        at = self._behind(entry.node)
        self._splices.append(
            _Splice(at, at, f"{self._lead(at)}{' ' * indent}wordings:{self._newline}{items}")
        )

    def _append_entries(self) -> None:
        node = self._bank.texts_node
        if isinstance(node, MappingNode) and node.value and node.flow_style:
            self._insert_flow(node, [_flow_entry(*entry) for entry in self._entries])
            return
        indent, step = self._indents()
        text = "".join(self._entry(*entry, indent, step) for entry in self._entries)
        if isinstance(node, MappingNode) and node.value:
            at = self._behind(node)
            self._splices.append(_Splice(at, at, self._lead(at) + text))
        elif node is None:
            at = len(self._source)
            self._splices.append(_Splice(at, at, f"{self._lead(at)}texts:{self._newline}{text}"))
        else:
            at = self._line_end(node.end_mark.index)
            self._splices.append(_Splice(node.start_mark.index, node.end_mark.index, ""))
            self._splices.append(_Splice(at, at, self._lead(at) + text))

    def _entry(self, id_: SemanticId, canonical: str, new: Sequence[New], indent: int, step: int) -> str:
        pad, inner = " " * indent, " " * (indent + step)
        head = (f"{pad}{_scalar(id_)}:", f"{inner}canonical: {_quoted(canonical)}", f"{inner}wordings:")
        lines = "".join(f"{line}{self._newline}" for line in head)
        return lines + self._items(new, indent + 2 * step)

    def _items(self, new: Iterable[New], indent: int) -> str:
        pad, lines = " " * indent, []
        for one in new:
            for at, (key, value) in enumerate(one.pairs()):
                lines.append(f"{pad}{'- ' if at == 0 else '  '}{key}: {value}{self._newline}")
        return "".join(lines)

    def _indents(self) -> tuple[int, int]:
        """How far keys of `texts` stand from the left, and how much further their own."""
        node = self._bank.texts_node
        if not isinstance(node, MappingNode) or not node.value or node.flow_style:
            return 2, 2
        key, value = node.value[-1]
        indent = self._column(key.start_mark.index)
        inner = self._column(value.start_mark.index) - indent if isinstance(value, MappingNode) else 2
        return indent, inner if 1 <= inner <= 8 and not value.flow_style else 2

    def _replace(self, node: Node, text: str) -> None:
        end = node.end_mark.index
        if isinstance(node, ScalarNode) and node.style in ("|", ">"):
            # A block text ends where the next thing begins.
            end = self._content_end(node)
        self._splices.append(_Splice(node.start_mark.index, end, text))

    def _remove(self, node: MappingNode, key: Node, value: Node) -> None:
        if node.flow_style:
            start, end = key.start_mark.index, value.end_mark.index
            before = re.compile(r",\s*$").search(self._source, node.start_mark.index, start)
            self._splices.append(_Splice(before.start() if before else start, end, ""))
            return
        start = self._source.rfind("\n", 0, key.start_mark.index) + 1
        if self._source[start : key.start_mark.index].strip():
            self._replace(value, '""')  # the first pair of an item stands behind its dash
            return
        self._splices.append(_Splice(start, self._line_end(self._content_end(value)), ""))

    def _insert_pair(self, node: MappingNode, key: Node, value: Node, name: str, text: str) -> None:
        if node.flow_style:
            at = value.end_mark.index
            self._splices.append(_Splice(at, at, f", {name}: {text}"))
            return
        at = self._line_end(self._content_end(value))
        pad = " " * self._column(key.start_mark.index)
        self._splices.append(_Splice(at, at, f"{self._lead(at)}{pad}{name}: {text}{self._newline}"))

    def _insert_flow(self, node: MappingNode | SequenceNode, items: list[str]) -> None:
        at = node.end_mark.index - 1
        inside = self._source[node.start_mark.index + 1 : at].rstrip()
        comma = ", " if node.value and not inside.endswith(",") else ""
        self._splices.append(_Splice(at, at, comma + ", ".join(items)))

    def _behind(self, node: Node) -> int:
        """The begin of the line behind all of `node`."""
        return self._line_end(self._content_end(node))

    def _content_end(self, node: Node) -> int:
        """Where the last letter of `node` ends: collections reach up to what follows them."""
        while isinstance(node, MappingNode | SequenceNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        end: int = node.end_mark.index
        if isinstance(node, ScalarNode) and node.style in ("|", ">"):
            end = node.start_mark.index + len(self._source[node.start_mark.index : end].rstrip())
        return end

    def _line_end(self, index: int) -> int:
        """The begin of the next line; the end of the text if there is none."""
        end = self._source.find("\n", index)
        return len(self._source) if end < 0 else end + 1

    def _lead(self, index: int) -> str:
        """A line end, if the line before `index` has none."""
        return self._newline if index and self._source[index - 1] != "\n" else ""

    def _column(self, index: int) -> int:
        return index - (self._source.rfind("\n", 0, index) + 1)


def fresh(head: str) -> str:
    """A bank without texts. `head`: comment lines."""
    return "".join(f"# {line}\n" for line in head.splitlines()) + f"bank: {FORMAT}\ntexts:\n"


def _flow_entry(id_: SemanticId, canonical: str, new: Sequence[New]) -> str:
    wordings = "[" + ", ".join(_flow(one.pairs()) for one in new) + "]"
    return f"{_quoted(id_)}: " + _flow([("canonical", _quoted(canonical)), ("wordings", wordings)])


def _flow(pairs: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"


def _scalar(text: str) -> str:
    """`text` bare where YAML takes it for a text that way."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML and not text[0].isdigit():
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    if '"' in text and not re.search(r"[\x00-\x1f\\]", text) and not _UNSAFE.search(text):
        return "'" + text.replace("'", "''") + "'"
    shown = json.dumps(text, ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", shown)
