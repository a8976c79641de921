"""Every failure that a tool of an example declares is one that it has, and leaves the world as it was."""

import copy
from dataclasses import dataclass, field
from typing import Any

import pytest

from harness_dsl.ir.ids import leaf
from runtime.tools import ToolFailure
from tests.examples.bench import MAIN, WORLD, Json, opened, tools, world

ROOMS, COURSES, DESKS = "live_shop", "course_tutor", "bank_desk"
OF_THE_RUNTIME = {"timeout"}
"""Failures that the runtime gives a tool which takes too long."""


@dataclass(frozen=True)
class Case:
    """`tool` fails with `failure` in the world of `file`, after the calls `first`."""

    example: str
    file: str
    tool: str
    failure: str
    arguments: Json
    first: list[tuple[str, Json]] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.example}-{self.tool}-{self.failure}"


def shop(tool: str, failure: str, file: str = "beauty", **arguments: Any) -> Case:
    return Case(ROOMS, f"rooms/{file}.yaml", tool, failure, arguments)


def course(tool: str, failure: str, file: str = "statistics", first: Any = (), **arguments: Any) -> Case:
    return Case(COURSES, f"courses/{file}.yaml", tool, failure, arguments, list(first))


def desk(tool: str, failure: str, file: str = "verified", first: Any = (), **arguments: Any) -> Case:
    return Case(DESKS, f"desks/{file}.yaml", tool, failure, arguments, list(first))


CURRENT, UNKNOWN = "6222-0001-1001", "6222-0001-9999"
TRANSFER: Json = {"account": CURRENT, "payee": "王芳", "amount": 100}
CASES = [
    *(
        shop(tool, "not_found", link_id=99)
        for tool in ("get_quote", "get_item", "get_material", "check_stock", "get_coupon", "hold_item")
    ),
    shop("get_coupon", "no_coupon", link_id=5),
    shop("apply_coupon", "not_found", link_id=99, code="暖阳20"),
    shop("apply_coupon", "no_coupon", link_id=5, code="暖阳20"),
    shop("apply_coupon", "wrong_code", link_id=3, code="夏日30"),
    shop("hold_item", "sold_out", link_id=7),
    shop("delivery_days", "not_found", city="拉萨"),
    course("get_outline", "not_found", part="9"),
    course("get_lesson", "not_found", part="9.1"),
    course("get_lesson", "not_released", part="2.2"),
    *(
        course(tool, "not_found", exercise="E99")
        for tool in ("get_exercise", "get_hint", "get_solution", "get_deadline")
    ),
    course("grade_answer", "not_found", exercise="E99", answer="C"),
    course("grade_answer", "not_gradable", "python", exercise="E3", answer="…"),
    course("grade_answer", "closed", exercise="E3", answer=2.67),
    course(
        "grade_answer",
        "no_attempts",
        exercise="E1",
        answer="C",
        first=[("grade_answer", {"exercise": "E1", "answer": "B"})] * 3,
    ),
    course("get_hint", "no_hint", exercise="E3"),
    course("get_hint", "no_hint", "exam", exercise="E1", first=[("get_hint", {"exercise": "E1"})]),
    course("get_solution", "not_attempted", exercise="E1"),
    course("get_solution", "not_gradable", "python", exercise="E3"),
    course("request_extension", "not_found", exercise="E99", reason="work"),
    course("request_extension", "closed", exercise="E3", reason="work"),
    course(
        "request_extension",
        "already_extended",
        exercise="E2",
        reason="work",
        first=[("request_extension", {"exercise": "E2", "reason": "illness", "days": 1})],
    ),
    course("set_reminder", "not_found", exercise="E99", at="2026-03-13T20:00:00+08:00"),
    course("set_reminder", "in_the_past", exercise="E1", at="2026-03-12T01:59:59Z"),
    course("book_consultation", "not_found", slot="S99", topic="方差"),
    course("book_consultation", "no_credits", "python", slot="S3", topic="loops"),
    course(
        "book_consultation",
        "taken",
        slot="S7",
        topic="方差",
        first=[("book_consultation", {"slot": "S7", "topic": "均值"})],
    ),
    desk("verify_identity", "mismatch", "arrived", id_last4="123X", phone_last4="0000"),
    desk("verify_identity", "locked", "visitor", id_last4="0042", phone_last4="7701"),
    desk("get_balance", "not_verified", "arrived", account=CURRENT),
    desk("get_balance", "not_found", account=UNKNOWN),
    desk("list_transactions", "not_verified", "arrived", account=CURRENT),
    desk("list_transactions", "not_found", account=UNKNOWN),
    desk("prepare_transfer", "not_verified", "arrived", **TRANSFER),
    desk("prepare_transfer", "not_found", **{**TRANSFER, "account": UNKNOWN}),
    desk("prepare_transfer", "unknown_payee", **{**TRANSFER, "payee": "张三"}),
    desk("prepare_transfer", "over_limit", **{**TRANSFER, "amount": 30000.01}),
    desk("prepare_transfer", "insufficient", **{**TRANSFER, "amount": 12838.51}),
    desk("confirm_transfer", "not_verified", "arrived", draft="D1"),
    desk("confirm_transfer", "not_found", draft="D1"),
    desk("confirm_transfer", "not_found", "drafted", draft="D2"),
    desk("confirm_transfer", "insufficient", "drafted", draft="D1"),
    desk("cancel_transfer", "not_found"),
    desk("freeze_card", "not_verified", "arrived", card="8812", reason="lost"),
    desk("freeze_card", "not_found", card="0000", reason="lost"),
    desk("freeze_card", "already_frozen", card="7734", reason="stolen"),
    desk("open_dispute", "not_verified", "arrived", transaction="T1003", reason="double_charge"),
    desk("open_dispute", "not_found", transaction="T9", reason="double_charge"),
    desk(
        "open_dispute",
        "already_open",
        transaction="T1003",
        reason="double_charge",
        first=[("open_dispute", {"transaction": "T1003", "reason": "unknown_merchant"})],
    ),
    desk("open_dispute", "too_old", "visitor", transaction="T7", reason="wrong_amount"),
    desk("get_rate", "not_found", "visitor", base="USD"),
    desk("convert", "not_found", "visitor", amount=1, base="EUR", quote="HKD"),
    desk("find_branches", "not_found", city="拉萨"),
    desk("find_branches", "not_found", city="杭州", weekend=True),
    desk("get_fees", "not_found", name="开户"),
]


def prepared(case: Case) -> Json:
    """The world in which the case is tried."""
    state = world(case.example, case.file)
    if (case.tool, case.failure) == ("open_dispute", "too_old"):
        state["session"]["verified"] = True
    if (case.tool, case.failure) == ("confirm_transfer", "insufficient"):
        state["customer"]["holdings"][0]["available"] = 1001.99
    for tool, arguments in case.first:
        tools(case.example)[tool](**arguments, **{WORLD[case.example]: state})
    return state


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_fails_as_it_says_and_changes_nothing(case: Case) -> None:
    state = prepared(case)
    before = copy.deepcopy(state)
    with pytest.raises(ToolFailure) as caught:
        tools(case.example)[case.tool](**case.arguments, **{WORLD[case.example]: state})
    assert (caught.value.failure, bool(caught.value.detail)) == (case.failure, True)
    if case.failure == "mismatch":
        before["session"]["tries"] += 1
    assert state == before


@pytest.mark.parametrize("example", MAIN)
def test_every_declared_failure_is_tried(example: str) -> None:
    declared = {(leaf(t.id), f) for t in opened(example).core.tools for f in t.fails}
    tried = {(case.tool, case.failure) for case in CASES if case.example == example}
    assert {one for one in declared if one[1] not in OF_THE_RUNTIME} == tried
