"""Which names say the same as a declared one where nothing but the name is there to read."""

import pytest

from augmentors.banks import means_the_same
from augmentors.checker import check
from augmentors.identifiers import same_words
from augmentors.index import index
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core, Member
from harness_dsl.ir.ids import segment
from harness_dsl.ir.types import DecimalType, EnumMember, EnumType, NamedType, Type, UnionType
from tests.augmentors.test_checker import CORE, SURFACE, honest

QUOTE = "type/Quote/field"


@pytest.mark.parametrize(
    ("one", "other"), [("A+", "A-"), ("-1", "1"), ("≥5", "≤5"), ("+", "-"), ("C++", "C")]
)
def test_signs_are_part_of_what_a_name_says(one: str, other: str) -> None:
    assert not same_words(one, other) and not means_the_same(one, other)
    assert same_words(one, one) and means_the_same(one, one)


def test_styles_of_the_same_words_are_the_same() -> None:
    assert same_words("in_stock", "inStock") and same_words("in-stock", "InStock")


def with_quote(**fields: Type) -> Core:
    """The shop whose quote has these fields beside its own."""
    types = []
    for decl in CORE.types:
        if decl.id == "type/Quote":
            new = [Member(id=f"{QUOTE}/{name}", type=type_) for name, type_ in fields.items()]
            ordered = tuple(sorted([*(decl.fields or ()), *new], key=lambda field: field.id))
            decl = decl.model_copy(update={"fields": ordered})
        types.append(decl)
    return CORE.model_copy(update={"types": tuple(types)})


def grade(*values: str) -> EnumType:
    owner = f"{QUOTE}/grade"
    return EnumType(members=tuple(EnumMember(id=f"{owner}/value/{segment(v)}", value=v) for v in values))


def findings_of(core: Core, names: dict[str, str]) -> list[int]:
    surface = SURFACE.model_copy(update={"names": {**SURFACE.names, **names}})
    certificate = honest(names=names).model_copy(
        update={
            "base_core": core_digest(core),
            "core": core_digest(core),
            "surface": surface,
            "surface_digest": surface_digest(core, surface),
        }
    )
    return [finding.proof for finding in check(core, SURFACE, certificate, everything_read)]


def test_fields_of_near_meaning_may_not_exchange_their_names() -> None:
    core = with_quote(total=DecimalType())
    assert findings_of(core, {f"{QUOTE}/total": "amount", f"{QUOTE}/amount": "total"})


def test_a_field_does_not_take_a_word_that_its_neighbour_means() -> None:
    core = with_quote(total=DecimalType())
    assert findings_of(core, {f"{QUOTE}/total": "sum"})
    assert findings_of(with_quote(), {f"{QUOTE}/amount": "sum"}) == []


def test_values_that_differ_by_a_sign_may_not_exchange_their_names() -> None:
    core = with_quote(grade=grade("A+", "A-"))
    owner = f"{QUOTE}/grade/value"
    assert findings_of(core, {f"{owner}/A+": "A-", f"{owner}/A-": "A+"})
    assert findings_of(core, {f"{owner}/A+": "a"})


def test_values_that_differ_by_case_may_not_exchange_their_names() -> None:
    core = with_quote(grade=grade("MB", "Mb"))
    owner = f"{QUOTE}/grade/value"
    assert findings_of(core, {f"{owner}/MB": "Mb", f"{owner}/Mb": "MB"})


def test_drawn_names_keep_apart_what_may_stand_in_one_place() -> None:
    """Two records of which a result is one: their fields are never drawn one name."""
    paid = with_quote()
    fields = {"Paid": "amount", "Owed": "total"}
    types = [decl for decl in paid.types if decl.id != "type/Quote"]
    quote = next(decl for decl in paid.types if decl.id == "type/Quote")
    for name, field in fields.items():
        own = (Member(id=f"type/{name}/field/{field}", type=DecimalType()),)
        types.append(quote.model_copy(update={"id": f"type/{name}", "fields": own, "description": None}))
    either: Type = UnionType(options=tuple(NamedType(type=f"type/{name}") for name in fields))
    new = tuple(sorted([*(quote.fields or ()), Member(id=f"{QUOTE}/paid", type=either)], key=lambda f: f.id))
    types.append(quote.model_copy(update={"fields": new}))
    core = paid.model_copy(update={"types": tuple(sorted(types, key=lambda decl: decl.id))})
    assert index(core).rivals["type/Paid/field/amount"] == {"type/Owed/field/total"}
    for row in range(40):
        variant = draw(core, SURFACE, Policy.of({"rename": {}}), 0, row)
        assert check(core, SURFACE, variant.certificate, everything_read) == []
