"""A short row says all that a certificate says, and a damaged or foreign one is a bad row."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors import codebook as books
from augmentors import compact, facets
from augmentors.certificates import BadRow, Certificate, from_line, to_line
from augmentors.checker import check
from augmentors.codebook import codebook, lengthened, shortened
from augmentors.compact import from_row, to_row
from augmentors.digits import BadDigits, Digits, ranked, unranked, written
from augmentors.footprint import Footprint
from augmentors.name_space import Entry
from augmentors.policy import Policy
from augmentors.registry import OPERATORS
from augmentors.variants import draw
from harness_dsl.ir.builtins import LOAD_SKILL_DESCRIPTION
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL_TEXT
from harness_dsl.ir.surface import ForeignTool, Surface
from tests.laws.laws import TESTED
from tests.strategies import cores, small_shop, surfaces

EVERYTHING = Policy.of({name: {"probability": 0.8} for name in OPERATORS}).with_parameters(
    "hooks", TESTED.model_dump()
)
ALWAYS = Policy.of({name: {} for name in OPERATORS})
CORE, SURFACE = small_shop()


def survives(core: Core, baseline: Surface, certificate: Certificate) -> str:
    """The law: what a row says is what the certificate says. Gives the row."""
    book = codebook(core, baseline)
    row = to_row(certificate, book)
    assert row.count("\n") == 1
    read = from_row(json.loads(row), book)
    assert read == certificate
    return row


def drawn(row: int, policy: Policy = EVERYTHING) -> Certificate:
    return draw(CORE, SURFACE, policy, 3, row, Footprint.of(["tool/get_quote"])).certificate


@given(st.data())
@settings(max_examples=max(10, settings().max_examples // 2))
def test_rows_of_generated_harnesses_survive(data: st.DataObject) -> None:
    core = data.draw(cores())
    baseline = data.draw(surfaces(core))
    seed = data.draw(st.integers(0, 2**40))
    footprint = data.draw(st.sampled_from([None, Footprint(), Footprint.of(tool.id for tool in core.tools)]))
    certificate = draw(core, baseline, EVERYTHING, seed, 1, footprint).certificate
    assert "whole" not in json.loads(survives(core, baseline, certificate))


@given(st.data())
@settings(max_examples=max(10, settings().max_examples // 2))
def test_any_surface_survives_whoever_made_it(data: st.DataObject) -> None:
    """Not drawn by an operator: what has no number stands as it is."""
    core = data.draw(cores())
    baseline, surface = data.draw(surfaces(core)), data.draw(surfaces(core))
    made = {"surface": surface, "limits": {}, "refactorings": ()}
    certificate = drawn(0).model_copy(update=made)
    book = codebook(core, baseline)
    assert from_row(json.loads(to_row(certificate, book)), book).surface == surface


def test_a_surface_without_a_distractor_of_the_baseline_is_written_whole() -> None:
    tool = ForeignTool(name="x", description="X.", parameters={"type": "object"}, failure="", origin="here")
    orders = {key: tuple(ids) for key, ids in codebook(CORE, SURFACE).lists.items()}
    surface = SURFACE.model_copy(update={"orders": orders})
    book = codebook(CORE, SURFACE.model_copy(update={"distractors": (tool,)}))
    made = {"surface": surface, "limits": {}, "refactorings": ()}
    certificate = drawn(0).model_copy(update=made)
    row = json.loads(to_row(certificate, book))
    assert "whole" in row and from_row(row, book).surface == surface


@pytest.mark.parametrize("pool", ["train", "held-out"])
@pytest.mark.parametrize("swap", [0.0, 1.0])
def test_drawn_names_are_stored_as_numbers(pool: str, swap: float) -> None:
    policy = Policy.of({"rename": {"pool": pool, "swap": swap}})
    for row in range(40):
        said = json.loads(survives(CORE, SURFACE, drawn(row, policy)))
        assert len(said.get("other_names", ())) <= 1, said


def test_a_distractor_that_is_not_shipped_is_stored_whole() -> None:
    tool = ForeignTool(
        name="weather_now",
        description="Weather in a city.",
        parameters={"type": "object", "properties": {"place": {"type": "string", "default": 1.5}}},
        failure="not connected",
        origin="made for tests",
    )
    surface = SURFACE.model_copy(update={"distractors": (tool,), "implementations": {}})
    survives(CORE, SURFACE, drawn(0).model_copy(update={"surface": surface, "operators": ()}))


def test_the_loader_may_be_worded_otherwise_than_in_the_baseline() -> None:
    one, other, *_ = LOAD_SKILL_DESCRIPTION.alternatives
    baseline = SURFACE.model_copy(update={"wordings": {LOAD_SKILL_TEXT: one}})
    surface = SURFACE.model_copy(update={"wordings": {LOAD_SKILL_TEXT: other}})
    plain = drawn(0, Policy.of({"markup": {}})).model_copy(update={"surface": surface, "operators": ()})
    assert "whole" not in json.loads(to_row(plain, codebook(CORE, baseline)))


def test_rows_written_in_full_are_still_read() -> None:
    for row in range(10):
        certificate = drawn(row)
        assert from_line(to_line(certificate)) == certificate


def test_the_same_row_over_another_harness_is_about_another_core() -> None:
    other = codebook(CORE.model_copy(update={"hooks": ()}), SURFACE)
    with pytest.raises(BadRow, match="another Core"):
        from_row(json.loads(to_row(drawn(0), codebook(CORE, SURFACE))), other)


def test_an_edited_bank_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy.of({"distractors": {}})
    row = json.loads(to_row(drawn(0, policy), codebook(CORE, SURFACE)))
    honest = books.bank()
    edited = books.Bank(honest.tools[::-1], honest.numbers, "another!")
    monkeypatch.setattr(compact, "bank", lambda: edited)
    with pytest.raises(BadRow, match="bank has been edited"):
        from_row(row, codebook(CORE, SURFACE))


def test_edited_words_are_noticed_by_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    book = codebook(CORE.model_copy(update={"name": "words"}), SURFACE)
    certificate = draw(book.core, SURFACE, Policy.of({"rename": {"swap": 0}}), 3, 1).certificate
    row = json.loads(to_row(certificate, book))
    honest = Entry.name
    monkeypatch.setattr(Entry, "name", lambda self, number: honest(self, max(0, number - 1)))
    findings = check(book.core, SURFACE, from_row(row, book))
    assert "the digest of the Surface differs" in [finding.message for finding in findings]


DAMAGE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "version": lambda row: row.update(v="9.0"),
    "names": lambda row: row.update(names=row["names"] + "0000"),
    "letters": lambda row: row.update(names='"'),
    "manner": lambda row: row.update(manner=99),
    "orders": lambda row: row.update(orders=17),
    "hidden": lambda row: row.update(hidden="zzzzzzzzzz"),
    "operator": lambda row: row.update(ops="rename:?"),
    "needs": lambda row: row.update(needs=[100_000]),
    "bank": lambda row: row.update(distractors=[100_000]),
    "claims": lambda row: row.update(claims="9"),
    "level": lambda row: row.update(level="certain"),
    "row": lambda row: row.pop("row"),
    "limits": lambda row: row.update(limits=[1]),
    "digest": lambda row: row.update(surface='"' * 40),
    "changed": lambda row: row.update(changed=[1]),
    "whole": lambda row: row.update(whole={"names": 1}),
    "markup": lambda row: row.update(markup=["xml"]),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_row_is_a_bad_row_or_fails_a_proof(kind: str) -> None:
    book = codebook(CORE, SURFACE)
    row = json.loads(to_row(drawn(1, ALWAYS), book))
    DAMAGE[kind](row)
    try:
        certificate = from_row(row, book)
    except BadRow as error:
        assert "\n" not in str(error)
        return
    assert check(CORE, SURFACE, certificate)


@given(st.data())
def test_no_damage_is_a_traceback(data: st.DataObject) -> None:
    book = codebook(CORE, SURFACE)
    row = json.loads(to_row(drawn(data.draw(st.integers(0, 20)), ALWAYS), book))
    key = data.draw(st.sampled_from(sorted(row)))
    junk = st.one_of(st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2))
    row[key] = data.draw(st.one_of(junk, st.dictionaries(st.text(max_size=3), junk, max_size=2)))
    try:
        check(CORE, SURFACE, from_row(row, book))
    except BadRow as error:
        assert str(error)


@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)).map(lambda two: (two[0] % two[1], two[1]))
    )
)
def test_digits_are_read_as_they_were_written(digits: list[tuple[int, int]]) -> None:
    read = Digits(written(digits))
    assert [read.next(radix) for _, radix in digits] == [digit for digit, _ in digits]
    read.end()


@given(st.integers(0, 40), st.randoms(use_true_random=False))
def test_orders_are_read_as_they_were_written(length: int, rng: Random) -> None:
    items = list(range(length))
    order = rng.sample(items, length)
    digits = ranked(order, items)
    assert digits is not None
    assert unranked(Digits(written(digits)), items) == tuple(order)
    assert ranked([*order, 1], items) is None


def test_more_digits_than_expected_are_refused() -> None:
    with pytest.raises(BadDigits):
        Digits(written([(1, 2), (1, 2)])).end()


@given(st.binary(min_size=32, max_size=32))
def test_a_digest_is_shortened_without_loss(data: bytes) -> None:
    digest = f"sha256:{data.hex()}"
    assert len(shortened(digest)) == 40
    assert lengthened(shortened(digest)) == digest
    assert lengthened(shortened("sha256:0")) == "sha256:0"


def forgets_an_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "_read_orders", lambda data, book, surface: book.baseline.orders)
    monkeypatch.setattr(
        compact, "_surface", lambda certificate, book: compact._names(certificate.surface, book)
    )


def claims_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "uncoded", lambda letters, known: facets.uncoded(letters[:1], known)[1:])


def forgets_the_footprint(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = compact._head
    monkeypatch.setattr(
        compact, "_head", lambda *given: {k: v for k, v in honest(*given).items() if k != "needs"}
    )


@pytest.mark.parametrize("breaks", [forgets_an_order, claims_too_little, forgets_the_footprint])
def test_a_broken_form_is_caught(
    breaks: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks(monkeypatch)
    with pytest.raises(AssertionError):
        for row in range(10):
            survives(CORE, SURFACE, drawn(row))
