"""A variant in one writing: every text that has a wording in it is shown in it, and no other text changes."""

from pathlib import Path
from random import Random

import pytest

from augmentors.operators.language import Language, LanguageParameters, Writing, writing
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.core import Core
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Reference
from harness_dsl.ir.walk import texts
from harness_dsl.syntax.opening import open_harness

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HARNESSES = ["live_shop/shop.harness", "bank_desk/desk.harness", "course_tutor/tutor.harness"]


def opened(path: str) -> tuple[Core, Surface]:
    found = open_harness(str(EXAMPLES / path))
    return found.core, found.surface


def one_writing(core: Core, surface: Surface, chosen: Writing) -> bool:
    """The law."""
    return all(
        writing(surface.wordings.get(text.id, text.canonical)) == chosen
        for text in texts(core)
        if not frozen(core).wording(text.id)
        and text.alternatives
        and chosen in map(writing, (text.canonical, *text.alternatives))
    )


def in_writing(core: Core, surface: Surface, chosen: Writing) -> Surface:
    operator = Language(LanguageParameters(writings=(chosen,)))
    shown = operator.apply(core, surface, Random(3))
    changed = {
        id_
        for id_ in shown.wordings | surface.wordings
        if shown.wordings.get(id_) != surface.wordings.get(id_)
    }
    assert changed == set(operator.symbols(core, surface))
    return shown


@pytest.mark.parametrize("path", HARNESSES)
def test_a_harness_goes_from_one_writing_to_the_other_and_back(path: str) -> None:
    core, surface = opened(path)
    assert not one_writing(core, surface, "latin")
    latin = in_writing(core, surface, "latin")
    assert one_writing(core, latin, "latin") and not one_writing(core, latin, "han")
    han = in_writing(core, latin, "han")
    assert one_writing(core, han, "han") and not one_writing(core, han, "latin")
    assert Language(LanguageParameters(writings=("han",))).symbols(core, han) == ()


@pytest.mark.parametrize("path", HARNESSES)
def test_every_text_with_another_writing_is_covered(path: str) -> None:
    core, surface = opened(path)
    policy = Policy.of({"language": {}})
    drawn = [draw(core, surface, policy, 0, row).certificate for row in range(8)]
    changed = {id_ for certificate in drawn for step in certificate.operators for id_ in step.changed}
    assert changed == set(Language().symbols(core, surface)) != set()
    assert {certificate.level for certificate in drawn} == {"declared"}


def test_a_text_that_is_left_behind_is_caught() -> None:
    core, surface = opened(HARNESSES[0])
    latin = in_writing(core, surface, "latin")
    left = dict(list(latin.wordings.items())[1:])
    assert not one_writing(core, latin.model_copy(update={"wordings": left}), "latin")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Begin with 亲.", "latin"),
        ("查询 SKU 的价格", "han"),
        ("Où est le prix", "latin"),
        ("価格を調べる", None),
        ("가격", None),
        ("60 / 45", None),
        ("", None),
    ],
)
def test_a_writing_is_told_by_its_letters(words: str, expected: Writing | None) -> None:
    assert writing((Literally(text=words), Reference(target="tool/get_quote"))) == expected
