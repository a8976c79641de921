"""The bank desk's tools: identity, exact money, and what a transfer, a freeze and a dispute leave behind."""

import copy
from typing import Any

import pytest

from runtime.tools import ToolFailure
from tests.examples.bench import Json, Toolbench, world

TOOL = Toolbench("bank_desk")
CURRENT, SAVINGS = "6222-0001-1001", "6222-0001-2002"


@pytest.fixture
def desk() -> Json:
    return world("bank_desk", "desks/verified.yaml")


def prepare(desk: Json, amount: Any = 1000, payee: str = "王芳") -> Json:
    found: Json = TOOL["prepare_transfer"](CURRENT, payee, amount, desk=desk)
    return found


def test_reading_changes_nothing(desk: Json) -> None:
    before = copy.deepcopy(desk)
    assert TOOL["get_balance"](SAVINGS, desk=desk) == {
        "available": 1500,
        "booked": 1500,
        "currency": "USD",
        "as_of": desk["now"],
    }
    assert TOOL["get_rate"]("USD", desk=desk)["rate"] == 7.12
    assert [branch["name"] for branch in TOOL["find_branches"]("上海", desk=desk)] == ["徐汇支行", "浦东支行"]
    assert [branch["name"] for branch in TOOL["find_branches"]("上海", True, desk=desk)] == ["徐汇支行"]
    assert TOOL["get_fees"](desk=desk)["name"] == "收费标准"
    assert [item["name"] for item in TOOL["get_fees"]("转账", desk=desk)["items"]] == ["行内转账", "跨行转账"]
    assert desk == before


def test_the_third_wrong_answer_is_the_last() -> None:
    desk = world("bank_desk", "desks/arrived.yaml")
    for answer in ("0000", "1111", "2222"):
        with pytest.raises(ToolFailure, match="mismatch"):
            TOOL["verify_identity"]("123X", answer, desk=desk)
    with pytest.raises(ToolFailure, match="locked"):
        TOOL["verify_identity"]("123X", "5678", desk=desk)
    assert desk["session"]["verified"] is False


def test_identity_opens_the_accounts_and_hides_the_name() -> None:
    desk = world("bank_desk", "desks/arrived.yaml")
    with pytest.raises(ToolFailure, match="not_verified"):
        TOOL["get_balance"](CURRENT, desk=desk)
    found = TOOL["verify_identity"]("123X", "5678", desk=desk)
    assert found["name"] == "李*"
    assert [account["account"] for account in found["accounts"]] == [CURRENT, SAVINGS]
    assert TOOL["get_balance"](CURRENT, desk=desk)["available"] == 12840.5


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["T1004", "T1003", "T1002", "T1001"]),
        ({"since": "2026-03-10"}, ["T1004", "T1003", "T1002"]),
        ({"until": "2026-03-10"}, ["T1002", "T1001"]),
        ({"until": None, "direction": "in"}, ["T1001"]),
        ({"since": "2026-03-11", "direction": "out"}, ["T1004", "T1003"]),
        ({"since": "2027-01-01"}, []),
    ],
)
def test_a_statement_is_what_was_asked_for_newest_first(asked: Json, expected: list[str], desk: Json) -> None:
    lines = TOOL["list_transactions"](CURRENT, **asked, desk=desk)
    assert [line["transaction"] for line in lines] == expected


def test_a_prepared_transfer_moves_nothing(desk: Json) -> None:
    draft = prepare(desk)
    assert (draft["draft"], draft["ends"]) == ("D1", "4455")
    assert [line["amount"] for line in draft["lines"]] == [1000, 2, 1002]
    assert TOOL["get_balance"](CURRENT, desk=desk)["available"] == 12840.5
    assert desk["session"]["draft"] == draft


def test_inside_the_bank_nothing_is_charged(desk: Json) -> None:
    assert [line["amount"] for line in prepare(desk, 88.8, "李刚")["lines"]] == [88.8, 0, 88.8]


def test_all_that_there_is_can_be_sent_and_not_a_cent_more(desk: Json) -> None:
    with pytest.raises(ToolFailure, match="insufficient"):
        prepare(desk, 12838.51)
    assert prepare(desk, 12838.5)["lines"][2]["amount"] == 12840.5


def test_a_confirmed_transfer_is_exact_and_happens_once(desk: Json) -> None:
    draft = prepare(desk, 0.1)
    receipt = TOOL["confirm_transfer"](draft["draft"], desk=desk)
    assert receipt == {"transaction": "T1005", "total": 2.1, "left": 12838.4, "at": desk["now"]}
    assert TOOL["list_transactions"](CURRENT, desk=desk)[0]["amount"] == -2.1
    with pytest.raises(ToolFailure, match="not_found"):
        TOOL["confirm_transfer"](draft["draft"], desk=desk)
    assert TOOL["get_balance"](CURRENT, desk=desk)["available"] == 12838.4


def test_another_draft_stands_in_for_the_first(desk: Json) -> None:
    first, second = prepare(desk, 10), prepare(desk, 20)
    assert (first["draft"], second["draft"]) == ("D1", "D2")
    with pytest.raises(ToolFailure, match="not_found"):
        TOOL["confirm_transfer"]("D1", desk=desk)
    assert TOOL["confirm_transfer"]("D2", desk=desk)["total"] == 22


def test_a_cancelled_transfer_cannot_be_confirmed(desk: Json) -> None:
    prepare(desk)
    assert TOOL["cancel_transfer"](desk=desk) == {"draft": "D1"}
    with pytest.raises(ToolFailure, match="not_found"):
        TOOL["confirm_transfer"]("D1", desk=desk)


def test_a_frozen_card_stays_frozen(desk: Json) -> None:
    frozen = TOOL["freeze_card"]("8812", "stolen", desk=desk)
    assert frozen == {"card": "8812", "frozen_at": desk["now"], "replacement_by": "2026-03-19"}
    with pytest.raises(ToolFailure, match="already_frozen"):
        TOOL["freeze_card"]("8812", "stolen", desk=desk)


def test_a_dispute_is_of_any_account_and_has_an_answer_day(desk: Json) -> None:
    dispute = TOOL["open_dispute"]("T1003", "unknown_merchant", "没买过", desk=desk)
    assert dispute == {"case": "C1003", "amount": -699, "answer_by": "2026-03-22"}
    assert desk["customer"]["disputes"] == [dispute]


@pytest.mark.parametrize(
    ("amount", "base", "quote", "worth", "rate"),
    [
        (250, "EUR", "CNY", 1937.5, 7.75),
        (100, "CNY", "USD", 14.04, 0.1404),
        (0.25, "HKD", "CNY", 0.23, 0.91),
        (1, "USD", "USD", 1, 1),
    ],
)
def test_money_is_converted_to_the_cent(
    amount: float, base: str, quote: str, worth: float, rate: float, desk: Json
) -> None:
    assert TOOL["convert"](amount, base, quote, desk=desk) == {"amount": worth, "rate": rate}
    assert TOOL["get_rate"](base, quote, desk=desk)["rate"] == rate
