"""`calling(tool)`: which tool the call is of that a hook looks at."""

import pytest

from harness_dsl.ir.evaluate import CallFact, Facts, evaluate
from harness_dsl.ir.expressions import Calling
from harness_dsl.ir.spelling import spell_expression
from harness_dsl.syntax.compile import compile_text
from tests.language.helpers import at_fault, check

HEAD = 'harness x "1.0.0"\n\n'
TOOLS = (
    'tool get_quote(link_id: int) -> any {\n  """Quote it."""\n}\n\n'
    'tool hold(link_id: int) -> any {\n  """Hold it."""\n  effect write\n}\n\n'
)
PROMPT = 'prompt system {\n  section p """Be kind."""\n}\n'


def guard(event: str, condition: str) -> str:
    return f'{HEAD}{TOOLS}hook h on {event} {{\n  if {condition}\n  deny """No."""\n}}\n\n{PROMPT}'


@pytest.mark.parametrize("event", ["before_call", "after_call"])
def test_a_hook_asks_which_tool_is_called(event: str) -> None:
    core = compile_text(guard(event, "calling(hold) and argument.link_id == 3")).core
    assert core is not None
    (hook,) = core.hooks
    assert spell_expression(hook.condition).startswith("calling(hold) and ")
    for tool, link, holds in (("hold", 3, True), ("hold", 4, False), ("get_quote", 3, False)):
        facts = Facts(call=CallFact(f"tool/{tool}", {"link_id": link}))
        assert evaluate(hook.condition, facts) is holds


def test_where_no_call_is_looked_at_it_does_not_hold() -> None:
    earlier = Facts(calls=(CallFact("tool/hold", {"link_id": 3}),))
    assert evaluate(Calling(tool="tool/hold"), earlier) is False


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        (guard("before_reply", "calling(hold)"), "HD503", "calling"),
        (guard("before_turn", "calling(hold)"), "HD503", "calling"),
        (guard("before_call", "calling(hld)"), "HD202", "hld"),
        (guard("before_call", 'calling("hold")'), "HD202", '"hold"'),
        (guard("before_call", "calling(hold).x"), "HD306", "x"),
        (
            HEAD
            + TOOLS
            + 'prompt system {\n  section p unordered {\n    rule r """R."""\n'
            + "      check calling(hold)\n  }\n}\n",
            "HD503",
            "calling",
        ),
        (
            HEAD + TOOLS + 'prompt system {\n  section p """{% if calling(hold) %}x{% endif %}"""\n}\n',
            "HD503",
            "calling",
        ),
    ],
)
def test_it_is_refused_elsewhere(text: str, code: str, at: str) -> None:
    (found,) = [found for found in check(text) if found.severity == "error"]
    assert (found.code, at_fault(text, found)) == (code, at)
