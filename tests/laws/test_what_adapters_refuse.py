"""What would change a meaning is refused: tools that run otherwise, tests and calls told in part."""

import pytest

from augmentors.adapters.adapter import Adapter
from augmentors.adapters.flatten_parameter import FlattenParameter
from augmentors.adapters.merge_tools import MergeTools
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.expressions import Argument, Binary, Calling, Constant
from harness_dsl.ir.transcript import Call, Generated, Result, Transcript
from tests.laws.twins_refactoring import group
from tests.strategies import small_shop

SHOP, SURFACE = small_shop()
MERGED = MergeTools(merged=("tool/check_stock", "tool/get_coupon"), into="ask", choice="what")


def with_tool(core: Core, id_: str, **changes: object) -> Core:
    tools = tuple(tool.model_copy(update=changes) if tool.id == id_ else tool for tool in core.tools)
    return core.model_copy(update={"tools": tools})


@pytest.mark.parametrize("changes", [{"effect": "write"}, {"idempotent": True}, {"timeout_ms": 7}], ids=str)
def test_tools_that_run_otherwise_are_not_merged(changes: dict[str, object]) -> None:
    assert MERGED.problem(SHOP, SURFACE) is None
    assert MERGED.problem(with_tool(SHOP, "tool/get_coupon", **changes), SURFACE) is not None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((("code", "x"),), "leaves the others free"), ((("code", "x"), ("link_id", 3)), ""), ((), "")],
)
def test_a_test_that_expects_some_of_a_group_is_no_test_of_the_group(
    arguments: tuple[tuple[str, object], ...], said: str
) -> None:
    tests = tuple(
        test.model_copy(
            update={
                "expect": tuple(
                    one.model_copy(update={"tool": "tool/apply_coupon", "arguments": arguments})
                    for one in test.expect
                    if one.kind == "call"
                )
            }
        )
        for test in SHOP.tests
    )
    assert any(test.expect for test in tests)
    problem = group().problem(SHOP.model_copy(update={"tests": tests}), SURFACE) or ""
    assert said in problem and bool(said) == bool(problem)


def test_results_go_to_the_calls_in_their_order() -> None:
    merged = MERGED.applied(SHOP)
    calls = tuple(Call(tool="tool/ask", arguments={"link_id": 3, "what": word}) for word in ask_words(merged))
    results = (Result(tool="tool/ask", value="first"), Result(tool="tool/ask", value="second"))
    talk = Transcript(core_digest=core_digest(merged), inputs={}, events=(Generated(events=calls), *results))
    back = Adapter(SHOP, merged, (MERGED,)).back(talk)
    output = back.events[0]
    assert isinstance(output, Generated)
    asked = [event.tool for event in output.events if isinstance(event, Call)]
    assert len({*asked}) == 2
    assert [event.tool for event in back.events if isinstance(event, Result)] == asked


def ask_words(core: Core) -> list[str]:
    """The values of the choice of the merged tool."""
    tool = next(tool for tool in core.tools if tool.id == "tool/ask")
    choice = next(param for param in tool.params if param.id.endswith("/what"))
    return [member.value for member in choice.type.members]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("path", "said"), [((), "looks at all of `request`"), (("code",), "")], ids=["all of it", "one field"]
)
def test_a_hook_that_looks_at_a_whole_record_keeps_it_together(path: tuple[str, ...], said: str) -> None:
    grouped = group().applied(SHOP)
    look = Binary(operator="==", left=Argument(name="request", path=path), right=Constant(value="x"))
    hook = Hook(
        id="hook/asks",
        event="before_call",
        condition=Binary(operator="and", left=Calling(tool="tool/apply_coupon"), right=look),
        action="log",
    )
    core = grouped.model_copy(update={"hooks": (*grouped.hooks, hook)})
    made = group().inverse(SHOP)
    assert isinstance(made, FlattenParameter)
    problem = made.problem(core, group().shown(SHOP, SURFACE)) or ""
    assert said in problem and bool(said) == bool(problem)
