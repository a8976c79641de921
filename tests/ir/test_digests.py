"""Laws of identity: what the digests cover, what they leave out, and twins that get it wrong."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harness_dsl.ir.canonical import (
    canonical_json,
    core_digest,
    digest,
    normal_surface,
    sorted_core,
    source_digest,
    surface_digest,
)
from harness_dsl.ir.core import Core, ExpectCall, ExpectFact, Given, Input, Limit, ListContent, Moved
from harness_dsl.ir.expressions import Constant
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.listing import section_order, unordered_lists
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import AnyType
from harness_dsl.ir.walk import texts
from tests.strategies import (
    all_mutations,
    cores,
    default_surface,
    semantic_mutations,
    small_shop,
    surfaces,
    transcripts,
)
from tests.strategies.choices import Choices

SHOP, SURFACE = small_shop()
SHOP_CORE_DIGEST = "sha256:22f276c4c9a99283e4ac0e5e8694a37e167a232dd5fd25b3772c298f82769403"
SHOP_SURFACE_DIGEST = "sha256:f914820bdf66c875263816ae1c958157e67959692fb74b3a1a6fba157dc16af0"

Digest = Callable[[Core], str]
Law = Callable[[Digest, st.DataObject], None]


@st.composite
def permuted(draw: st.DrawFn, core: Core) -> Core:
    """`core` with every list that is declared unordered in another order."""
    c = Choices(draw)

    def mixed(nodes: Any) -> Any:
        return tuple(c.shuffled(nodes))

    tests = []
    for test in core.tests:
        expect = [
            one.model_copy(update={"arguments": mixed(one.arguments)}) if isinstance(one, ExpectCall) else one
            for one in test.expect
        ]
        tests.append(test.model_copy(update={"given": mixed(test.given), "expect": tuple(expect)}))
    sections = []
    for section in core.prompt.sections:
        content = section.content
        if isinstance(content, ListContent) and not content.ordered:
            content = content.model_copy(update={"items": mixed(content.items)})
        sections.append(section.model_copy(update={"content": content}))
    skills = []
    for skill in core.skills:
        items = skill.items if skill.ordered else mixed(skill.items)
        skills.append(skill.model_copy(update={"items": items, "uses": mixed(skill.uses)}))
    tools = [
        tool.model_copy(update={"params": mixed(tool.params), "fails": mixed(tool.fails)})
        for tool in core.tools
    ]
    types = [
        decl.model_copy(update={"fields": None if decl.fields is None else mixed(decl.fields)})
        for decl in core.types
    ]
    prompt = core.prompt.model_copy(update={"sections": mixed(sections), "order": mixed(core.prompt.order)})
    return core.model_copy(
        update={
            "prompt": prompt,
            "skills": mixed(skills),
            "tools": mixed(tools),
            "types": mixed(types),
            "inputs": mixed(core.inputs),
            "limits": mixed(core.limits),
            "tests": mixed(tests),
        }
    )


def order_of_unordered_lists_is_nothing(digest_of: Digest, data: st.DataObject) -> None:
    core = data.draw(cores())
    assert digest_of(data.draw(permuted(core))) == digest_of(core)


def version_and_history_are_nothing(digest_of: Digest, data: st.DataObject) -> None:
    core = data.draw(cores())
    moved = (*core.moved, Moved(old="tool/older", new=core.tools[0].id))
    newer = core.model_copy(update={"version": "9.0.0", "moved": moved, "declared_names": ()})
    assert digest_of(newer) == digest_of(core)


def alternatives_are_nothing(digest_of: Digest, data: st.DataObject) -> None:
    core = data.draw(cores())
    assert digest_of(with_alternatives(core)) == digest_of(core)


def meaning_is_everything(digest_of: Digest, data: st.DataObject) -> None:
    core = data.draw(cores())
    mutation = data.draw(semantic_mutations(core))
    assert digest_of(mutation.core) != digest_of(core), mutation.label


def json_is_exact(digest_of: Digest, data: st.DataObject) -> None:
    core = data.draw(cores())
    back = Core.model_validate_json(canonical_json(core))
    assert back == core
    assert canonical_json(back) == canonical_json(core)
    assert digest_of(back) == digest_of(core)


LAWS: list[Law] = [
    order_of_unordered_lists_is_nothing,
    version_and_history_are_nothing,
    alternatives_are_nothing,
    meaning_is_everything,
    json_is_exact,
]


def with_alternatives(core: Core) -> Core:
    """`core` with one more declared wording of every text."""
    return Core.model_validate(_reworded(core.model_dump()))


def _reworded(value: Any) -> Any:
    if isinstance(value, dict):
        if "alternatives" in value:
            more = (*value["canonical"], {"kind": "literal", "text": " (again)"})
            return value | {"alternatives": (*value["alternatives"], more)}
        return {key: _reworded(entry) for key, entry in value.items()}
    return [_reworded(entry) for entry in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@given(data=st.data())
def test_laws_of_the_core_digest(law: Law, data: st.DataObject) -> None:
    law(core_digest, data)


def forgetful(field: str, value: Any) -> Digest:
    """A digest that does not look at `field`."""
    return lambda core: core_digest(core.model_copy(update={field: value}))


def blind_to_all_order(core: Core) -> str:
    data = sorted_core(core).model_dump(mode="json", exclude={"version", "moved", "declared_names"})
    return digest(_sorted_deeply(data))


def _sorted_deeply(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted_deeply(entry) for key, entry in value.items() if key != "alternatives"}
    if isinstance(value, list):
        return sorted(
            (_sorted_deeply(entry) for entry in value), key=lambda entry: json.dumps(entry, sort_keys=True)
        )
    return value


def _with_everything(core: Core) -> str:
    return digest(sorted_core(core))


def _unsorted(core: Core) -> str:
    return digest(core.model_dump(mode="json", exclude={"version", "moved", "declared_names"}))


TWINS: list[tuple[str, Law, Digest]] = [
    ("depends on order", order_of_unordered_lists_is_nothing, _unsorted),
    ("depends on the version", version_and_history_are_nothing, _with_everything),
    ("depends on alternatives", alternatives_are_nothing, _with_everything),
    ("depends on the process", json_is_exact, lambda core: str(id(core))),
]


@pytest.mark.parametrize(("law", "twin"), [twin[1:] for twin in TWINS], ids=[twin[0] for twin in TWINS])
def test_a_broken_digest_breaks_its_law(law: Law, twin: Digest) -> None:
    @settings(
        max_examples=50,
        database=None,
        derandomize=True,
        deadline=None,
        phases=(Phase.generate,),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        law(twin, data)

    with pytest.raises(AssertionError):
        run()


def unseen(digest_of: Digest) -> list[str]:
    """The mutations of the shop that `digest_of` does not see."""
    before = digest_of(SHOP)
    return [mutation.label for mutation in all_mutations(SHOP) if digest_of(mutation.core) == before]


@pytest.mark.parametrize(
    ("twin", "label"),
    [
        (forgetful("limits", ()), "value of a limit"),
        (forgetful("hooks", ()), "hook removed"),
        (forgetful("types", ()), "fixed surface of a field"),
        (forgetful("inputs", ()), "input trusted"),
        (blind_to_all_order, "order of hooks"),
    ],
)
def test_a_digest_that_forgets_misses_a_change_of_meaning(twin: Digest, label: str) -> None:
    assert label in unseen(twin)


def test_every_change_of_meaning_of_the_shop_is_seen() -> None:
    assert unseen(core_digest) == []


def test_the_digests_of_the_shop_do_not_change() -> None:
    assert core_digest(SHOP) == SHOP_CORE_DIGEST
    assert surface_digest(SHOP, SURFACE) == SHOP_SURFACE_DIGEST


def test_a_core_digest_that_is_known_need_not_be_computed_again() -> None:
    assert surface_digest(SHOP, SURFACE, core_digest(SHOP)) == surface_digest(SHOP, SURFACE)
    assert surface_digest(SHOP, SURFACE, "sha256:0") != surface_digest(SHOP, SURFACE)


@given(st.data())
def test_a_surface_that_says_the_defaults_is_the_default(data: st.DataObject) -> None:
    core = data.draw(cores())
    lists = unordered_lists(core)
    order = section_order(core)
    assert order is not None
    spoken = Surface(
        names={id_: leaf(id_) for id_ in symbols(core)},
        wordings={text.id: text.canonical for text in texts(core)},
        orders={key: order if key == core.prompt.id else ids for key, ids in lists.items()},
        implementations={hook.id: 0 for hook in core.hooks},
    )
    assert normal_surface(core, spoken) == Surface()
    assert surface_digest(core, spoken) == surface_digest(core, Surface())
    assert surface_digest(core, default_surface(core)) == surface_digest(core, Surface())


@given(st.data())
def test_surfaces_that_differ_have_other_digests(data: st.DataObject) -> None:
    core = data.draw(cores())
    one, other = data.draw(surfaces(core, hiding=True)), data.draw(surfaces(core, hiding=True))
    equal = normal_surface(core, one) == normal_surface(core, other)
    assert (surface_digest(core, one, "c") == surface_digest(core, other, "c")) == equal
    assert Surface.model_validate_json(canonical_json(one)) == one


@given(st.data())
def test_transcripts_survive_json(data: st.DataObject) -> None:
    core = data.draw(cores())
    transcript = data.draw(transcripts(core, noise=True))
    assert type(transcript).model_validate_json(canonical_json(transcript)) == transcript


def test_a_fixture_with_a_key_named_alternatives_counts() -> None:
    given_ = SHOP.tests[0].given[0]

    def with_key(value: int) -> Core:
        room = {**given_.value, "alternatives": value}
        test = SHOP.tests[0].model_copy(update={"given": (given_.model_copy(update={"value": room}),)})
        return SHOP.model_copy(update={"tests": (test, *SHOP.tests[1:])})

    assert core_digest(with_key(1)) != core_digest(with_key(2))


@pytest.mark.parametrize(
    "value", [Decimal("1.5"), "1.5", "{}", 1, True, None, Decimal("1E+2"), Decimal("-0.0")]
)
def test_a_constant_keeps_its_kind_in_json(value: Any) -> None:
    back = Constant.model_validate_json(canonical_json(Constant(value=value)))
    assert type(back.value) is type(value)
    assert back.value == value


def test_equal_numbers_have_equal_bytes_and_unlike_constants_have_not() -> None:
    assert canonical_json(Constant(value=Decimal("1.50"))) == canonical_json(Constant(value=Decimal("1.5")))
    assert Constant(value=True) != Constant(value=1)
    assert Constant(value=1) != Constant(value=Decimal(1))
    assert Limit(id="limit/x", value="3") == Limit.model_validate_json(
        canonical_json(Limit(id="limit/x", value="3"))
    )
    fact = ExpectFact(fact="text", value="89")
    assert ExpectFact.model_validate_json(canonical_json(fact)) == fact


def test_a_decimal_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="digits of a decimal"):
        Constant.model_validate({"value": {"decimal": "1,5"}})


def test_line_ends_and_a_byte_order_mark_do_not_count_in_the_source() -> None:
    assert source_digest({"a": "\ufeffx\r\ny\r"}) == source_digest({"a": "x\ny\n"})
    assert source_digest({"a": "x"}) != source_digest({"b": "x"})


def test_reading_order_is_meaning() -> None:
    skill = SHOP.skills[0]
    first, second = skill.items
    turned = (
        first.model_copy(update={"text": first.text.model_copy(update={"canonical": second.text.canonical})}),
        second.model_copy(
            update={"text": second.text.model_copy(update={"canonical": first.text.canonical})}
        ),
    )
    changed = SHOP.model_copy(
        update={"skills": (skill.model_copy(update={"items": turned}), *SHOP.skills[1:])}
    )
    assert core_digest(changed) != core_digest(SHOP)


def test_a_fixture_that_looks_like_a_text_keeps_its_alternatives() -> None:
    def given(alternatives: list[str]) -> Core:
        fixture = {"id": "1", "canonical": "c", "alternatives": alternatives, "fixed": False}
        node = Input(id="input/data", type=AnyType())
        inputs = tuple(sorted([*SHOP.inputs, node], key=lambda input_: input_.id))
        test = SHOP.tests[0].model_copy(update={"given": (Given(input=node.id, value=fixture),)})
        return SHOP.model_copy(update={"inputs": inputs, "tests": (test, *SHOP.tests[1:])})

    assert core_digest(given(["x"])) != core_digest(given(["y"]))
    assert core_digest(given(["x"])) == core_digest(given(["x"]))
