"""The quick renderer writes what the renderer writes, character by character, with the same sources."""

from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.samples import sample_inputs
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface, ToolDocs
from harness_dsl.ir.transcript import HookNote, SkillShown
from harness_dsl.protocol.quick import Pieced
from harness_dsl.protocol.quick import tools as quick_tools
from harness_dsl.protocol.quick.sheet import Sheet
from harness_dsl.protocol.source_map import Rendered
from harness_dsl.protocol.view import View
from tests.strategies import cores, small_shop, surfaces


def both(core: Core, surface: Surface, inputs: dict[str, Any]) -> Iterator[tuple[Pieced, Rendered]]:
    """Everything that is shown of a harness, quickly and as defined."""
    view = View(core, surface)
    quick, slow = view.quick, view.renderer
    assert quick.system_text(inputs) == slow.system(inputs).text
    yield quick.system(inputs), slow.system(inputs)
    for skill in [*(skill.id for skill in core.skills), "skill/no_such"]:
        shown = SkillShown(skill=skill)
        assert quick.skill_text(shown, inputs) == slow.skill(shown, inputs).text
        yield quick.skill(shown, inputs), slow.skill(shown, inputs)
    for hook in core.hooks:
        note = HookNote(hook=hook.id, action=hook.action)
        yield quick.hook(note, inputs), slow.hook(note, inputs)


def writes_the_same(core: Core, surface: Surface) -> None:
    """The law."""
    for quick, slow in both(core, surface, sample_inputs(core)):
        assert quick.text == slow.text
        assert quick.spans == slow.spans


@given(st.data())
@settings(max_examples=2 * settings().max_examples)
def test_generated_harnesses_are_written_the_same(data: st.DataObject) -> None:
    core = data.draw(cores())
    for _ in range(3):
        # The second and third Surface find fragments that the first one left.
        writes_the_same(core, data.draw(surfaces(core)))


@pytest.mark.parametrize("form", get_args(ToolDocs))
@pytest.mark.parametrize("markup", ["markdown", "xml", "plain"])
def test_every_form_of_the_live_shop_is_written_the_same(form: str, markup: str) -> None:
    core, surface = small_shop()
    writes_the_same(core, surface.model_copy(update={"tool_docs": form, "markup": markup}))


@pytest.mark.parametrize(
    "name", ["a\nb", 'say "no"', "<tool_call>", "价 格", "\\u003c", "*/", "/a*", "a & b"]
)
def test_names_and_limits_of_any_form_are_written_the_same(name: str) -> None:
    core, surface = small_shop()
    names = {**surface.names, "tool/get_quote": name, "skill/item_qa": f"{name}!"}
    limits = tuple(limit.model_copy(update={"value": name}) for limit in core.limits)
    for form in get_args(ToolDocs):
        shown = surface.model_copy(update={"names": names, "tool_docs": form})
        writes_the_same(core, shown)
        writes_the_same(core.model_copy(update={"limits": limits}), shown)


def mixes_up_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Sheet.names
    monkeypatch.setattr(Sheet, "names", lambda *given: [*reversed(honest(*given))])


def forgets_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_tools, "ordered", lambda surface, key, ids: ids)


def forgets_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness_dsl.protocol.quick.sheet.in_json", lambda text: text)


def forgets_wordings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness_dsl.protocol.quick.prompt.id", lambda wording: 0, raising=False)


@pytest.mark.parametrize("breaks", [mixes_up_slots, forgets_orders, forgets_escapes, forgets_wordings])
def test_a_broken_shortcut_is_caught(
    breaks: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    core, surface = small_shop()
    order = tuple(sorted((tool.id for tool in core.tools), reverse=True))
    wordings = {
        text.id: text.alternatives[0]
        for text in (*(tool.description for tool in core.tools), *(skill.when for skill in core.skills))
        if text.alternatives
    }
    assert wordings
    names = {**surface.names, "tool/get_quote": 'say "no"'}
    other = surface.model_copy(update={"orders": {"tools": order}, "wordings": wordings, "names": names})
    writes_the_same(core, surface)
    writes_the_same(core, other)
    breaks(monkeypatch)
    with pytest.raises(AssertionError):
        writes_the_same(core.model_copy(update={"name": "fresh"}), surface)
        writes_the_same(core.model_copy(update={"name": "fresh"}), other)
