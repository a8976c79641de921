"""What may be hidden, and what has to go along with it."""

from random import Random

from augmentors.footprint import Footprint
from augmentors.operators.hide import Hide, HideParameters
from harness_dsl.ir.core import Core, Prompt
from tests.strategies import small_shop

CORE, SURFACE = small_shop()


def test_what_the_task_needs_and_what_a_rule_or_hook_speaks_of_stays() -> None:
    may_go = Hide().symbols(CORE, SURFACE, Footprint.of(["tool/check_stock"]))
    assert "tool/check_stock" not in may_go
    assert "tool/get_quote" not in may_go  # a rule and a hook speak of it
    assert "skill/item_qa" not in may_go  # a hook requires it
    assert {"tool/get_item", "skill/small_talk"} <= set(may_go)


def test_a_tool_that_only_a_skill_speaks_of_goes_with_that_skill() -> None:
    operator = Hide(HideParameters(share=0.3))
    together = 0
    for seed in range(60):
        hidden = operator.apply(CORE, SURFACE, Footprint(), Random(seed)).hidden
        if "tool/get_coupon" in hidden:
            assert "skill/push_coupon" in hidden
            together += 1
    assert together


def test_one_reply_skill_and_one_tool_stay() -> None:
    bare = CORE.model_copy(update={"hooks": (), "prompt": prompt_without_rules(CORE)})
    for seed in range(60):
        hidden = Hide(HideParameters(share=1.0)).apply(bare, SURFACE, Footprint(), Random(seed)).hidden
        assert {tool.id for tool in bare.tools} - set(hidden)
        assert {skill.id for skill in bare.skills if skill.role == "reply"} - set(hidden)


def prompt_without_rules(core: Core) -> Prompt:
    sections = tuple(section for section in core.prompt.sections if not section.id.endswith("/rules"))
    return core.prompt.model_copy(update={"sections": sections})


def test_a_task_that_is_not_known_may_need_everything() -> None:
    assert Hide().symbols(CORE, SURFACE, Footprint.everything(CORE)) == ()
