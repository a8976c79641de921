"""Types: what values fit, what a union of records is, and that the compiled type says the same."""

import datetime
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.core import Core
from harness_dsl.ir.formats import FORMATS, has_format
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.values import check_value
from harness_dsl.syntax.analysis import analysed
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.fitting import misfits
from harness_dsl.syntax.source import decode
from harness_dsl.syntax.symbols import Symbols
from tests.language.format_laws import Dice
from tests.language.fuzzing.survival import bounded
from tests.language.helpers import at_fault, check, check_body, codes
from tests.language.printing import Printer
from tests.language.writable import writable
from tests.strategies.cores import core as core_of
from tests.strategies.surfaces import default_surface
from tests.strategies.types import value

PAY = (
    'type Card { kind: "card" number: string(min_length: 4) note?: string }\n'
    'type Cash { kind: "cash" | "coins" amount: decimal }\n'
    "type Pay = Card | Cash\n"
)


def default_of(written: str, given: str, types: str = PAY) -> list[tuple[str, str]]:
    """(what is at fault, message) for a parameter of type `written` with the default `given`."""
    body = f'{types}tool t(p: {written} = {given}) -> any {{ """T.""" }}'
    text = f'harness x "1.0.0"\n\n{body}\n\nprompt system {{ section p """P.""" }}\n'
    return [(at_fault(text, one), one.message) for one in check(text) if one.severity == "error"]


@pytest.mark.parametrize(
    ("given", "at", "said"),
    [
        ('{kind: "card", number: "12"}', '"12"', "shorter than 4"),
        ('{kind: "coins", amount: "x"}', '"x"', "is no number"),
        ('{kind: "cheque", amount: 1}', '"cheque"', 'none of "card", "cash", "coins"'),
        ('{kind: "cash"}', '{kind: "cash"}', "the field `amount` of `Cash` is missing"),
        ('{kind: "card", number: "1234", amount: 1}', "1", "`Card` has no field `amount`"),
        ("{}", "{}", "none of its types"),
        ("3", "3", "none of its types"),
    ],
)
def test_a_tag_says_which_record_is_meant(given: str, at: str, said: str) -> None:
    ((fault, message),) = default_of("Pay", given)
    assert fault == at and said in message
    assert default_of("Pay?", '{kind: "card", number: "1234"}') == [] == default_of("Pay?", "null")


def test_an_object_beside_other_types_is_meant_as_the_one_record() -> None:
    ((fault, message),) = default_of('Card | "none" | int', '{kind: "card", number: 3}')
    assert fault == "3" and "is no string" in message


UNION = 'input pay: Pay\nprompt system { section p """BODY""" }'


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("{{ pay.kind }}", []),
        ("{{ pay.nothing }}", ["HD306"]),
        ("{{ pay.amount }}", ["HD408"]),
        ("{% if pay.amount != null %}{{ pay.amount }}{% endif %}", []),
        ('{{ pay.number | default("-") }}', []),
        ('{% if pay.kind == "coin" %}a{% endif %}', ["HD303"]),
        ("{% if pay.amount > 1 %}a{% endif %}", ["HD305"]),
        ("{{ pay }}", ["HD408"]),
    ],
)
def test_fields_of_a_union_of_records_are_typed(body: str, found: list[str]) -> None:
    assert codes(check_body(PAY + UNION.replace("BODY", body))) == found


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("email", "a@b.example", "a.b"),
        ("uri", "https://a.example/b?c", "a.example"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"),
        ("hostname", "a-b.example", "-a.example"),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("ipv6", "::1", "10.0.0.1"),
        ("date", "2024-02-29", "2023-02-29"),
        ("time", "23:59:59Z", "24:00"),
        ("date-time", "2024-02-29T10:00:00+08:00", "2024-02-29T10:00:00"),
    ],
)
def test_a_format_is_checked_where_a_mistake_can_be_told(name: str, good: str, bad: str) -> None:
    assert name in FORMATS and has_format(good, name) and not has_format(bad, name)
    assert default_of(f'string(format: "{name}")', f'"{good}"') == []
    ((fault, message),) = default_of(f'string(format: "{name}")', f'"{bad}"')
    assert fault == f'"{bad}"' and f"`{name}`" in message


@given(st.text(max_size=20))
def test_any_other_format_says_something_to_the_reader_only(text: str) -> None:
    assert has_format(text, "colour")


@given(st.datetimes(timezones=st.just(datetime.UTC)))
def test_what_python_writes_is_a_date_a_time_and_both(moment: datetime.datetime) -> None:
    assert has_format(moment.isoformat(), "date-time")
    assert has_format(moment.date().isoformat(), "date") and has_format(moment.time().isoformat(), "time")


def _changed(value: Any, rng: random.Random) -> Any:
    """`value` with one part of it something else."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        if rng.random() < 0.2:
            return {name: part for name, part in value.items() if name != key}
        return {**value, key: _changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], _changed(value[at], rng), *value[at + 1 :]]
    return rng.choice([None, True, 0, -1, 1.5, 1.0, "", "name", "2024-01-01", [], [1], {}, {"name": "x"}])


def _symbols(core: Core) -> Symbols:
    source = Printer(core, default_surface(core)).source()
    analysis = analysed(decode(source.encode(), "x"), "x")
    assert analysis is not None and analysis.ok, analysis and analysis.diagnostics
    return analysis.symbols


@pytest.mark.parametrize("seed", range(8))
def test_a_value_fits_a_written_type_where_it_fits_the_compiled_one(seed: int) -> None:
    """What `check` says of defaults and fixtures is what the runtime says of the same values."""
    dice, rng = Dice(seed), random.Random(seed)
    core = writable(core_of(dice))
    symbols = _symbols(core)
    params = [(tool, param) for tool in core.tools for param in tool.params]
    verdicts = set()
    for _ in range(40):
        tool, param = rng.choice(params)
        node = symbols.params(leaf(tool.id))[leaf(param.id)].type
        tried = value(dice, param.type, core)
        if rng.random() < 0.7:
            tried = _changed(tried, rng)
        fits = misfits(tried, node, symbols) == []
        assert fits == (check_value(tried, param.type, core) is None), (tried, param.type)
        verdicts.add(fits)
    assert verdicts == {True, False}


def test_options_that_repeat_on_every_level_are_tried_once() -> None:
    """Two lists to try on each of 26 levels would be 2^26 tries."""
    types = "type A = A[] | A[1..] | map<A> | int\n"
    nested = "[" * 26 + '"x"' + "]" * 26
    ((fault, message),) = default_of("A", nested, types)
    assert "none of its types" in message and fault.startswith("[[[")


@pytest.mark.parametrize("link", ["A{0} = A{1}", "A{0} = A{1}?", "A{0} = A{1}[]", "A{0} {{ a: A{1}? }}"])
def test_a_long_chain_of_types_is_one_mistake(link: str) -> None:
    types = "\n".join("type " + link.format(number, number + 1) for number in range(200))
    found = [message for _, message in default_of("A0", "null", f"{types}\ntype A200 = int\n")]
    assert len([message for message in found if "nested more than 60 deep" in message]) == 1
    assert len(found) <= 2, found


def test_a_short_chain_of_types_is_none() -> None:
    types = "\n".join(f"type A{number} = A{number + 1}" for number in range(40))
    assert default_of("A0", "3", f"{types}\ntype A40 = int\n") == []
    assert len(default_of("A0", '"x"', f"{types}\ntype A40 = int\n")) == 1


def test_keys_that_stand_twice_are_reported_at_any_depth() -> None:
    given = '{a: 1, "a": 2, b: [{c: 1, c: 1}]}'
    assert [message for _, message in default_of("any", given)] == [
        "the key `a` stands twice in one object",
        "the key `c` stands twice in one object",
    ]


@pytest.mark.parametrize("written", ["map<string, int>", "map<int, string, bool>"])
def test_a_map_has_one_type(written: str) -> None:
    (found,) = [
        one for one in check_body(f'tool t(p: {written}) -> any {{ """T.""" }}') if one.code == "HD302"
    ]
    assert "keys of a map are always texts" in found.help


@pytest.mark.parametrize("written", ["3x", "2days", "1e5", "0x1F", "1_000"])
def test_what_is_no_number_is_called_that(written: str) -> None:
    (found,) = [one for one in check_body(f"limits {{ turns {written} }}") if one.severity == "error"]
    assert found.code == "HD115" and f"`{written}`" in found.message


@pytest.mark.parametrize(
    ("types", "found"),
    [
        ("type A { b: A }", {"A": "contains"}),
        ("type A { b: A[1..] }", {"A": "contains"}),
        ("type A { b: B }\ntype B { a: A | C }\ntype C { b: B }", {"A": "", "B": "", "C": ""}),
        ("type A = A[1..]", {"A": "contains"}),
        ("type A = A?", {"A": "stands for itself"}),
        ("type A = B | int\ntype B = A?", {"A": "stands", "B": "stands"}),
        ("type A { b: B }\ntype B { b: B }", {"B": "contains"}),
        ("type A { b?: A }", {}),
        ("type A { b: A? c: A[] d: map<A> e: A | int }", {}),
        ('type A = A[] | map<A> | string | "none"', {}),
        ("type A { b: B }\ntype B = A | int", {}),
    ],
)
def test_a_type_may_contain_itself_where_that_has_an_end(types: str, found: dict[str, str]) -> None:
    tool = 'tool t(a: A?) -> A { """T.""" }'
    text = f'harness x "1.0.0"\n\n{types}\n{tool}\nprompt system {{ section p """P.""" }}\n'
    errors = {at_fault(text, one): one for one in check(text) if one.severity == "error"}
    assert set(errors) == set(found)
    assert all(one.code == "HD304" and found[name] in one.message for name, one in errors.items())
    assert (compile_text(text).core is None) == bool(found)


@pytest.mark.parametrize("seed", range(20))
def test_what_the_analysis_lets_pass_is_valid_once_compiled(seed: int) -> None:
    """Random declarations that name each other: `compile_text` raises where the two do not agree."""
    rng = random.Random(seed)
    for _ in range(15):
        names = [f"T{number}" for number in range(rng.randint(1, 4))]

        def written(names: list[str] = names) -> str:
            shape = rng.choice(
                ("{}", "{}?", "{}[]", "{}[1..]", "map<{}>", "{} | int", '{} | "a"', "({} | {})[2..3]")
            )
            return shape.format(rng.choice(names), rng.choice(names))

        types = "\n".join(
            f"type {name} = {written()}"
            if rng.random() < 0.5
            else f"type {name} {{ f: {written()} g?: {written()} }}"
            for name in names
        )
        compile_text(f'harness x "1.0.0"\n\n{types}\n\nprompt system {{ section p """P.""" }}\n')


def test_a_circle_of_many_types_is_found_in_time_that_grows_with_it() -> None:
    types = "\n".join(f"type T{number} {{ a: T{(number + 1) % 1500} }}" for number in range(1500))
    with bounded():
        assert len([one for one in check_body(types) if one.code == "HD304"]) == 1500
