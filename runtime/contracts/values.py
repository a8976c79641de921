"""Values of types, drawn small and at the bounds of the type more often than between them."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Any, assert_never

from harness_dsl.ir.core import Core, Member
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)
from harness_dsl.ir.values import fits
from runtime.contracts.patterns import matching

TEXTS = ("", " ", "a", "0", "null", "é", "字", "👨‍👩‍👧", "\u202eabc", "A\u0301", "x\ny", "７", "長" * 300)
"""Empty, blank, long, and of letters that are written in several ways."""
_TIMES = {
    "date": ("2024-02-29", "1970-01-01", "9999-12-31"),
    "time": ("00:00:00", "23:59:59", "08:30:00"),
    "datetime": ("2024-02-29T23:59:59+00:00", "2026-03-13T08:00:00+08:00", "1970-01-01T00:00:00+00:00"),
}
_FORMATS = {
    "email": ("a@b.cn", "x+y@example.org"),
    "hostname": ("a", "b.example.org"),
    "uri": ("https://example.org/a?b=1", "a:b"),
    "uuid": ("00000000-0000-0000-0000-000000000000",),
    "ipv4": ("0.0.0.0", "255.255.255.255"),
    "ipv6": ("::", "fe80::1"),
    "date": _TIMES["date"],
    "time": _TIMES["time"],
    "date-time": _TIMES["datetime"],
}
_NUMBERS = (0, 1, -1, 2, 7, 99, 10**6)
_DEEPEST = 4
_TRIES = 6
_AGAIN = 0.35
"""How likely a value is one that the event holds already: conditions compare values with each other."""


class Values:
    """Draws values for one event. `texts` and `numbers` are what the condition speaks of."""

    def __init__(self, core: Core, texts: Sequence[str], numbers: Sequence[Decimal], rng: Random) -> None:
        self._types = {decl.id: decl for decl in core.types}
        self._texts = [*texts, *TEXTS]
        self._numbers = [*numbers, *(number + step for number in numbers for step in (1, -1))]
        self._rng = rng
        self._seen: list[Any] = []

    def draw(self, type_: Type, depth: int = 0) -> Any:
        """JSON data of `type_`; below some depth optional parts are left out and lists are short."""
        if self._seen and self._rng.random() < _AGAIN:
            again = [value for value in self._seen[-12:] if self._is_simple(type_) and fits(value, type_)]
            if again:
                return self._rng.choice(again)
        value = self._new(type_, depth)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            self._seen.append(value)
        return value

    def text(self) -> str:
        """Any text: one that the condition speaks of, or an odd one."""
        return self._rng.choice(self._texts)

    def _is_simple(self, type_: Type) -> bool:
        return isinstance(type_, StringType | IntType | DecimalType | FloatType | AnyType)

    def _new(self, type_: Type, depth: int) -> Any:
        rng = self._rng
        match type_:
            case StringType():
                return self._string(type_)
            case IntType():
                return int(self._number(type_.min, type_.max, whole=True))
            case DecimalType() | FloatType():
                number = self._number(type_.min, type_.max)
                return int(number) if number == int(number) else float(number)
            case BoolType():
                return rng.random() < 0.5
            case TimeType():
                return rng.choice(_TIMES[type_.form])
            case AnyType():
                return rng.choice((self.text(), rng.choice(_NUMBERS), None, True, [], {}, [self.text()]))
            case EnumType():
                return rng.choice(type_.members).value
            case ListType():
                return [self.draw(type_.item, depth + 1) for _ in range(self._length(type_, depth))]
            case MapType():
                keys = {self.text() for _ in range(0 if depth > _DEEPEST else rng.choice((0, 1, 2)))}
                return {key: self.draw(type_.value, depth + 1) for key in sorted(keys)}
            case NullableType():
                return None if depth > _DEEPEST or rng.random() < 0.3 else self.draw(type_.item, depth)
            case UnionType():
                return self.draw(rng.choice(type_.options), depth + 1)
            case NamedType():
                return self._named(type_.type, depth + 1)
            case _:
                assert_never(type_)

    def _named(self, id_: SemanticId, depth: int) -> Any:
        decl = self._types[id_]
        if decl.alias is not None:
            return self.draw(decl.alias, depth)
        there = [node for node in decl.fields or () if self._is_there(node, depth)]
        return {leaf(node.id): self.draw(node.type, depth) for node in there}

    def _is_there(self, node: Member, depth: int) -> bool:
        return not node.optional or (depth <= _DEEPEST and self._rng.random() < 0.7)

    def _length(self, type_: ListType, depth: int) -> int:
        least = type_.min_length or 0
        if depth > _DEEPEST:
            return least
        most = least + 2 if type_.max_length is None else min(type_.max_length, least + 2)
        return self._rng.randint(least, most)

    def _string(self, type_: StringType) -> str:
        return next((text for text in self._strings(type_) if fits(text, type_)), "x")

    def _strings(self, type_: StringType) -> Iterator[str]:
        """Texts that may be of the type; where no text is known that is, the last ones are of its length."""
        if type_.format in _FORMATS:
            yield self._rng.choice(_FORMATS[type_.format])
        for _ in range(_TRIES):
            yield self.text() if type_.pattern is None else matching(type_.pattern, self._rng)
        least, most = type_.min_length or 0, type_.max_length
        yield "字" * (most if most is not None and most <= len(TEXTS[-1]) else least + 1)
        yield "x" * least

    def _number(
        self, low: Decimal | float | None, high: Decimal | float | None, whole: bool = False
    ) -> Decimal:
        bounds = [Decimal(str(bound)) for bound in (low, high) if bound is not None]
        near = [bound + step for bound in bounds for step in (0, 1, -1)]
        options = [*near, *self._numbers, *map(Decimal, _NUMBERS)]
        allowed = [
            number
            for number in options
            if (low is None or number >= Decimal(str(low)))
            and (high is None or number <= Decimal(str(high)))
            and not (whole and number != int(number))
        ]
        return self._rng.choice(allowed) if allowed else bounds[0]
