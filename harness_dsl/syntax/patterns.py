"""Regular expressions that take linear or at worst polynomial time.

A pattern is refused where some text can be matched by a repetition in exponentially many ways. Its
positions (the places where it reads a character) form an automaton; the pattern is exponential exactly if a
position can come back to itself on one text along two paths. Look-around and back-references are outside
the language.
"""

import re
import re._constants as sre  # type: ignore[import-not-found]  # typeshed leaves it out
import re._parser as sre_parser  # type: ignore[import-not-found]  # the same
from collections.abc import Callable, Iterable
from typing import Any

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.report import Report

LIMIT = 300
"""Positions a pattern may have after counted repetitions are written out."""
BUDGET = 1_000_000
"""Pairs of moves that are looked at before a pattern counts as too large."""


class Refused(Exception):
    """The pattern is outside the language; the message says why."""


def check_pattern(quote: t.Quote, report: Report) -> None:
    """Reports a pattern that cannot be compiled, leaves the language, or can take exponential time."""
    pattern = value_of(quote)
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        report.say(
            "HD309", f"this is no regular expression: {error}", quote, "Correct it, or escape with `\\`."
        )
        return
    try:
        exponential = is_exponential(pattern)
    except Refused as refused:
        report.say("HD309", str(refused), quote, "Use characters, classes, groups, `|` and repetitions.")
        return
    if exponential:
        report.say(
            "HD501",
            "this pattern can take exponential time",
            quote,
            "Let each repetition match a text in one way only: `(a+)+` is `a+`.",
        )


def is_exponential(pattern: str) -> bool:
    """Whether matching `pattern` can take exponential time. Raises `Refused`."""
    automaton = _Automaton()
    automaton.sequence(sre_parser.parse(pattern))
    return automaton.ambiguous()


class _Part:
    """A piece of a pattern: its first and last positions (with multiplicity), and whether it matches
    nothing.
    """

    __slots__ = ("empty", "first", "last")

    def __init__(self, first: list[int], last: list[int], empty: bool) -> None:
        self.first = first
        self.last = last
        self.empty = empty


class _Automaton:
    def __init__(self) -> None:
        self.accepts: list[Callable[[str], bool]] = []
        self.letters: set[str] = {"\u4e00", "a", "0", " ", "\n", "_", "\u2603"}
        self.edges: list[list[int]] = []

    def position(self, accepts: Callable[[str], bool]) -> _Part:
        if len(self.accepts) >= LIMIT:
            raise Refused("this pattern is too large")
        self.accepts.append(accepts)
        self.edges.append([])
        at = len(self.accepts) - 1
        return _Part([at], [at], False)

    def link(self, sources: Iterable[int], targets: list[int]) -> None:
        for source in sources:
            self.edges[source].extend(targets)
            if len(self.edges[source]) > 40 * LIMIT:
                raise Refused("this pattern is too large")

    def sequence(self, items: Any) -> _Part:
        whole = _Part([], [], True)
        for item in items:
            part = self.item(*item)
            self.link(whole.last, part.first)
            whole = _Part(
                whole.first + part.first if whole.empty else whole.first,
                part.last + whole.last if part.empty else part.last,
                whole.empty and part.empty,
            )
        return whole

    def item(self, code: Any, value: Any) -> _Part:
        if code in (sre.LITERAL, sre.NOT_LITERAL):
            self.letters.add(chr(value))
            same = code is sre.LITERAL
            return self.position(lambda c: (ord(c) == value) == same)
        if code is sre.ANY:
            return self.position(lambda c: c != "\n")
        if code is sre.IN:
            return self.position(self.charset(value))
        if code is sre.SUBPATTERN:
            return self.sequence(value[3])
        if code is sre.ATOMIC_GROUP:
            return self.sequence(value)
        if code is sre.BRANCH:
            parts = [self.sequence(branch) for branch in value[1]]
            return _Part(
                [at for part in parts for at in part.first],
                [at for part in parts for at in part.last],
                any(part.empty for part in parts),
            )
        if code in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self.repeat(*value)
        if code is sre.AT:
            return _Part([], [], True)
        raise Refused("look-around and back-references are not allowed in a pattern")

    def repeat(self, low: int, high: int, body: Any) -> _Part:
        unbounded = high is sre.MAXREPEAT
        copies = max(low, 1) if unbounded else high
        if copies > LIMIT:
            raise Refused("this pattern is too large")
        whole = _Part([], [], True)
        for number in range(copies):
            part = self.sequence(body)
            if unbounded and number == copies - 1:
                self.link(part.last, part.first)
            if number >= low:
                part.empty = True
            self.link(whole.last, part.first)
            whole = _Part(
                whole.first + part.first if whole.empty else whole.first,
                part.last + whole.last if part.empty else part.last,
                whole.empty and part.empty,
            )
        return whole

    def charset(self, items: Any) -> Callable[[str], bool]:
        negated = items[0][0] is sre.NEGATE
        tests: list[Callable[[str], bool]] = []
        for code, value in items[1:] if negated else items:
            if code is sre.LITERAL:
                self.letters.add(chr(value))
                tests.append(lambda c, v=value: ord(c) == v)  # type: ignore[misc]  # binds the loop variable
            elif code is sre.RANGE:
                low, high = value
                self.letters.update((chr(low), chr(high), chr((low + high) // 2)))
                tests.append(lambda c, a=low, b=high: a <= ord(c) <= b)  # type: ignore[misc]  # the same
            else:
                tests.append(_CATEGORIES[value])
        return lambda c: any(test(c) for test in tests) != negated

    def ambiguous(self) -> bool:
        """Whether some position reaches itself on one text along two paths: in the square of the automaton,
        a pair of equal positions and a pair of different ones (or a doubled edge) lie on one cycle.
        """
        reads = [frozenset(c for c in self.letters if accepts(c)) for accepts in self.accepts]
        count = len(reads)
        loops = _components(count, self.edges)
        for members in loops:
            inside = set(members)
            edges = {at: [to for to in self.edges[at] if to in inside] for at in members}
            if any(len(set(targets)) < len(targets) for targets in edges.values()):
                return True
            if self._two_ways(members, edges, reads):
                return True
        return False

    def _two_ways(self, members: list[int], edges: dict[int, list[int]], reads: list[frozenset[str]]) -> bool:
        """In one strongly connected component: two different successors on one letter that can meet again."""
        split = {
            (a, b) for at in members for a in edges[at] for b in edges[at] if a < b and reads[a] & reads[b]
        }
        if not split:
            return False
        before: dict[tuple[int, int], list[tuple[int, int]]] = {}
        steps = 0
        for one in members:
            for two in members:
                steps += len(edges[one]) * len(edges[two])
                if steps > BUDGET:
                    raise Refused("this pattern is too large")
                for a in edges[one]:
                    for b in edges[two]:
                        if reads[a] & reads[b]:
                            before.setdefault((a, b), []).append((one, two))
        meet = {(at, at) for at in members}
        todo = list(meet)
        while todo:
            for pair in before.get(todo.pop(), ()):
                if pair not in meet:
                    meet.add(pair)
                    todo.append(pair)
        return not split.isdisjoint(meet)


def _components(count: int, edges: list[list[int]]) -> list[list[int]]:
    """The strongly connected components with a cycle, by reachability."""
    reach: list[set[int]] = []
    for start in range(count):
        seen: set[int] = set()
        todo = list(edges[start])
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo.extend(edges[at])
        reach.append(seen)
    found: list[list[int]] = []
    done: set[int] = set()
    for start in range(count):
        if start in done or start not in reach[start]:
            continue
        members = [at for at in reach[start] if start in reach[at]]
        done.update(members)
        found.append(members)
    return found


_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdigit,
    sre.CATEGORY_NOT_DIGIT: lambda c: not c.isdigit(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    sre.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    sre.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}
