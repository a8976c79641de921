"""Row N of a seed: the same wherever it is drawn, never a silent no-op, never outside its policy."""

from random import Random

import pytest

from augmentors.certificates import BadRow, from_line, to_line
from augmentors.changes import changed
from augmentors.checker import check
from augmentors.coverage import Coverage
from augmentors.footprint import Footprint
from augmentors.identifiers import words
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.registry import OPERATORS, create
from augmentors.reproduce import differences
from augmentors.rows import Recipe, make, make_all, written
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.surface import Surface
from tests.augmentors.test_banks import all_words
from tests.strategies import small_shop

CORE, SURFACE = small_shop()
EVERYTHING = Policy.of({name: {"probability": 0.6} for name in OPERATORS}, original=0.1)


def test_a_row_is_the_same_alone_and_among_others() -> None:
    together = [draw(CORE, SURFACE, EVERYTHING, 3, row) for row in range(20)]
    for row in Random(0).sample(range(20), 20):
        alone = draw(CORE, SURFACE, EVERYTHING, 3, row)
        assert alone == together[row]


def test_an_equal_core_that_was_loaded_again_gives_the_same_row() -> None:
    again = type(CORE).model_validate_json(CORE.model_dump_json())
    surface = Surface.model_validate_json(SURFACE.model_dump_json())
    assert draw(again, surface, EVERYTHING, 3, 5) == draw(CORE, SURFACE, EVERYTHING, 3, 5)


def test_other_seeds_and_rows_give_other_variants() -> None:
    surfaces = {
        draw(CORE, SURFACE, EVERYTHING, seed, row).certificate.surface_digest
        for seed in range(5)
        for row in range(20)
    }
    assert len(surfaces) > 80


def test_a_variant_is_no_no_op_and_an_original_is_the_original() -> None:
    originals, original = 0, surface_digest(CORE, SURFACE)
    for row in range(120):
        variant = draw(CORE, SURFACE, EVERYTHING, 1, row)
        same = variant.certificate.surface_digest == original
        assert same == variant.is_original
        originals += same
        assert all(step.changed for step in variant.certificate.operators)
    assert 3 <= originals <= 30


def test_something_is_changed_even_if_no_operator_fires() -> None:
    rarely = Policy.of({"rename": {"probability": 0.01}, "reorder": {"probability": 0.01}})
    assert not any(draw(CORE, SURFACE, rarely, 0, row).is_original for row in range(30))


def test_where_nothing_applies_the_row_says_that_it_is_an_original() -> None:
    bare = CORE.model_copy(update={"limits": ()})
    sections = tuple(section for section in bare.prompt.sections if "rules" not in section.id)
    bare = bare.model_copy(
        update={"prompt": bare.prompt.model_copy(update={"sections": sections, "order": ()})}
    )
    assert draw(bare, Surface(), Policy.of({"limits": {}}), 0, 0).is_original


def test_a_certificate_survives_its_line() -> None:
    for row in range(40):
        certificate = draw(CORE, SURFACE, EVERYTHING, 2, row).certificate
        assert from_line(to_line(certificate)) == certificate
        assert to_line(certificate).count("\n") == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no JSON"),
        ("[]", "JSON object"),
        ("{}", "schema version"),
        ('{"schema_version": "9.0"}', "schema version"),
        ('{"schema_version": "1.0", "seed": 1}', "row"),
    ],
)
def test_a_bad_line_is_said_in_one_line(line: str, said: str) -> None:
    with pytest.raises(BadRow, match=said) as caught:
        from_line(line)
    assert "\n" not in str(caught.value)


def test_held_out_names_are_made_of_words_that_training_never_sees() -> None:
    """Names in another style keep the author's words; every other word is of the held-out pool."""
    policy = Policy.of({"rename": {"pool": "held-out", "declared": 0.0}})
    own = {word for id_ in SURFACE.names for word in words(SURFACE.names[id_])}
    for row in range(40):
        variant = draw(CORE, SURFACE, policy, 0, row)
        for id_ in changed(CORE, SURFACE, variant.surface):
            declared = set(words(id_.rsplit("/", 1)[1]))
            new = set(words(variant.surface.names[id_])) - declared - own
            assert new <= all_words("held-out"), (id_, variant.surface.names[id_])


def test_limits_held_out_of_training_are_never_drawn_for_it() -> None:
    def drawn(pool: str) -> set[object]:
        policy = Policy.of({"limits": {"pool": pool}})
        return {
            value
            for row in range(150)
            for value in draw(CORE, SURFACE, policy, 0, row).certificate.limits.values()
        }

    train, held_out = drawn("train"), drawn("held-out")
    assert len(train) > 20
    assert len(held_out) > 5
    assert train.isdisjoint(held_out)


def test_a_moved_limit_keeps_the_core_it_came_from() -> None:
    variant = draw(CORE, SURFACE, Policy.of({"limits": {}}), 0, 1)
    assert variant.certificate.base_core == core_digest(CORE)
    assert variant.certificate.core == core_digest(variant.core) != core_digest(CORE)
    assert variant.surface == SURFACE


def test_distractors_of_a_small_footprint_may_be_closer_to_other_tools() -> None:
    operator = create("distractors")
    everything = set(operator.symbols(CORE, SURFACE, Footprint.everything(CORE)))
    nothing = set(operator.symbols(CORE, SURFACE, Footprint()))
    assert everything < nothing


def test_operators_and_seed_of_a_certificate_give_its_surface_again() -> None:
    for row in range(40):
        certificate = draw(CORE, SURFACE, EVERYTHING, 4, row).certificate
        assert list(differences(CORE, SURFACE, certificate)) == []
    tampered = certificate.model_copy(update={"seed": 5})
    assert list(differences(CORE, SURFACE, tampered))


def test_coverage_counts_changes_and_what_was_never_exercised() -> None:
    coverage = Coverage()
    for row in range(200):
        coverage.add(draw(CORE, SURFACE, EVERYTHING, 0, row).certificate)
    assert coverage.rows == 200
    assert 0 < coverage.originals < 40
    rename = create("rename")
    assert coverage.missing({"rename": rename.symbols(CORE, SURFACE)}) == []
    assert coverage.missing({"rename": ("tool/no_such",)}) == [("rename", "tool/no_such")]
    assert coverage.pairs["rename", "reorder"] > 0
    assert coverage.summary().startswith("200 rows, ")
    assert any(line.startswith("  rename: ") for line in coverage.lines())


def test_two_processes_draw_the_same_rows() -> None:
    recipe = Recipe(CORE, SURFACE, EVERYTHING, seed=0)
    alone = [*make_all(recipe, range(150))]
    counted, together = Coverage(), Coverage()
    assert len(b"".join(written(recipe, range(150), 1, counted)).splitlines()) == 150
    assert b"".join(written(recipe, range(150), 2, together)).decode() == "".join(alone)
    assert counted == together


def test_every_variant_is_accepted() -> None:
    for row in range(60):
        variant = draw(CORE, SURFACE, EVERYTHING, 8, row)
        assert check(CORE, SURFACE, variant.certificate, everything_read) == []


def test_messages_of_a_row_show_its_names() -> None:
    recipe = Recipe(CORE, SURFACE, Policy.of({"rename": {}}), seed=0, with_messages=True)
    made = make(recipe, 0)
    assert made.certificate.surface.names["tool/get_quote"] in made.line.split('"messages"')[1]


def test_rows_of_an_earlier_manner_of_drawing_are_proved_and_not_reproduced() -> None:
    drawn = draw(CORE, SURFACE, Policy.default(), 1, 4).certificate
    earlier = from_line(to_line(drawn.model_copy(update={"draws": 1, "tool_version": "0.0.9"})))
    assert earlier.draws == 1
    assert check(CORE, SURFACE, earlier, everything_read) == []
    (why,) = differences(CORE, SURFACE, earlier)
    assert "manner 1 (by 0.0.9)" in why
    assert not [*differences(CORE, SURFACE, drawn)]
