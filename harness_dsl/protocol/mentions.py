"""Names of symbols inside free text (thinking, replies), both ways.

A name that only a program would write (`get_quote`, `getQuote`) counts where it stands as a whole identifier;
of tools and skills, so does one that words rarely look like (`q2`, `WebFetch`). Any other name (`price`,
`报价`, the values `GitHub` and `CO2`) counts only between backticks. The backticks are literal text, so
`` `price` `` and `` `get_quote` `` are the same prose under two Surfaces. A name that several symbols share
is written with its owners, as `` `tool.get_quote.link` ``.

Where a mention would not count as it stands (an ordinary name without backticks, a name next to a letter,
digit, `_`, `-` or a sign of paths and addresses), it is written between two more backticks, which belong to
it: ``` ``price`` ```. One more is added if there are two or more already, so that reading can tell: see
`_added` and `_own`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId, kind, leaf, parent
from harness_dsl.ir.naming import Naming, symbols
from harness_dsl.ir.transcript import Mention, Prose

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_BEFORE = re.compile(r"[A-Za-z0-9_$@/\\-]")
_BEHIND = re.compile(r"[A-Za-z0-9_@/\\-]|\.[A-Za-z0-9_]")
_SNAKE, _HUMP = re.compile("[A-Za-z0-9]_+[A-Za-z0-9]"), re.compile("[a-z]{2}[a-z0-9]*[A-Z][A-Za-z0-9]*[a-z]")
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1|\Z)", re.M | re.S)
_ATTRIBUTE, _ASSIGNED = re.compile(r"[A-Za-z0-9_)\]]\.$"), re.compile(r"\s?=|\.[A-Za-z0-9_]")
_TICKED = r"`(?P<ticked>[^`\n]+)`"
_LETTER, _DIGIT, _CAMEL = re.compile("[A-Za-z]"), re.compile("[0-9]"), re.compile("[a-z][A-Z]")
_BARE = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z_][A-Za-z0-9_-]*(?![A-Za-z0-9_-])")


def is_of_programs(name: str) -> bool:
    """Whether only programs write `name`: words joined by `_`, or as in `getQuote`.

    `GitHub`, `iPhone`, `macOS`, `kWh`, `CO2` and `v2` are words of people.
    """
    return bool(IDENTIFIER.fullmatch(name) and (_SNAKE.search(name) or _HUMP.match(name)))


def is_no_ordinary_word(name: str) -> bool:
    """Whether `name` is rarely taken for a word: an identifier with `_`, letters and digits, or camelCase."""
    letter = _LETTER.search(name)
    if letter is None or not IDENTIFIER.fullmatch(name):
        return False
    return bool("_" in name or _DIGIT.search(name, letter.end()) or _CAMEL.search(name))


def stands_bare(symbol: SemanticId, name: str) -> bool:
    """Whether `name` is taken for `symbol` without backticks."""
    return is_of_programs(name) or (kind(symbol) in _CALLED and is_no_ordinary_word(name))


@dataclass(frozen=True, slots=True)
class Lifted:
    """`unresolved` lists what looks like an identifier of a harness but is no current name. Blocks of code
    are full of identifiers of other programs: there, none counts.
    """

    prose: Prose
    unresolved: tuple[str, ...]


class Mentions:
    """The names under one Surface, indexed for free text."""

    def __init__(self, core: Core, naming: Naming) -> None:
        every = symbols(core)
        self._names = dict(zip(every, naming.names(every), strict=True))
        self._count = Counter(self._names.values())
        self._alone = {name: id_ for id_, name in self._names.items() if self._count[name] == 1}
        self._naming = naming

    def is_shared(self, name: str) -> bool:
        """Whether several symbols are shown as `name`, so that alone it says none of them."""
        return self._count[name] > 1

    def written(self, symbol: SemanticId) -> str:
        """What a mention of `symbol` prints, without backticks."""
        name = self._names.get(symbol)
        if name is None or self._count[name] == 1:
            return name or self._naming.name(symbol)
        return qualified(self._naming, symbol)

    def _symbol(self, word: str) -> SemanticId | None:
        """The one symbol that is written `word`, if there is one."""
        # Only a name with its owners has a dot that is not its own.
        found = self._with_owners.get(word) if "." in word else self._alone.get(word)
        return found if found is not None and _writable(word) else None

    @cached_property
    def _with_owners(self) -> dict[str, SemanticId]:
        written = [(self.written(id_), id_) for id_ in self._names]
        taken = Counter(word for word, _ in written)
        return {word: id_ for word, id_ in written if taken[word] == 1}

    def lower(self, prose: Prose) -> str:
        """Free text with every mention as the current name."""
        words = [part if isinstance(part, str) else self.written(part.symbol) for part in prose]
        text = ""
        for index in reversed(range(len(prose))):
            part = prose[index]
            if isinstance(part, str):
                text = part + text
                continue
            literal, before = _literal_before(prose, index), "".join(words[:index])
            around = min(_ticks_before(literal, len(literal)), _ticks_after(text, 0))
            bare = stands_bare(part.symbol, words[index])
            exposed = not bare or _touches(before, len(before), text, 0)
            ticks = "`" * _added(around) if exposed else ""
            text = ticks + words[index] + ticks + text
        return text

    def lift(self, text: str) -> Lifted:
        """The inverse of `lower`: literals and mentions, without empty or adjacent literals."""
        parts: list[str | Mention] = []
        unresolved: list[str] = []
        code = [found.span() for found in _FENCED.finditer(text)] if "```" in text or "~~~" in text else []
        at = 0
        for hit in self._found(text):
            if hit.symbol is None:
                if not any(start <= hit.start < end for start, end in code):
                    unresolved.append(hit.word)
                continue
            if hit.start > at:
                parts.append(text[at : hit.start])
            parts.append(Mention(symbol=hit.symbol))
            at = hit.end
        if at < len(text):
            parts.append(text[at:])
        return Lifted(tuple(parts), tuple(unresolved))

    def _found(self, text: str) -> Iterator["_Hit"]:
        """Mentions and unresolved words, left to right."""
        at = 0
        search = 0
        while match := _CANDIDATE.search(text, search):
            hit = self._ticked(text, match, at) if match["ticked"] else self._bare(text, match)
            if hit:
                yield hit
                at = search = hit.end
            else:
                search = match.start() + 1 if match["ticked"] else match.end()

    def _ticked(self, text: str, match: re.Match[str], at: int) -> "_Hit | None":
        word = match["ticked"]
        symbol = self._symbol(word)
        if symbol is None:
            unknown = IDENTIFIER.fullmatch(word) and not is_of_programs(word)
            return _Hit(match.start() + 1, match.end() - 1, None, word) if unknown else None
        start, end = match.span("ticked")
        own = 0
        if not stands_bare(symbol, word) or _touches(text, start, text, end):
            own = _own(min(_ticks_before(text, start, at), _ticks_after(text, end)))
        return _Hit(start - own, end + own, symbol, word)

    def _bare(self, text: str, match: re.Match[str]) -> "_Hit | None":
        word, symbol = match["bare"], self._symbol(match["bare"])
        if _touches(text, match.start(), text, match.end()):
            return None
        if symbol is not None:
            found = stands_bare(symbol, word)
        else:
            found = is_of_programs(word) and not _is_of_code(text, match.start(), match.end())
        return _Hit(match.start(), match.end(), symbol, word) if found else None


@dataclass(frozen=True, slots=True)
class _Hit:
    """A mention, or (symbol None) a word that looks like one, with the backticks that are its own."""

    start: int
    end: int
    symbol: SemanticId | None
    word: str


_CALLED = frozenset({"tool", "skill", kind(LOAD_SKILL)})
"""Kinds whose names prose uses as names: it calls and loads them."""

_CANDIDATE = re.compile(f"{_TICKED}|(?P<bare>{_BARE.pattern})")


def qualified(naming: Naming, symbol: SemanticId) -> str:
    """`symbol` by the shown names of its owners, as in `tool.get_quote.link`."""
    parts = symbol.split("/")
    if parts[0] == "prompt":
        return f"section.{naming.name(symbol)}"
    names = [naming.name(symbol)]
    while symbol.count("/") > 1:
        symbol = parent(symbol)
        names.append(naming.name(symbol) if kind(symbol) != "type" else leaf(symbol))
    return ".".join([parts[0], *reversed(names)])


def _added(around: int) -> int:
    """How many backticks a mention gets on each side when `around` stand there already."""
    return {0: 2, 1: 0}.get(around, 1)


def _own(around: int) -> int:
    """The inverse: how many of `around` backticks belong to the mention."""
    return {1: 0, 2: 2}.get(around, 1)


def _touches(before: str, end: int, after: str, start: int) -> bool:
    """Whether the nearest character that is no backtick, on either side, could belong to an identifier, a
    path or an address.
    """
    end -= _ticks_before(before, end)
    start += _ticks_after(after, start)
    return bool(_BEFORE.match(before[end - 1 : end]) or _BEHIND.match(after[start : start + 2]))


def _is_of_code(text: str, start: int, end: int) -> bool:
    """Whether an unknown identifier is one of the code around it: an attribute, an argument, a variable."""
    return bool(_ATTRIBUTE.search(text, max(0, start - 2), start) or _ASSIGNED.match(text, end))


def _literal_before(prose: Prose, index: int) -> str:
    """The literal text between the mention at `index` and the one before it."""
    text = ""
    while index and isinstance(part := prose[index - 1], str):
        text = part + text
        index -= 1
    return text


def _ticks_before(text: str, end: int, floor: int = 0) -> int:
    """How many backticks stand right before `end`, not counting any before `floor`."""
    start = end
    while start > floor and text[start - 1] == "`":
        start -= 1
    return end - start


def _ticks_after(text: str, start: int) -> int:
    """How many backticks stand at `start`."""
    end = start
    while end < len(text) and text[end] == "`":
        end += 1
    return end - start


def _writable(name: str) -> bool:
    return "`" not in name and "\n" not in name
