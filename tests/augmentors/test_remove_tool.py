"""Removing a tool: predicates say what they said where it is never called, and the Core stays well-formed."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.adapters.group_parameters import GroupParameters
from augmentors.adapters.refactorings import RefactoringError, shape
from augmentors.checker import check
from augmentors.codebook import codebook
from augmentors.compact import from_row, to_row
from augmentors.edits.folding import never_called, speaks_of
from augmentors.edits.remove_tool import RemoveTool
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.reproduce import differences
from augmentors.variants import draw
from harness_dsl.ir.core import Core, Item, ListContent
from harness_dsl.ir.evaluate import CallFact, Facts, evaluate, truth
from harness_dsl.ir.expressions import (
    Binary,
    Called,
    Constant,
    Every,
    Expression,
    Extract,
    Measure,
    Not,
    Reply,
    Results,
)
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.verify import verify_core
from harness_dsl.ir.walk import items
from tests.strategies import cores, small_shop, surfaces

GONE: SemanticId = "tool/get_quote"
few = settings(max_examples=max(10, settings().max_examples // 3))

LEAVES: list[Expression] = [
    Called(tool=GONE),
    Called(tool="tool/check_stock"),
    Constant(value=True),
    Constant(value=False),
    Every(subject=Extract(function="price", subject=Reply()), within=Results(tool=GONE, path=("amount",))),
    Binary(
        operator="<=",
        left=Measure(function="count", subject=Results(tool=GONE)),
        right=Constant(value=1),
    ),
]


def predicates() -> st.SearchStrategy[Expression]:
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: st.one_of(
            st.builds(lambda one: Not(operand=one), inner),
            st.builds(
                lambda operator, one, other: Binary(operator=operator, left=one, right=other),
                st.sampled_from(["and", "or"]),
                inner,
                inner,
            ),
        ),
        max_leaves=6,
    )


@given(predicates(), st.sampled_from(["亲，89元", "亲", "89"]), st.booleans())
def test_a_predicate_means_the_same_where_the_tool_is_never_called(
    predicate: Expression, reply: str, stocked: bool
) -> None:
    calls = (CallFact("tool/check_stock", value={"left": 3}),) if stocked else ()
    facts = Facts(reply=reply, calls=calls)
    folded = never_called(predicate, GONE)
    assert truth(evaluate(folded, facts)) == truth(evaluate(predicate, facts))
    assert not speaks_of(folded, GONE)
    # Nothing is left in it that a call would decide.
    called = replace(facts, calls=(*calls, CallFact(GONE, value={"amount": 1})))
    assert truth(evaluate(folded, called)) == truth(evaluate(folded, facts))


@few
@given(data=st.data())
def test_a_harness_without_a_tool_is_whole(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    for tool in core.tools:
        edit = RemoveTool(tool=tool.id)
        if edit.problem(core, surface) is not None:
            continue
        after = edit.applied(core)
        assert verify_core(after) == []
        assert tool.id not in after.model_dump_json()
        assert [one.id for one in after.tools] == [one.id for one in core.tools if one.id != tool.id]
        assert {item.id for item in items(after)} <= {item.id for item in items(core)}


def test_what_cannot_go_is_told() -> None:
    core, surface = small_shop()
    told = {tool.id: RemoveTool(tool=tool.id).problem(core, surface) for tool in core.tools}
    assert "speaks of it" in (told[GONE] or "")
    assert RemoveTool(tool="tool/none").problem(core, surface) == "`tool/none` is no tool"
    fixed = tuple(tool.model_copy(update={"fixed": True}) for tool in core.tools)
    locked = core.model_copy(update={"tools": fixed})
    assert RemoveTool(tool=GONE).problem(locked, surface) == f"`{GONE}` is fixed"
    assert None in told.values()


def with_a_rule(core: Core, check: Expression | None) -> Core:
    """The shop with one more rule, whose prose is about no tool."""
    text = Text(id="prompt/system/section/rules/made", canonical=(Literally(text="只说查到的。"),))
    rule = Item(id=text.id, text=text, check=check)
    sections = tuple(
        section.model_copy(
            update={"content": section.content.model_copy(update={"items": _sorted(section.content, rule)})}
        )
        if isinstance(section.content, ListContent) and section.id.endswith("/rules")
        else section
        for section in core.prompt.sections
    )
    return core.model_copy(update={"prompt": core.prompt.model_copy(update={"sections": sections})})


def _sorted(content: ListContent, rule: Item) -> tuple[Item, ...]:
    return tuple(sorted((*content.items, rule), key=lambda item: item.id))


def test_a_rule_about_its_results_forbids_what_they_would_have_allowed() -> None:
    core, surface = small_shop()
    removable = next(t.id for t in core.tools if RemoveTool(tool=t.id).problem(core, surface) is None)
    told = Every(subject=Extract(function="number", subject=Reply()), within=Results(tool=removable))
    after = RemoveTool(tool=removable).applied(with_a_rule(core, told))
    rule = next(item for item in items(after) if item.id.endswith("/made"))
    assert rule.check is not None
    assert truth(evaluate(rule.check, Facts(reply="亲"))) and not truth(
        evaluate(rule.check, Facts(reply="3件"))
    )


def test_rows_without_a_tool_are_certified_read_back_and_reproduced() -> None:
    core, surface = small_shop()
    policy = Policy.of({"remove-tool": {}, "rename": {}, "reorder": {}, "hide": {"probability": 0.5}})
    removed, book = set(), codebook(core, surface)
    for row in range(12):
        variant = draw(core, surface, policy, 3, row, Footprint.of(["tool/get_quote"]))
        certificate = variant.certificate
        removed |= {one.tool for one in certificate.refactorings if isinstance(one, RemoveTool)}
        assert check(core, surface, certificate, everything_read) == []
        assert from_row(json.loads(to_row(certificate, book)), book) == certificate
        assert list(differences(core, surface, certificate)) == []
        assert variant.adapter is None
    assert removed


def test_a_removal_that_is_not_claimed_is_refused() -> None:
    core, surface = small_shop()
    variant = draw(core, surface, Policy.of({"remove-tool": {}}), 3, 1)
    certificate = variant.certificate
    unclaimed = certificate.model_copy(update={"observations": ()})
    assert any("keeps only" in str(one) for one in check(core, surface, unclaimed))
    other = certificate.model_copy(update={"refactorings": ()})
    assert check(core, surface, other)
    wrong = certificate.model_copy(update={"refactorings": (RemoveTool(tool=GONE),)})
    assert "`remove-tool` cannot be applied" in str(check(core, surface, wrong)[0])


def test_no_edit_comes_behind_an_adapter() -> None:
    core, surface = small_shop()
    others = [tool.id for tool in core.tools if tool.id != "tool/apply_coupon"]
    removable = next(id_ for id_ in others if RemoveTool(tool=id_).problem(core, surface) is None)
    group = GroupParameters(
        tool="tool/apply_coupon",
        params=("tool/apply_coupon/param/code", "tool/apply_coupon/param/link_id"),
        into="request",
        type="Request",
    )
    assert shape(core, surface, (RemoveTool(tool=removable), group)).adapter.steps == (group,)
    with pytest.raises(RefactoringError, match="comes before what has an adapter"):
        shape(core, surface, (group, RemoveTool(tool=removable)))
