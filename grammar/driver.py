"""The LR driver: tokens and tables to nodes, with panic-mode recovery."""

from collections.abc import Callable
from typing import Any, NamedTuple

from grammar.lexer import DECLARATIONS, END, Token
from grammar.tables import RULES, STARTS, TABLE

Row = dict[str, int]
_ROWS: list[Row | None] = [None] * len(TABLE)
_PASSING = tuple(
    origin if single and length == 1 and origin[0] != "_" and not spliced and kept else ""
    for origin, _, length, single, kept, spliced in RULES
)
"""The origin of each rule that only lets its one child stand for it: a third of what is reduced."""


def row_of(state: int) -> Row:
    """What can be done in `state`, read from its text when it is first met: one file meets few of all states.

    A positive number is one more than the state to go to, after shifting a terminal or reducing to a rule;
    a negative one is `-1 - rule`, the rule to reduce by.
    """
    row = _ROWS[state]
    if row is None:
        words = TABLE[state].split()
        row = _ROWS[state] = {words[at]: int(words[at + 1]) for at in range(0, len(words), 2)}
    return row


Build = Callable[[str, list[Any], int, int], Any]
"""(name of the node, children, start, end) → node. Children are nodes and kept tokens."""


class Unexpected(NamedTuple):
    """`token` cannot stand here. `expected`: what could. `opener`: the innermost bracket still open."""

    token: Token
    expected: tuple[str, ...]
    opener: Token | None


class Parsed:
    """`root` is None when nothing could be saved. `lost`: words of declarations that were dropped.

    `too_high`: where a node stands that would be higher than HEIGHT; parsing ends there. `given_up`: there
    are more mistakes than MISTAKES; parsing ended, and `root` is None.
    """

    __slots__ = ("given_up", "lost", "problems", "root", "too_high")

    def __init__(self) -> None:
        self.root: Any = None
        self.too_high: tuple[int, int] | None = None
        self.given_up = False
        self.problems: list[Unexpected] = []
        self.lost: set[str] = set()


_CLOSE = {"RBRACE": "LBRACE", "RPAR": "LPAR", "RSQB": "LSQB"}
_OPEN = frozenset(_CLOSE.values())


HEIGHT = 60
"""The greatest height of a tree, so that passes over it may recurse."""

_PARTS = 12
"""More symbols than any rule has: a stack of HEIGHT times as many holds a tree that is too high."""

MISTAKES = 1000
"""After so many, what is parsed is no harness, and going on would help nobody."""


class _Spliced(list[Any]):
    """Children of a helper rule; they become children of the rule that uses it."""


def parse(tokens: list[Token], start: str, build: Build) -> Parsed:
    """Parses `tokens` (ended by END) from the rule `start`. Never raises; every mistake is in `problems`."""
    return _Parse(tokens, start, build).run()


class _Parse:
    def __init__(self, tokens: list[Token], start: str, build: Build) -> None:
        first, self.final = STARTS[start]
        self.start = start
        self.tokens = tokens
        self.build = build
        self.states = [first]
        self.before = [first]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.heights: list[int] = []
        self.parsed = Parsed()

    def run(self) -> Parsed:
        tokens, states, index, rows = self.tokens, self.states, 0, _ROWS
        reducing = False
        while True:
            token = tokens[index]
            row = rows[states[-1]] or row_of(states[-1])
            action = row.get(token.keyword) or row.get(token.kind)
            if action is None:
                if not reducing:
                    self.before = states[:]
                reducing = False
                index = self._recover(index)
                if index < 0:
                    return self.parsed
            elif action > 0:
                if token.keyword in row:
                    token.kind = token.keyword
                if len(states) > HEIGHT * _PARTS:
                    self.parsed.too_high = token.start, token.end
                    return self.parsed
                states.append(action - 1)
                self.values.append(token)
                self.starts.append(token.start)
                self.ends.append(token.end)
                self.heights.append(0)
                index += 1
                reducing = False
            else:
                if not reducing:
                    self.before = states[:]
                    reducing = True
                passing = _PASSING[-1 - action]
                if passing:
                    states[-1] = row_of(states[-2])[passing] - 1
                else:
                    self._reduce(-1 - action, token.start)
                if self.heights[-1] > HEIGHT:
                    self.parsed.too_high = self.starts[-1], self.ends[-1]
                    return self.parsed
                if token.kind == END and states[-1] == self.final:
                    self.parsed.root = self.values[-1]
                    return self.parsed

    def _reduce(self, rule: int, here: int) -> None:
        origin, name, length, single, kept, spliced = RULES[rule]
        states, values, starts, ends = self.states, self.values, self.starts, self.ends
        begin = starts[-length] if length else here
        stop = ends[-1] if length else here
        children = values[-length:] if length else []
        if spliced or len(kept) != length:
            children = _flat(children, kept, spliced)
        height = max(self.heights[-length:]) if length else 0
        value: Any
        if origin[0] == "_":
            value = _Spliced(children) if type(children) is list else children
        elif single and len(children) == 1:
            value = children[0]
        else:
            value = self.build(name, children, begin, stop)
            height += 1
        if length:
            del states[-length:], values[-length:], starts[-length:], ends[-length:], self.heights[-length:]
        states.append(row_of(states[-1])[origin] - 1)
        values.append(value)
        starts.append(begin)
        ends.append(stop)
        self.heights.append(height)

    def _recover(self, index: int) -> int:
        """Reports the token at `index`, drops what cannot be finished, and returns where to go on; -1:
        nowhere.

        Goes on at the first token that begins a line or closes a bracket and fits an unfinished rule, and at
        the latest at the next line that begins with a declaration.
        """
        tokens = self.tokens
        index = self._blamed(index)
        bad = tokens[index]
        self.parsed.problems.append(Unexpected(bad, self._expected(), self._opener(bad.start)))
        self.parsed.given_up = len(self.parsed.problems) >= MISTAKES
        if self.start != "file" or self.parsed.given_up:
            return -1
        depth = 0
        whole = self._whole()
        for at in range(index, len(tokens)):
            token = tokens[at]
            outermost = token.kind == END or self._begins_declaration(at)
            closes = token.kind in _CLOSE
            if outermost or (not whole and depth == 0 and (token.indent >= 0 or closes)):
                size = self._outermost() if outermost else self._fitting(token)
                if size:
                    self._lose(size)
                    return at
            self._drop(token)
            if token.kind in _OPEN:
                depth += 1
            elif closes and depth:
                depth -= 1
        return -1

    def _blamed(self, index: int) -> int:
        """Where the mistake at `index` is made. Where a bracket was not closed, the next declaration may have
        been taken for something inside it, up to some word of its first line.
        """
        first = index
        while first and self.tokens[first].indent < 0:
            first -= 1
        inside = self._opener(self.tokens[first].start) is not None
        return first if inside and self._begins_declaration(first) else index

    def _whole(self) -> bool:
        """Whether nothing is missing from the declaration that was read last."""
        return can_shift(self.states, END, END, self.final)

    def _outermost(self) -> int:
        """The number of states to keep to go on after the last whole declaration."""
        if self._whole():
            return len(self.states)
        return 2 if len(self.values) and type(self.values[0]) is _Spliced else 1

    def _begins_declaration(self, at: int) -> bool:
        token = self.tokens[at]
        if token.indent != 0 or token.text not in DECLARATIONS:
            return False
        return self.tokens[at + 1].kind in ("NAME", "STRING", "LBRACE")

    def _fitting(self, token: Token) -> int:
        """The number of states to keep so that `token` can be shifted; 0: none.

        What is open stays open, unless `token` closes it or something around it.
        """
        least = 1
        for at in reversed(self._open_brackets()):
            if token.kind not in _CLOSE or _CLOSE[token.kind] == self.values[at].kind:
                least = at + 2
                break
        for size in range(len(self.states), least - 1, -1):
            if self._fits(size, token):
                return size
        return 0

    def _open_brackets(self) -> list[int]:
        """Where in the values the brackets stand that are still open, outermost first."""
        found: list[int] = []
        for at, value in enumerate(self.values):
            if type(value) is Token and value.kind in _OPEN:
                found.append(at)
            elif type(value) is Token and value.kind in _CLOSE and found:
                found.pop()
        return found

    def _fits(self, size: int, token: Token) -> bool:
        return can_shift(self.states[:size], token.keyword, token.kind, self.final)

    def _lose(self, size: int) -> None:
        for value in self.values[size - 1 :]:
            if isinstance(value, Token):
                self._drop(value)
        count = len(self.values) - (size - 1)
        if count:
            for stack in (self.states, self.values, self.starts, self.ends, self.heights):
                del stack[-count:]

    def _drop(self, token: Token) -> None:
        if token.kind == "STRING" or token.text.isidentifier():
            self.parsed.lost.add(token.text.strip('"'))

    def _opener(self, before: int) -> Token | None:
        """The innermost bracket that is open and stands before the offset."""
        openers = [self.values[at] for at in self._open_brackets()]
        found: Token | None = next((token for token in reversed(openers) if token.start < before), None)
        return found

    def _expected(self) -> tuple[str, ...]:
        """What could stand here: also where the parser has already closed what might have gone on."""
        names = [name for name in row_of(self.before[-1]) if name == END or name.isupper()]
        return tuple(name for name in names if can_shift(self.before, name, name, self.final))


def can_shift(states: list[int], keyword: str, kind: str, final: int) -> bool:
    """Whether a token of `kind` (or the `keyword` it could be) is shifted after the reductions it causes."""
    states = list(states)
    while True:
        row = row_of(states[-1])
        action = row.get(keyword) or row.get(kind)
        if action is None:
            return False
        if action > 0:
            return True
        origin, _, length, *_ = RULES[-1 - action]
        if length:
            del states[-length:]
        states.append(row_of(states[-1])[origin] - 1)
        if kind == END and states[-1] == final:
            return True


def _flat(children: list[Any], kept: tuple[int, ...], spliced: tuple[int, ...]) -> list[Any]:
    """The kept children with helper rules spliced in. A leading helper's list is reused: lists stay
    linear.
    """
    if spliced and spliced[0] == kept[0]:
        flat: list[Any] = children[kept[0]]
        rest = kept[1:]
    else:
        flat, rest = [], kept
    for index in rest:
        if index in spliced:
            flat.extend(children[index])
        else:
            flat.append(children[index])
    return flat
