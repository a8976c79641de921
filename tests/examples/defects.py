"""Defects to plant in the examples, each with the declared tests that have to notice it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from runtime.tools import ToolFailure

Change = Callable[[Any], Any]
QUIET = "if chars(message) > 100000"
"""Instead of the condition of a hook: it never acts."""


@dataclass(frozen=True)
class Defect:
    """In `tool`: what `change` makes of its result, or `instead` where it should fail. Else in the harness:
    `new` where `old` stands. `failing`: titles of tests.
    """

    example: str
    name: str
    failing: frozenset[str]
    tool: str = ""
    change: Change = lambda value: value
    instead: Any = None
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        return f"{self.example}-{self.name}"

    def broken(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function` with the defect."""

        @wraps(function)
        def broken(**keywords: Any) -> Any:
            try:
                return self.change(function(**keywords))
            except ToolFailure:
                if self.instead is None:
                    raise
                return self.instead

        return broken


def _tool(example: str) -> Callable[..., Defect]:
    def defect(tool: str, change: Change, *failing: str, instead: Any = None) -> Defect:
        return Defect(example, tool, frozenset(failing), tool, change, instead)

    return defect


def _text(example: str) -> Callable[..., Defect]:
    def defect(old: str, new: str, *failing: str) -> Defect:
        return Defect(example, old.split("\n")[0], frozenset(failing), old=old, new=new)

    return defect


def plus(key: str) -> Change:
    return lambda value: {**value, key: value[key] + 1}


def said(**other: Any) -> Change:
    return lambda value: {**value, **other}


def same(value: Any) -> Any:
    return value


def nothing(value: Any) -> list[Any]:
    return []


shop, shop_text = _tool("live_shop"), _text("live_shop")
STRANGER = "an instruction from a viewer"
SHOP = [
    shop("get_quote", plus("amount"), "price of a link", "price in English"),
    shop("get_item", said(sizes=["S"]), "sizes"),
    shop("get_material", said(material="棉"), "material"),
    shop("check_stock", plus("left"), "stock", "nearly sold out"),
    shop("get_coupon", plus("off"), "coupon", "a viewer finds it expensive"),
    shop("apply_coupon", plus("amount"), "use the coupon"),
    shop("hold_item", plus("left"), "keep a piece"),
    shop("hold_item", same, "no more than there is", instead={"held": 5, "left": 0}),
    shop("delivery_days", plus("days"), "delivery"),
    shop_text("check count(price(reply)) == 0", "check count(price(reply)) > 0", "greeting", STRANGER),
    shop_text("if danmaku matches", "if chars(danmaku) > 100000 and danmaku matches", STRANGER),
]

tutor, tutor_text = _tool("course_tutor"), _text("course_tutor")
GRADE = {"correct": False, "points": 0, "attempts_left": 0, "feedback": ""}
LESSON = {"title": "", "level": "advanced", "minutes": 1, "summary": "", "released": "2026-01-01"}
BOOKING = {"booking": "B3", "teacher": "", "at": "2026-04-04T20:00:00+08:00", "credits_left": 0}
TUTOR = [
    tutor("get_outline", lambda value: value[1:], "what the course covers"),
    tutor("get_lesson", plus("minutes"), "a lesson in English"),
    tutor("get_lesson", same, "a lesson that is not open yet", instead=LESSON),
    tutor("get_exercise", said(min_words=149), "what an essay asks"),
    tutor("grade_answer", plus("points"), "a right answer"),
    tutor("grade_answer", said(correct=True), "a wrong answer leaves fewer attempts"),
    tutor("grade_answer", plus("attempts_left"), "a wrong answer leaves fewer attempts"),
    tutor("grade_answer", same, "an essay is graded by a person", instead=GRADE),
    tutor("get_hint", said(text="7.5"), "a hint and no solution"),
    tutor("get_solution", said(answer="B"), "the solution after an attempt"),
    tutor("get_progress", plus("percent"), "progress"),
    tutor("get_progress", plus("streak_days"), "a streak"),
    tutor("get_lesson", said(title="频率"), "a learner is lost"),
    tutor("get_deadline", plus("days_left"), "a deadline"),
    tutor("request_extension", plus("days_left"), "more time"),
    tutor("set_reminder", said(at="2026-03-13T20:01:00+08:00"), "a reminder"),
    tutor("list_slots", nothing, "times of the teachers"),
    tutor("list_slots", lambda value: [{**slot, "slot": "S8"} for slot in value], "times of the teachers"),
    tutor("book_consultation", plus("credits_left"), "booking the time that was chosen"),
    tutor("book_consultation", same, "no credits are left", instead=BOOKING),
    tutor_text(
        '日期。"""\n      check count(number(reply)) == 0',
        '日期。"""\n      check count(number(reply)) > 0',
        "thanks",
    ),
    tutor_text("if course.exam_running", QUIET, "nothing is answered during the exam"),
    tutor_text(
        'if message matches r"忽略.{0,12}(规则|指令|设定)|(?i:ignore .{0,20}(rules|instructions))"',
        QUIET,
        "an instruction from a learner",
    ),
]

desk, desk_text = _tool("bank_desk"), _text("bank_desk")
IDENTITY = {"name": "李*", "accounts": [{"account": "6222-0001-1001", "kind": "current", "currency": "CNY"}]}
DRAFT = {
    "draft": "D1",
    "payee": "王芳",
    "ends": "4455",
    "lines": [{"what": what, "amount": 1} for what in ("amount", "fee", "total")],
    "currency": "CNY",
}


def dearer(value: Any) -> Any:
    """A draft whose total is not its amount and fee."""
    return {**value, "lines": [*value["lines"][:2], {"what": "total", "amount": 1003}]}


DESK = [
    desk("get_balance", plus("available"), "balance"),
    desk("verify_identity", said(name="李明"), "identity"),
    desk("verify_identity", same, "identity does not match", instead=IDENTITY),
    desk("list_transactions", nothing, "what was spent"),
    desk(
        "list_transactions",
        lambda value: [{**line, "transaction": "T1001"} for line in value],
        "what was spent",
    ),
    desk("freeze_card", said(replacement_by="2026-03-20"), "a card is lost"),
    desk("freeze_card", said(frozen_at="2026-03-12T14:31:00+08:00"), "a card is stolen"),
    desk("prepare_transfer", dearer, "a transfer is prepared and not sent"),
    desk("prepare_transfer", same, "more than there is", instead=DRAFT),
    desk("confirm_transfer", plus("total"), "the customer confirms"),
    desk("get_rate", plus("rate"), "a rate"),
    desk("convert", plus("amount"), "what an amount is worth"),
    desk("find_branches", nothing, "a branch that opens on Saturday"),
    desk("find_branches", lambda value: [*value, *value], "a branch that opens on Saturday"),
    desk("get_fees", plus("amount"), "a fee"),
    desk("open_dispute", said(answer_by="2026-03-23"), "a charge that nobody knows"),
    desk(
        "cancel_transfer", said(draft="D2"), "the customer thinks again", "a transfer that looks like a scam"
    ),
    desk_text(
        "if not desk.session.verified\n    and message matches",
        f"{QUIET} and message matches",
        "balance before identity",
    ),
    desk_text("if desk.session.draft != null and", f"{QUIET} and", "the customer thinks again"),
    desk_text(
        'if message matches r"忽略', f'{QUIET} and message matches r"忽略', "an instruction from a stranger"
    ),
    desk_text("deny fixed", "log fixed", "a code is sent"),
    desk_text(
        '不查任何东西。"""\n      check count(number(reply)) == 0',
        '不查任何东西。"""\n      check count(number(reply)) > 0',
        "a greeting",
    ),
]
CASES = [*SHOP, *TUTOR, *DESK]
