"""Messages beside a certificate are those of its Surface, and use no more than its footprint."""

import json
from typing import Any

import pytest

from augmentors.footprint import Footprint
from augmentors.messages import check_messages
from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from augmentors.transport import lower
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.transcript import Call, ForeignCall, Generated, ReplyText, Result, Transcript, User
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
TALK = Transcript(
    core_digest=core_digest(CORE),
    inputs={"danmaku": "3号多少钱", "room": ROOM},
    events=(
        User(text="3号多少钱"),
        Generated(events=(Call(tool="tool/get_quote", arguments={"link_id": 3}),)),
        Result(tool="tool/get_quote", value={"amount": 89, "currency": "CNY"}),
        Generated(events=(ReplyText(text=("89元",)),)),
    ),
)
POLICY = Policy.of({"rename": {"declared": 0.0}, "limits": {"probability": 0.5}})
MADE = make(Recipe(CORE, SURFACE, POLICY, 0, (TALK,), with_messages=True), 1)
LINE, CERTIFICATE = MADE.line, MADE.certificate


def messages() -> list[dict[str, Any]]:
    given: list[dict[str, Any]] = json.loads(LINE)["messages"]
    return given


def proofs(given: list[dict[str, Any]], footprint: Footprint | None = CERTIFICATE.footprint) -> set[int]:
    certificate = CERTIFICATE.model_copy(update={"footprint": footprint})
    return {finding.proof for finding in check_messages(CORE, SURFACE, certificate, given)}


def test_honest_messages_hold() -> None:
    assert proofs(messages()) == set()


def test_a_prompt_of_another_surface_is_found() -> None:
    given = messages()
    given[0]["content"] = given[0]["content"].replace("\n\n", "\n", 1)
    assert proofs(given) == {3}


def test_a_call_by_the_old_name_is_found() -> None:
    given = messages()
    call = next(message for message in given if message.get("tool_calls"))["tool_calls"][0]
    call["function"]["name"] = SURFACE.names["tool/get_quote"]
    assert proofs(given) == {3}


@pytest.mark.parametrize("name", ["apply_coupon", "use_coupon"])
def test_a_call_of_a_hidden_tool_is_found(name: str) -> None:
    """By its old name and by the one that the variant has for it."""
    hidden = "tool/apply_coupon"
    surface = SURFACE.model_copy(
        update={"hidden": (hidden,), "names": {**SURFACE.names, hidden: "use_coupon"}}
    )
    call = ForeignCall(name=name, arguments="{}")
    answer = Result(tool=None, failure="unknown_tool", detail="no such tool")
    talk = TALK.model_copy(update={"events": (User(text="?"), Generated(events=(call,)), answer)})
    given = lower(talk, CORE, surface)
    certificate = CERTIFICATE.model_copy(
        update={"surface": surface, "footprint": Footprint(), "limits": {}, "core": core_digest(CORE)}
    )
    found = check_messages(CORE, SURFACE, certificate, given)
    assert 4 in {finding.proof for finding in found}
    assert any("`tool/apply_coupon` is hidden" in finding.message for finding in found)


def test_a_conversation_that_needs_more_than_its_row_says_is_found() -> None:
    assert proofs(messages(), Footprint.of(["tool/get_item"])) == {4}
    assert proofs(messages(), None) == set()
