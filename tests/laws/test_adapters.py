"""Refactorings as data: what the checker proves of them, and the broken ones that it refuses."""

from typing import Any

import pytest

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.flatten_parameter import FlattenParameter
from augmentors.adapters.merge_tools import MergeTools
from augmentors.adapters.move_rule import MoveRule
from augmentors.adapters.refactorings import RefactoringError, shape
from augmentors.adapters.reshaping import AdapterError, Reshaping
from augmentors.adapters.split_tool import SplitTool
from augmentors.banks import Pool
from augmentors.certificates import Applied, Certificate, from_line, to_line
from augmentors.checker import check
from augmentors.identifiers import words
from augmentors.observations import THROUGH_ADAPTER
from augmentors.operators.group_parameters import NAMES
from augmentors.operators.merge_tools import CHOICES, TOOLS
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core, Hook, Param
from harness_dsl.ir.evaluate import evaluate
from harness_dsl.ir.expressions import Argument, Binary, Called, Calling, Constant, Measure, Not, Results
from harness_dsl.ir.facts import CallFact, Facts
from harness_dsl.ir.rules import broken
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.transcript import Call, Event, Generated, Mention, ReplyText, Result, Transcript, User
from harness_dsl.ir.types import EnumMember, EnumType
from harness_dsl.ir.walk import items
from tests.laws.twins_refactoring import (
    AnswersForOne,
    ForgetsTheGuard,
    ForgetsTheHooks,
    ForgetsTheNames,
    ForgetsTheTests,
    LoosensATool,
    LosesAnArgument,
    OneWordForAll,
    OrdersRules,
    SwapsArguments,
    group,
)
from tests.strategies import small_shop

SHOP, SURFACE = small_shop()


def asking(condition: Any) -> Hook:
    """A hook that looks at a call."""
    message = Text(
        id="hook/asks/message",
        canonical=(Literally(text="See "), Reference(target="tool/apply_coupon/param/code")),
    )
    return Hook(id="hook/asks", event="before_call", condition=condition, action="deny", message=message)


def link_of(tool: str) -> Binary:
    """A condition about the link of a call of one tool."""
    return Binary(operator="and", left=Calling(tool=tool), right=Argument(name="link_id"))


CODE = Binary(operator="==", left=Argument(name="code"), right=Constant(value="x"))
WITH_A_HOOK = SHOP.model_copy(update={"hooks": (*SHOP.hooks, asking(CODE))})


def certified(core: Core, made: Reshaping) -> Certificate:
    """What somebody claims who believes in `made`."""
    after, shown = made.applied(core), made.shown(core, SURFACE)
    return Certificate.model_construct(
        seed=0,
        row=0,
        base_core=core_digest(core),
        core=core_digest(after),
        refactorings=(made,),
        surface=shown,
        surface_digest=surface_digest(after, shown),
        operators=(Applied(operator="by-hand", changed=made.symbols),),
        observations=(THROUGH_ADAPTER,),
    )


def faults(core: Core, made: Reshaping) -> list[str]:
    return [str(found) for found in check(core, SURFACE, certified(core, made), everything_read)]


@pytest.mark.parametrize("core", [SHOP, WITH_A_HOOK], ids=["shop", "with a hook"])
def test_an_honest_group_is_accepted_from_memory_and_from_disk(core: Core) -> None:
    assert faults(core, group()) == []
    certificate = certified(core, group())
    assert from_line(to_line(certificate)) == certificate


@pytest.mark.parametrize(
    ("twin", "said"),
    [
        (LosesAnArgument, "gives back another call"),
        (SwapsArguments, "led to a place of another type"),
        (ForgetsTheHooks, "it leaves `hook/asks/message`"),
        (ForgetsTheTests, "has no parameter `code`"),
        (LoosensATool, "taken back gives another Core"),
        (ForgetsTheNames, "taken back shows `tool/get_quote` otherwise"),
        (OrdersRules, "taken back shows `prompt/system/section/rules` otherwise"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_checker_refuses_a_broken_refactoring(twin: type[Reshaping], said: str) -> None:
    tests = tuple(
        test.model_copy(update={"expect": tuple(map(_of_the_coupon, test.expect))}) for test in SHOP.tests
    )
    core = WITH_A_HOOK.model_copy(update={"tests": tests})
    assert faults(core, group()) == []
    assert any(said in fault and fault.startswith("proof 1") for fault in faults(core, twin(**dict(group()))))


def _of_the_coupon(expected: Any) -> Any:
    """Expected calls of the tool that is refactored, for tests that had another one in mind."""
    if expected.kind != "call":
        return expected
    arguments = (("code", "x"), ("link_id", 3))
    return expected.model_copy(update={"tool": "tool/apply_coupon", "arguments": arguments})


@pytest.mark.parametrize(
    ("twin", "said"),
    [
        (OneWordForAll, "gives back another call"),
        (OneWordForAll, "does not tell"),
        (AnswersForOne, "does not return what"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_checker_refuses_a_broken_merger(twin: type[Reshaping], said: str) -> None:
    honest = MergeTools(merged=("tool/check_stock", "tool/get_coupon"), into="ask", choice="what")
    assert faults(SHOP, honest) == []
    found = faults(SHOP, twin(**dict(honest)))
    assert any(said in fault and fault.startswith("proof 1") for fault in found)


STEP = "skill/small_talk/step/short"
MOVED = MoveRule(rule=STEP, to="prompt/system/section/rules/small_talk_short")


def with_a_checked_step() -> Core:
    """The shop, in which small talk is judged."""
    check = Not(operand=Called(tool="tool/get_quote"))
    skills = tuple(
        skill.model_copy(
            update={
                "items": tuple(
                    item.model_copy(update={"check": check}) if item.id == STEP else item
                    for item in skill.items
                )
            }
        )
        for skill in SHOP.skills
    )
    return SHOP.model_copy(update={"skills": skills})


def test_a_step_that_becomes_a_rule_is_judged_in_the_turns_in_which_it_was() -> None:
    core = with_a_checked_step()
    assert faults(core, MOVED) == []
    after = MOVED.applied(core)
    for loaded in (frozenset(), frozenset({"skill/small_talk"}), frozenset({"skill/item_qa"})):
        for calls in ((), (CallFact("tool/get_quote", {}, {}),)):
            facts = Facts(reply="好", calls=calls, loaded=loaded)
            before, now = broken(core, facts), broken(after, facts)
            assert sorted(MOVED.to if id_ == STEP else id_ for id_ in before) == sorted(now)
    rule = next(rule for rule in items(after) if rule.id == MOVED.to)
    assert rule.text.canonical[:2] == (Reference(target="skill/small_talk"), Literally(text=": "))


def test_the_checker_refuses_a_rule_that_holds_in_more_turns() -> None:
    core = with_a_checked_step()
    found = faults(core, ForgetsTheGuard(**dict(MOVED)))
    assert any("changes in which turns" in fault for fault in found)
    unguarded = MOVED.model_copy(update={"guarded": False})
    assert "not loaded in every turn" in (unguarded.problem(core, SURFACE) or "")


def test_where_one_skill_replies_a_rule_moves_as_it_is() -> None:
    core = with_a_checked_step()
    skills = tuple(
        skill.model_copy(update={"role": "reply" if skill.id == "skill/small_talk" else "strategy"})
        for skill in core.skills
    )
    core = core.model_copy(update={"skills": skills})
    assert faults(core, MOVED.model_copy(update={"guarded": False})) == []
    into = MoveRule(
        rule="prompt/system/section/rules/spoken", to="skill/small_talk/step/spoken", guarded=False
    )
    assert faults(core, into) == []
    # That of another skill names its skill, whichever skill replies.
    talking = core.model_copy(
        update={
            "skills": tuple(
                skill.model_copy(update={"role": "reply" if skill.id == "skill/item_qa" else "strategy"})
                for skill in core.skills
            )
        }
    )
    assert faults(talking, MOVED) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rule": "skill/small_talk/step/none"}, "in no skill"),
        ({"rule": "skill/item_qa/step/1"}, "in no skill and no section of free order"),
        ({"to": "prompt/system/section/rules/spoken"}, "is there already"),
        ({"to": "prompt/system/section/nowhere/x"}, "in no skill and no section"),
    ],
)
def test_a_rule_that_cannot_move_says_why(changes: dict[str, object], said: str) -> None:
    assert said in (MOVED.model_copy(update=changes).problem(SHOP, SURFACE) or "")


def with_a_choice() -> Core:
    """The shop, in which delivery goes one of two ways."""
    param = "tool/delivery_days/param/way"
    words = tuple(EnumMember(id=f"{param}/value/{word}", value=word) for word in ("air", "sea"))
    way = Param(id=param, type=EnumType(members=words))
    tools = tuple(
        tool.model_copy(update={"params": (*tool.params, way)}) if tool.id == "tool/delivery_days" else tool
        for tool in SHOP.tools
    )
    return SHOP.model_copy(update={"tools": tools})


SPLIT = SplitTool(param="tool/delivery_days/param/way", into=(("air", "fly"), ("sea", "ship")))


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (Calling(tool="tool/get_quote"), ""),
        (Calling(tool="tool/delivery_days"), ""),
        (Called(tool="tool/delivery_days"), ""),
        (
            Binary(
                operator="and",
                left=Calling(tool="tool/delivery_days"),
                right=Binary(operator="==", left=Argument(name="way"), right=Constant(value="air")),
            ),
            "",
        ),
        (Binary(operator="==", left=Argument(name="way"), right=Constant(value="air")), "no call has then"),
        (
            Measure(function="count", subject=Results(tool="tool/delivery_days")),
            "asks about `tool/delivery_days`",
        ),
    ],
)
def test_a_tool_is_split_where_every_hook_can_ask_as_before(condition: Any, said: str) -> None:
    core = with_a_choice()
    core = core.model_copy(update={"hooks": (*core.hooks, asking(condition))})
    assert said in (SPLIT.problem(core, SURFACE) or "")
    if said:
        return
    assert faults(core, SPLIT) == []
    for word, tool in (("air", "tool/fly"), ("sea", "tool/ship")):
        call = CallFact("tool/delivery_days", {"city": "上海", "way": word}, 2)
        there = SPLIT.call(Call(tool=call.tool, arguments=dict(call.arguments)))
        assert there == Call(tool=tool, arguments={"city": "上海"})
        new = CallFact(there.tool, there.arguments, 2)
        then = SPLIT.applied(core).hooks[-1].condition
        assert evaluate(condition, Facts(call=call, calls=(call,))) == evaluate(
            then, Facts(call=new, calls=(new,))
        )


def by(way: str) -> Call:
    return Call(tool="tool/delivery_days", arguments={"city": "上海", "way": way})


DAYS = Result(tool="tool/delivery_days", value=2)
LATE: tuple[tuple[tuple[Event, ...], list[str]], ...] = (
    ((Generated(events=(by("air"),)), User(text="?"), Generated(events=(by("sea"),)), DAYS), ["tool/ship"]),
    ((Generated(events=(by("air"),)), Generated(events=(by("sea"),)), DAYS), ["tool/ship"]),
    ((Generated(events=(by("air"), by("sea"))), DAYS, DAYS), ["tool/fly", "tool/ship"]),
)


@pytest.mark.parametrize(("events", "tools"), LATE)
def test_a_result_is_of_the_tool_of_its_own_call(events: tuple[Event, ...], tools: list[str]) -> None:
    core = with_a_choice()
    talk = Transcript(core_digest=core_digest(core), events=(User(text="?"), *events))
    adapter = shape(core, SURFACE, (SPLIT,)).adapter
    there = adapter.forward(talk)
    assert [event.tool for event in there.events if isinstance(event, Result)] == tools
    assert adapter.back(there) == talk


def test_everything_that_speaks_of_a_parameter_follows_it() -> None:
    after = group().applied(WITH_A_HOOK)
    hook = after.hooks[-1]
    assert hook.condition == Binary(
        operator="==", left=Argument(name="request", path=("code",)), right=Constant(value="x")
    )
    assert hook.message is not None
    assert hook.message.canonical[1] == Reference(target="type/Request/field/code")
    assert {field.id for field in next(t for t in after.types if t.id == "type/Request").fields or ()} == {
        "type/Request/field/code",
        "type/Request/field/link_id",
    }


@pytest.mark.parametrize(
    ("condition", "changes", "said"),
    [
        (Argument(name="link_id"), {}, "arguments that other tools have"),
        (
            Binary(operator="and", left=Calling(tool="tool/apply_coupon"), right=Argument(name="link_id")),
            {},
            "",
        ),
        (Binary(operator="and", left=Calling(tool="tool/get_quote"), right=Argument(name="link_id")), {}, ""),
        (Argument(name="request"), {}, "looks at an argument `request`"),
        (CODE, {"into": "code"}, "has a parameter `code` already"),
        (CODE, {"params": ()}, "none, not sorted"),
        (CODE, {"params": ("tool/apply_coupon/param/link_id", "tool/apply_coupon/param/code")}, "not sorted"),
        (CODE, {"params": ("tool/get_quote/param/link_id",)}, "is no parameter of"),
        (CODE, {"tool": "tool/nowhere"}, "is no tool"),
        (CODE, {"type": "Quote"}, "declared already"),
        (CODE, {"type": "no name"}, "no identifiers"),
        (
            CODE,
            {"tool": "tool/get_quote", "params": ("tool/get_quote/param/quantity",)},
            "has a default",
        ),
    ],
)
def test_a_refactoring_says_why_it_cannot_be_applied(
    condition: Any, changes: dict[str, object], said: str
) -> None:
    if condition == Argument(name="request"):
        # A hook may only ask for what some tool takes.
        grouped = group(tool="tool/get_coupon", params=("tool/get_coupon/param/link_id",), type="Other")
        core = grouped.applied(SHOP)
    else:
        core = SHOP
    core = core.model_copy(update={"hooks": (*core.hooks, asking(condition))})
    made = group(**changes)
    problem = made.problem(core, SURFACE)
    assert (problem or "") == "" if not said else said in (problem or "")
    if said:
        with pytest.raises(RefactoringError, match="cannot be applied"):
            shape(core, SURFACE, (made,))


def test_what_a_group_made_is_taken_apart_to_the_very_same_core() -> None:
    after = shape(WITH_A_HOOK, SURFACE, (group(),))
    back = group().inverse(WITH_A_HOOK)
    assert isinstance(back, FlattenParameter)
    both = shape(WITH_A_HOOK, SURFACE, (group(), back))
    assert both.core == WITH_A_HOOK and after.core != WITH_A_HOOK
    assert back.inverse(after.core) == group()


def test_a_certificate_that_leaves_its_refactoring_unclaimed_is_refused() -> None:
    certificate = certified(SHOP, group())
    unsaid = certificate.model_copy(update={"operators": ()})
    assert any("has another shape, and no operator claims" in str(f) for f in check(SHOP, SURFACE, unsaid))
    proud = certificate.model_copy(update={"observations": ()})
    assert any("keeps only" in str(f) for f in check(SHOP, SURFACE, proud))
    other = certificate.model_copy(update={"core": core_digest(SHOP)})
    assert any("digest of the varied Core" in str(f) for f in check(SHOP, SURFACE, other))


def test_a_mention_of_a_parameter_goes_to_its_field_and_back() -> None:
    after = shape(SHOP, SURFACE, (group(),))
    said = ReplyText(text=("about ", Mention(symbol="tool/apply_coupon/param/code"), "."))
    talk = Transcript(core_digest=core_digest(SHOP), events=(Generated(events=(said,)),))
    there = after.adapter.forward(talk)
    field = Mention(symbol="type/Request/field/code")
    assert there.events == (Generated(events=(ReplyText(text=("about ", field, ".")),)),)
    assert after.adapter.back(there) == talk


def test_a_call_that_has_no_counterpart_is_no_guess() -> None:
    adapter: Adapter = shape(SHOP, SURFACE, (group(),)).adapter
    with pytest.raises(AdapterError, match="`request`, which is new"):
        adapter.call(Call(tool="tool/apply_coupon", arguments={"request": 1}))
    with pytest.raises(AdapterError, match="no record"):
        adapter.call_back(Call(tool="tool/apply_coupon", arguments={"request": 1}))
    with pytest.raises(AdapterError, match="no record"):
        adapter.call_back(Call(tool="tool/apply_coupon", arguments={"code": "x", "request": {"code": "y"}}))


def test_a_row_whose_conversation_has_no_counterpart_keeps_the_shape() -> None:
    policy = Policy.of({"group-parameters": {}})
    fine = Call(tool="tool/get_item", arguments={"link_id": 3})
    stray = Call(tool="tool/get_item", arguments={"link_id": 3} | dict.fromkeys(NAMES["train"], 1))
    shapes = {}
    for call in (fine, stray):
        said = (User(text="?"), Generated(events=(call,)))
        talk = Transcript(core_digest=core_digest(SHOP), events=said)
        rows = [draw(SHOP, SURFACE, policy, 0, row, conversation=talk) for row in range(40)]
        shapes[call is fine] = {
            step.symbols[0].split("/param/")[0] for row in rows for step in row.certificate.refactorings
        }
    assert shapes[True] - shapes[False] == {"tool/get_item"}


@pytest.mark.parametrize("names", [NAMES, TOOLS, CHOICES])
def test_names_that_evaluation_draws_are_none_that_training_sees(
    names: dict[Pool, tuple[str, ...]],
) -> None:
    seen, held_out = ({words(name) for name in names[pool]} for pool in ("train", "held-out"))
    assert seen and held_out and seen.isdisjoint(held_out)
