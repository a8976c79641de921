"""Names of symbols inside free text (thinking, replies), both ways.

A name that no word of a language looks like (`get_quote`, `getQuote`, `q2`) counts where it stands as a
whole identifier. Any other name (`price`, `报价`) counts only between backticks, which then belong to the
mention. A name that several symbols share is written with its owners, as `` `tool.get_quote.link` ``.

Writing and reading decide by the nearest characters that are no backticks, so they agree: a bare name next
to a letter, digit, `_` or `-` would not be a whole identifier and is put between backticks too.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, kind, leaf, parent
from harness_dsl.ir.naming import Naming, symbols
from harness_dsl.ir.transcript import Mention, Prose

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_WORD = re.compile(r"[A-Za-z0-9_-]")
_TICKED = r"`(?P<ticked>[^`\n]+)`"
_NO_WORD = re.compile(r"_|[A-Za-z].*[0-9]|[a-z][A-Z]")
_BARE = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z_][A-Za-z0-9_-]*(?![A-Za-z0-9_-])")


def is_no_ordinary_word(name: str) -> bool:
    """Whether `name` cannot be taken for a word: an identifier with `_`, letters and digits, or camelCase."""
    return bool(IDENTIFIER.fullmatch(name) and _NO_WORD.search(name) and any(c.isalpha() for c in name))


@dataclass(frozen=True, slots=True)
class Lifted:
    """`unresolved` lists what looks like an identifier of a harness but is no current name."""

    prose: Prose
    unresolved: tuple[str, ...]


class Mentions:
    """The names under one Surface, indexed for free text."""

    def __init__(self, core: Core, naming: Naming) -> None:
        every = symbols(core)
        count = Counter(naming.name(id_) for id_ in every)
        self._written: dict[SemanticId, str] = {}
        taken: dict[str, list[SemanticId]] = {}
        for id_ in every:
            name = naming.name(id_)
            written = name if count[name] == 1 else qualified(naming, id_)
            self._written[id_] = written
            taken.setdefault(written, []).append(id_)
        self._symbols = {
            written: ids[0] for written, ids in taken.items() if len(ids) == 1 and _writable(written)
        }
        self._naming = naming

    def written(self, symbol: SemanticId) -> str:
        """What a mention of `symbol` prints, without backticks."""
        return self._written.get(symbol) or self._naming.name(symbol)

    def lower(self, prose: Prose) -> str:
        """Free text with every mention as the current name."""
        words = [part if isinstance(part, str) else self.written(part.symbol) for part in prose]
        text = ""
        for index, part in enumerate(prose):
            if isinstance(part, str):
                text += part
                continue
            after = "".join(words[index + 1 :]).lstrip("`")
            bare = is_no_ordinary_word(words[index]) and not _touches(text.rstrip("`"), after)
            text += words[index] if bare else f"`{words[index]}`"
        return text

    def lift(self, text: str) -> Lifted:
        """The inverse of `lower`: literals and mentions, without empty or adjacent literals."""
        parts: list[str | Mention] = []
        unresolved: list[str] = []
        at = 0
        for start, end, symbol, word in self._found(text):
            if symbol is None:
                unresolved.append(word)
                continue
            if start > at:
                parts.append(text[at:start])
            parts.append(Mention(symbol=symbol))
            at = end
        if at < len(text):
            parts.append(text[at:])
        return Lifted(tuple(parts), tuple(unresolved))

    def _found(self, text: str) -> Iterator[tuple[int, int, SemanticId | None, str]]:
        """Each mention and each unresolved word as (start, end, symbol or None, word), left to right."""
        at = 0
        while match := _CANDIDATE.search(text, at):
            hit = self._ticked(text, match) if match["ticked"] else self._bare(text, match)
            if hit:
                yield hit
                at = hit[1]
            else:
                at = match.start() + 1 if match["ticked"] else match.end()

    def _ticked(self, text: str, match: re.Match[str]) -> tuple[int, int, SemanticId | None, str] | None:
        word = match["ticked"]
        symbol = self._symbols.get(word)
        if symbol is None:
            if not (is_no_ordinary_word(word) or (IDENTIFIER.fullmatch(word) and "." not in word)):
                return None
            # The word may still be a bare mention next to other backticks; only its ticks are passed over.
            return None if is_no_ordinary_word(word) else (match.start(), match.end(), None, word)
        touches = _touches(text[: match.start()].rstrip("`"), text[match.end() :].lstrip("`"))
        if is_no_ordinary_word(word) and not touches:
            return None
        return match.start(), match.end(), symbol, word

    def _bare(self, text: str, match: re.Match[str]) -> tuple[int, int, SemanticId | None, str] | None:
        word = match["bare"]
        if not is_no_ordinary_word(word):
            return None
        if _touches(text[: match.start()].rstrip("`"), text[match.end() :].lstrip("`")):
            return None
        return match.start(), match.end(), self._symbols.get(word), word


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


def _touches(before: str, after: str) -> bool:
    return bool((before and _WORD.match(before[-1])) or (after and _WORD.match(after[0])))


def _writable(name: str) -> bool:
    return "`" not in name and "\n" not in name
