"""Digests that are put together from remembered parts are those that the definition gives."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.operators.limits import LimitParameters, Limits
from harness_dsl.ir import quick_digest
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.quick_digest import quick_core_digest, quick_surface_digest
from harness_dsl.ir.surface import Surface
from tests.strategies import cores, small_shop, surfaces


def as_defined(core: Core, surface: Surface) -> None:
    """The law."""
    assert quick_core_digest(core) == core_digest(core)
    assert quick_surface_digest(core, surface, core_digest(core)) == surface_digest(core, surface)


@given(st.data())
def test_digests_of_generated_harnesses_are_as_defined(data: st.DataObject) -> None:
    core = data.draw(cores())
    as_defined(core, data.draw(surfaces(core)))
    moved = Limits(LimitParameters(pool="any")).apply(
        core, Surface(), data.draw(st.randoms(use_true_random=False))
    )
    as_defined(moved, data.draw(surfaces(core)))


@pytest.mark.parametrize("name", ["价格", "\U0001f600", "\uffee", 'a"b\\', "\x7f\x01", "</é>"])
def test_any_characters_are_written_as_the_standard_says(name: str) -> None:
    core, surface = small_shop()
    names = {
        **surface.names,
        "type/Quote/field/amount": name,
        "section/\U0001f600": "x",
        "section/\uffee": "y",
    }
    as_defined(core, surface.model_copy(update={"names": names}))


def test_what_only_says_the_default_does_not_count() -> None:
    core, surface = small_shop()
    default = {tool.id: leaf(tool.id) for tool in core.tools}
    orders = {"skills": tuple(sorted(skill.id for skill in core.skills))}
    wordings = {core.tools[0].description.id: core.tools[0].description.canonical}
    said = surface.model_copy(
        update={"names": {**default, **surface.names}, "orders": orders, "wordings": wordings}
    )
    as_defined(core, said)


def forgets_the_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_digest, "_orders", lambda core, surface: {})


def forgets_what_is_behind_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = quick_digest._around_limits
    monkeypatch.setattr(quick_digest, "_around_limits", lambda core: (honest(core)[0], b"}"))


def takes_one_limit_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_digest, "_limit", lambda limit: "0")


@pytest.mark.parametrize(
    "breaks", [forgets_the_orders, forgets_what_is_behind_the_limits, takes_one_limit_for_all]
)
def test_a_broken_shortcut_is_caught(
    breaks: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    core, surface = small_shop()
    moved = surface.model_copy(
        update={"orders": {"skills": tuple(sorted((skill.id for skill in core.skills), reverse=True))}}
    )
    as_defined(core, moved)
    breaks(monkeypatch)
    with pytest.raises(AssertionError):
        # The digest of the very Core above is remembered.
        as_defined(core.model_copy(), moved)
