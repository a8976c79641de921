"""Reads a bank of wordings, and says where it is not written as one."""

import re
from collections.abc import Iterator
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from augmentors.rewording.bank import FORMAT, STATES, Bank, Entry, State, Wording
from harness_dsl.diagnostics import Diagnostic, Span, did_you_mean
from harness_dsl.diagnostics.codes import CODES

_MOST_BYTES = 16 << 20
_ENTRY = ("canonical", "wordings")
_WORDING = ("text", "state", "language", "by", "reason", "allow")


def load_bank(path: str | Path) -> Bank:
    """The bank at `path`. Raises `OSError`."""
    data = Path(path).read_bytes()
    if len(data) > _MOST_BYTES:
        return _broken(str(path), "", "the file is larger than 16 MB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        shown = data.decode("utf-8", errors="replace")
        at = len(data[: error.start].decode("utf-8", errors="replace"))
        return _broken(str(path), shown, "the file is not UTF-8 text", at)
    return read_bank(text, str(path))


def read_bank(text: str, path: str) -> Bank:
    """The bank that `text` writes. Line ends and comments stay as they are."""
    body = text.removeprefix("\ufeff")
    try:
        root = YAML(typ="safe", pure=True).compose(body)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return _broken(path, body, error.problem or "this is no YAML", mark.index if mark else 0)
    except (YAMLError, ValueError, RecursionError) as error:
        return _broken(path, body, str(error).splitlines()[0] or "this is no YAML")
    return _Reader(path, body).bank(root)


def _broken(path: str, source: str, message: str, at: int = 0) -> Bank:
    end = min(len(source), at + 1)
    fault = Diagnostic("HD720", message, Span(path, min(at, end), end), "Write the bank as YAML in UTF-8.")
    return Bank(path, source, {}, None, [fault])


class _Reader:
    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.source = source
        self.faults: list[Diagnostic] = []
        self.met: set[int] = set()

    def bank(self, root: Node | None) -> Bank:
        if root is None:
            return _broken(self.path, self.source, "the file is empty")
        found = self._mapping(root, ("bank", "texts"), "a bank")
        number = found.get("bank")
        if number is None or self._scalar(number) != str(FORMAT):
            at = number if number is not None else root
            self._say(f"this is no bank of format {FORMAT}", at, f"Begin with `bank: {FORMAT}`.")
        texts = found.get("texts")
        entries: dict[str, Entry] = {}
        if texts is not None and not _is_null(texts):
            for key, value in self._pairs(texts, "`texts`"):
                entry = self._entry(key, value)
                if entry is not None:
                    entries[entry.id] = entry
        return Bank(self.path, self.source, entries, texts, self.faults)

    def _entry(self, key: ScalarNode, node: Node) -> Entry | None:
        found = self._mapping(node, _ENTRY, "a text")
        canonical, wordings = found.get("canonical"), found.get("wordings")
        if not isinstance(node, MappingNode):
            return None
        if canonical is None:
            self._say("`canonical` is missing", key, "Say which text the wordings were made for.")
            return None
        text = self._text(canonical, "`canonical`")
        if text is None:
            return None
        read: list[Wording] = []
        if wordings is not None and not _is_null(wordings):
            if not isinstance(wordings, SequenceNode):
                self._say("`wordings` must be a list", wordings, "Put `- ` before each wording.")
            else:
                self._meet(wordings)
                for item in wordings.value:
                    wording = self._wording(item)
                    if wording is not None:
                        read.append(wording)
        at, where = self._span(key), self._span(canonical)
        return Entry(key.value, text, tuple(read), at, where, node, canonical, wordings)

    def _wording(self, node: Node) -> Wording | None:
        found = self._mapping(node, _WORDING, "a wording")
        if not isinstance(node, MappingNode):
            return None
        for key in ("text", "state"):
            if key not in found:
                self._say(f"a wording without `{key}`", node, f"Add `{key}`.")
                return None
        text, state = self._text(found["text"], "`text`"), self._state(found["state"])
        others = [self._text(found[key], f"`{key}`") for key in ("language", "by", "reason") if key in found]
        if text is None or state is None or None in others:
            return None
        said = {key: str(found[key].value) for key in ("language", "by", "reason") if key in found}
        at, plain = self._place(found["text"], text)
        return Wording(
            text=text,
            state=state,
            language=said.get("language"),
            by=said.get("by", ""),
            reason=said.get("reason", ""),
            allowed=self._allowed(found.get("allow")),
            at=at,
            plain=plain,
            node=node,
        )

    def _state(self, node: Node) -> State | None:
        value = self._scalar(node)
        for state in STATES:
            if value == state:
                return state
        close = did_you_mean(value or "", STATES)
        listed = ", ".join(f"`{state}`" for state in STATES)
        said = f"there is no state `{value}`" if value is not None else "a state is one word"
        self._say(said, node, f"Write one of {listed}{f' ({close})' if close else ''}.")
        return None

    def _allowed(self, node: Node | None) -> dict[str, str]:
        if node is None:
            return {}
        found = {}
        for key, value in self._pairs(node, "`allow`"):
            reason = self._text(value, "the reason")
            if key.value not in CODES:
                self._say(f"there is no code `{key.value}`", key, "Write the code of the refusal.")
            elif reason is not None:
                found[str(key.value)] = reason
        return found

    def _mapping(self, node: Node, known: tuple[str, ...], what: str) -> dict[str, Node]:
        found = {}
        for key, value in self._pairs(node, what):
            if key.value not in known:
                close = did_you_mean(str(key.value), known)
                listed = ", ".join(f"`{one}`" for one in known)
                help_ = f"Write one of {listed}{f' ({close})' if close else ''}."
                self._say(f"{what} has no key `{key.value}`", key, help_)
                continue
            found[str(key.value)] = value
        return found

    def _pairs(self, node: Node, what: str) -> Iterator[tuple[ScalarNode, Node]]:
        if not isinstance(node, MappingNode):
            self._say(f"{what} must be a mapping", node, "Write `key: value` lines.")
            return
        self._meet(node)
        seen: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                self._say("a key must be a word", key, "Write it on one line.")
            elif key.value in seen:
                self._say(f"`{key.value}` stands twice", key, "Keep one of the two.")
            else:
                seen.add(key.value)
                yield key, value

    def _meet(self, node: Node) -> None:
        """Editing one of two places that are one node would edit both."""
        if id(node) in self.met:
            self._say("an alias stands for another place", node, "Write it out.")
        self.met.add(id(node))

    def _text(self, node: Node, what: str) -> str | None:
        value = self._scalar(node)
        if value is None or not value.strip():
            self._say(f"{what} must be a text", node, "Write a text in quotes.")
            return None
        if re.search(r"[\ud800-\udfff]", value):
            self._say(f"{what} has half a character in it", node, "Write the whole character.")
            return None
        return value

    @staticmethod
    def _scalar(node: Node) -> str | None:
        if not isinstance(node, ScalarNode) or _is_null(node):
            return None
        return str(node.value)

    def _place(self, node: Node, text: str) -> tuple[Span, bool]:
        """Where the text of a scalar stands, and whether it is written letter by letter."""
        span = self._span(node)
        for lead in (0, 1):
            if self.source[span.start + lead : span.start + lead + len(text)] == text:
                return Span(self.path, span.start + lead, span.start + lead + len(text)), True
        return span, False

    def _span(self, node: Node) -> Span:
        start = node.start_mark.index
        line_end = self.source.find("\n", start)
        end = node.end_mark.index
        if isinstance(node, MappingNode | SequenceNode) and line_end >= 0:
            end = min(end, line_end)
        return Span(self.path, start, max(start, end))

    def _say(self, message: str, node: Node, help_: str) -> None:
        self.faults.append(Diagnostic("HD720", message, self._span(node), help_))


def _is_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and str(node.tag) == "tag:yaml.org,2002:null"
