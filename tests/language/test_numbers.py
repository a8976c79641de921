"""Numbers that canonical JSON cannot hold exactly are said where they stand, and never reach the IR."""

import pytest

from tests.language.helpers import check_body, codes

BIG = "99999999999999999999"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"limits {{ x {BIG} }}", "HD115"),
        (f'tool t(x: int(max: {BIG})) -> int {{ """T.""" }}', "HD302"),
        (f'tool t(x: int = {BIG}) -> int {{ """T.""" }}', "HD303"),
        (f'test "a" {{ user "a" expect chars(reply) < {BIG} }}', "HD115"),
        (f'test "a" {{ user "a" expect reply states number = {BIG} }}', "HD303"),
        (f"hook h on before_reply {{ if chars(reply) > {BIG} log }}", "HD115"),
    ],
)
def test_a_number_beyond_exact_json_is_said(body: str, code: str) -> None:
    assert code in codes(check_body(body))


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("turns", "6", True),
        ("turns", "0", False),
        ("turns", '"many"', False),
        ("turns", "1.5", False),
        ("tool_calls", "0", True),
        ("tool_calls", "-1", False),
        ("think_tokens", "0", True),
        ("wall_ms", "0", False),
        ("discount", "1.5", True),
    ],
)
def test_a_limit_that_the_runtime_enforces_is_a_whole_number(name: str, value: str, fits: bool) -> None:
    found = [one for one in check_body(f"limits {{ {name} {value} }}") if one.code == "HD115"]
    assert (found == []) == fits


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("turns 6 in 0..8", "HD115"),
        ("turns 6 in 1..8.5", "HD115"),
        ("reply_chars 60 in -5..80", "HD115"),
        ("reply_tokens 60 in 0.5..80", "HD115"),
        ("wall_ms 60 in 0..80", "HD115"),
        ('turns 6 in "few", "many"', "HD308"),
        ("turns 6 in 1..8", ""),
        ("tool_calls 6 in 0..8", ""),
        ("think_tokens 6 in 0..8", ""),
        ("discount 0.5 in 0..1.5", ""),
    ],
)
def test_all_that_an_enforced_limit_may_be_set_to_can_be_enforced(limit: str, code: str) -> None:
    assert codes(check_body(f"limits {{ {limit} }}"))[:1] == (
        [code] if code else ["HD218"] * ("disc" in limit)
    )
