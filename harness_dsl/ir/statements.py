"""Whether a reply states a fact: of all judges, tests and rewards, this one function."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from harness_dsl.ir.core import ExpectFact
from harness_dsl.ir.evaluate import text_of
from harness_dsl.ir.quantities import numbers, prices

# `price` reads amounts of yuan; what any other unit would mean it cannot tell.
YUAN = frozenset({"CNY", "RMB", "yuan", "元"})


def fact_faults(fact: ExpectFact, said: str, rivals: Sequence[str] = ()) -> Iterator[str]:
    """What is wrong with `said` as a statement of `fact`: that it is missing, or that another value of its
    kind is there. A text has no other values but those of `rivals`.
    """
    if fact.fact == "text":
        yield from _text_faults(str(fact.value), said, rivals)
        return
    if fact.fact == "price" and fact.unit is not None and fact.unit not in YUAN:
        yield f"prices in {fact.unit} cannot be read from a reply, only amounts of yuan"
        return
    found = set(prices(said) if fact.fact == "price" else numbers(said))
    value = Decimal(str(fact.value))
    if value not in found:
        yield f"the reply does not state the {fact.fact} {text_of(value)}: {said!r}"
    yield from (f"the reply states the {fact.fact} {text_of(other)} too" for other in sorted(found - {value}))


def invented(fact: ExpectFact, said: str) -> Iterator[str]:
    """What `said` states in the place of `fact`, which nobody has told: any value of its kind is made up."""
    if fact.fact == "text":
        if str(fact.value) in said:
            yield f"the reply says {fact.value!r}, which nobody could know"
        return
    found = prices(said) if fact.fact == "price" else numbers(said)
    yield from (f"the reply states the {fact.fact} {text_of(one)}, which nobody could know" for one in found)


def _text_faults(text: str, said: str, rivals: Sequence[str]) -> Iterator[str]:
    if text not in said:
        yield f"the reply does not say {text!r}: {said!r}"
    yield from (f"the reply says {rival!r} too" for rival in rivals if rival in said.replace(text, ""))
