"""Proof 3 finds at a glance exactly what it finds when it looks at every printed name."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.proofs import rendering as proof
from augmentors.proofs.claim import Claim
from augmentors.proofs.rendering import rendering
from augmentors.reading import EverythingRead, everything_read
from augmentors.variants import draw
from harness_dsl.ir.core import Core, ProseContent
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference
from tests.strategies import cores, small_shop, surfaces

POLICY = Policy.of(
    {name: {"probability": 0.8} for name in ("rename", "hide", "distractors", "reorder", "layout")}
)
NEEDS = Footprint.of(["tool/get_quote"])


def finds_the_same(claim: Claim) -> list[str]:
    """The law. Gives what was found."""
    quick = [*rendering(claim, everything_read)]
    assert quick == [*rendering(claim, lambda core, surface: everything_read(core, surface))]
    return quick


def claimed(core: Core, surface: Surface, row: int, **other: object) -> Claim:
    """A drawn row, its Surface altered afterwards."""
    certificate = draw(core, surface, POLICY, 3, row, NEEDS).certificate
    altered = certificate.surface.model_copy(update=other)
    return Claim.of(core, surface, certificate.model_copy(update={"surface": altered}))


@given(st.data())
def test_generated_rows_are_proved_the_same(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    for row in range(2):
        finds_the_same(claimed(core, surface, row))
    finds_the_same(claimed(core, surface, 2, names=data.draw(surfaces(core, hiding=True)).names))


def mentioning() -> tuple[Core, Surface]:
    """The shop, with a section that writes the name of a tool out."""
    core, surface = small_shop()
    sections = tuple(
        section.model_copy(
            update={
                "content": ProseContent(
                    text=section.content.text.model_copy(
                        update={"canonical": (Literally(text="Ask `get_item` first."),)}
                    )
                )
            }
        )
        if isinstance(section.content, ProseContent)
        else section
        for section in core.prompt.sections
    )
    prompt = core.prompt.model_copy(update={"sections": sections})
    return core.model_copy(update={"prompt": prompt, "name": "mentioning"}), surface


def wrong_claims() -> list[Claim]:
    """Rows that show a name of old, and rows whose names have to be looked at."""
    core, surface = mentioning()
    return [
        claimed(core, surface, 1, names={**surface.names, "tool/get_item": "look_up"}, hidden=()),
        claimed(core, surface, 2, names={**surface.names, "tool/get_item": "look up\\"}, hidden=()),
        claimed(core, surface, 3),
        printed_though_hidden(),
    ]


def printed_though_hidden() -> Claim:
    """A row in which nothing is wrong but that prose speaks of a hidden tool, so that its name is printed."""
    core, surface = small_shop()
    hidden = core.tools[0].id
    sections = tuple(
        section.model_copy(
            update={
                "content": ProseContent(
                    text=section.content.text.model_copy(
                        update={"canonical": (Literally(text="Ask "), Reference(target=hidden))}
                    )
                )
            }
        )
        if isinstance(section.content, ProseContent)
        else section
        for section in core.prompt.sections
    )
    core = core.model_copy(update={"prompt": core.prompt.model_copy(update={"sections": sections})})
    return claimed(core, surface, 1, names=surface.names, hidden=(hidden,))


def test_what_is_wrong_is_told_alike() -> None:
    found = [finds_the_same(claim) for claim in wrong_claims()]
    assert found[0] and found[1] and not found[2]
    assert found[3] == [f"`{small_shop()[0].tools[0].id}` is hidden and printed"]


def test_most_rows_are_proved_at_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    core, surface = small_shop()
    monkeypatch.setattr(EverythingRead, "__call__", lambda *given: pytest.fail("looked at one by one"))
    for row in range(20):
        assert not [*rendering(claimed(core, surface, row), everything_read)]


def trusts_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "_is_right", lambda claim, glance, gone: True)


def reads_no_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "_mentioned_in", lambda texts: frozenset())


def lists_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The glance forgets to ask what is hidden and printed; who looks closer does not."""

    def is_right(claim: Claim, glance: proof.Glance, gone: frozenset[str]) -> bool:
        return not gone or all(map(gone.isdisjoint, map(proof._mentioned_in, glance.texts)))

    monkeypatch.setattr(proof, "_is_right", is_right)


@pytest.mark.parametrize("breaks", [trusts_everything, reads_no_prose, lists_nothing])
def test_a_broken_glance_is_caught(
    breaks: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks(monkeypatch)
    with pytest.raises(AssertionError):
        for claim in wrong_claims():
            finds_the_same(claim)
