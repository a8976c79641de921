"""Another value of a limit, within its legal range.

    "at most 60 characters"  →  "at most 45 characters", and the check moves with it

Oracle-changing: what a right answer is changes with the limit. Only limits move that the model can read in a
text and whose keeping is checked by a predicate or by the runtime; the expectation is computed from the new
Core, never guessed.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from hashlib import sha256
from math import ceil, floor
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.base import Law, OracleChanging, Parameters
from augmentors.levels import Level
from augmentors.limit_use import checked_limits, shown_limits
from harness_dsl.ir.core import Choice, Core, Limit, Span
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface

Value = int | Decimal | str
_SPAN_TRIES = 64


class LimitParameters(Parameters):
    """pool   the part of the legal values that is drawn from: a quarter of them is held out of training
    only   values to draw from instead, by limit id; those that are not legal are left out
    share  how likely each limit moves; at least one always does
    """

    pool: Literal["train", "held-out", "any"] = "train"
    only: dict[SemanticId, tuple[Value, ...]] = Field(default_factory=dict)
    share: float = Field(default=1.0, gt=0, le=1)


class Limits(OracleChanging):
    """Moves limits of the policy inside what their author declares legal."""

    name: ClassVar[str] = "limits"
    family: ClassVar[str] = "policy"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.WELL_FORMED
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "a value outside the legal range",
        "accepted": "a value outside the legal range",
    }
    parameters_model: ClassVar[type[Parameters]] = LimitParameters
    parameters: LimitParameters

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        """Limits that have another legal value, that a text shows, and that something checks."""
        seen = shown_limits(core, surface) & checked_limits(core)
        return tuple(
            limit.id
            for limit in core.limits
            if limit.id in seen and next(self._values(limit), None) is not None
        )

    def apply(self, core: Core, surface: Surface, rng: Random) -> Core:
        """`core` with other values of some limits."""
        ids = self.symbols(core, surface)
        if not ids:
            return core
        chosen = {id_ for id_ in ids if rng.random() < self.parameters.share} or {rng.choice(ids)}
        limits = tuple(
            limit.model_copy(update={"value": self._draw(limit, rng)}) if limit.id in chosen else limit
            for limit in core.limits
        )
        return core.model_copy(update={"limits": limits})

    def _draw(self, limit: Limit, rng: Random) -> Value:
        if isinstance(limit.legal, Span) and limit.id not in self.parameters.only:
            for _ in range(_SPAN_TRIES):
                value = _from_span(limit, limit.legal, rng.random())
                if value != limit.value and self._is_drawn(limit.id, value):
                    return value
        return rng.choice(list(self._values(limit)))

    def _values(self, limit: Limit) -> Iterator[Value]:
        """Values other than the present one that the parameters admit."""
        legal = limit.legal
        only = self.parameters.only.get(limit.id)
        if legal is None:
            return
        if only is not None:
            candidates: Iterator[Value] = (value for value in only if is_legal(legal, value))
        elif isinstance(legal, Choice):
            candidates = (value for value in legal.values if self._is_drawn_word(limit.id, legal, value))
        else:
            candidates = (value for value in _span_values(limit, legal) if self._is_drawn(limit.id, value))
        yield from (value for value in candidates if value != limit.value)

    def _is_drawn(self, id_: SemanticId, value: Value) -> bool:
        return self.parameters.pool == "any" or (_rank(id_, value) % 4 == 3) == (
            self.parameters.pool == "held-out"
        )

    def _is_drawn_word(self, id_: SemanticId, legal: Choice, value: str) -> bool:
        if self.parameters.pool == "any":
            return True
        return (value in _held_out_words(id_, legal.values)) == (self.parameters.pool == "held-out")


def is_legal(legal: Span | Choice, value: Value) -> bool:
    """Whether an author's range or set admits `value`."""
    if isinstance(legal, Choice):
        return value in legal.values
    return not isinstance(value, str) and legal.min <= value <= legal.max


@cache
def _held_out_words(id_: SemanticId, legal: tuple[str, ...]) -> frozenset[str]:
    ranked = sorted(legal, key=lambda word: _rank(id_, word))
    return frozenset(ranked[: len(ranked) // 4])


def _rank(id_: SemanticId, value: Value) -> int:
    """A number that depends on nothing but the limit and the value, so that every run holds out the same."""
    return int.from_bytes(sha256(f"{id_}={value}".encode()).digest()[:4])


def _from_span(limit: Limit, legal: Span, at: float) -> Value:
    if isinstance(limit.value, int):
        low, high = ceil(legal.min), floor(legal.max)
        return low + min(int(at * (high - low + 1)), high - low)
    step = _step(limit)
    count = int((legal.max - legal.min) / step)
    return legal.min + step * min(int(at * (count + 1)), count)


def _span_values(limit: Limit, legal: Span) -> Iterator[Value]:
    if isinstance(limit.value, int):
        yield from range(ceil(legal.min), floor(legal.max) + 1)
        return
    step = _step(limit)
    for number in range(int((legal.max - legal.min) / step) + 1):
        yield legal.min + step * number


def _step(limit: Limit) -> Decimal:
    """The last decimal place of the value or its range."""
    legal = limit.legal
    numbers = [limit.value, *((legal.min, legal.max) if isinstance(legal, Span) else ())]
    places = [number.as_tuple().exponent for number in numbers if isinstance(number, Decimal)]
    return Decimal(1).scaleb(min((place for place in places if isinstance(place, int)), default=0))
