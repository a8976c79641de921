"""Laws of the classes of edits, and twins that break them."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harness_dsl.ir.core import Core, ProseContent
from harness_dsl.ir.diff import Behaviour, Contract, Diff, Edit, diff
from harness_dsl.ir.diff_levels import Level
from harness_dsl.ir.sites import all_sites
from harness_dsl.ir.subtyping import admits, same_values
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.types import Type
from harness_dsl.ir.values import check_value
from harness_dsl.ir.walk import types as types_of
from tests.ir.chains import BARE, SHOP, SURFACE, removed_and_added, version_triples
from tests.ir.editing import LISTS, moved, renamed, three_versions
from tests.strategies import cores, default_surface, semantic_mutations, surfaces, values_of
from tests.strategies.choices import Choices
from tests.strategies.mutations import Mutation
from tests.strategies.types import types

Differ = Callable[[Core, Surface, Core, Surface], Diff]
Versions = tuple[tuple[Core, Surface], ...]
Law = Callable[[Differ, st.DataObject], None]


def level(found: Diff) -> Level:
    return Level(found.contract, found.behaviour)


def nothing_changed_is_nothing(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    found = differ(core, surface, core.model_copy(deep=True), surface)
    assert found.edits == ()
    assert level(found) == Level()


def a_change_of_meaning_is_more_than_nothing(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = default_surface(core)
    mutation = data.draw(semantic_mutations(core))
    assert differ(core, surface, mutation.core, surface).behaviour > Behaviour.NONE, mutation.label


def another_surface_is_surface_at_most(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    one, other = data.draw(surfaces(core, hiding=True)), data.draw(surfaces(core))
    found = differ(core, one, core, other)
    assert found.behaviour <= Behaviour.SURFACE
    assert found.contract == Contract.NONE


def more_alternatives_are_surface_at_most(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = default_surface(core)
    assert level(differ(core, surface, without_alternatives(core), surface)).behaviour <= Behaviour.SURFACE
    assert level(differ(without_alternatives(core), surface, core, surface)) <= Level(
        behaviour=Behaviour.SURFACE
    )


def a_chain_is_no_more_than_its_steps(differ: Differ, data: st.DataObject) -> None:
    chain_holds(differ, data.draw(version_triples()))


def chain_holds(differ: Differ, versions: Versions) -> None:
    first, second, third = versions
    whole, steps = (
        level(differ(*first, *third)),
        level(differ(*first, *second)).join(level(differ(*second, *third))),
    )
    assert whole.contract <= steps.contract
    assert whole.behaviour <= steps.behaviour


def any_chain_of_edits_is_no_more_than_its_steps(differ: Differ, data: st.DataObject) -> None:
    """Whatever the order of three versions is: an edit the other way round adds what it removed."""
    versions = data.draw(three_versions())
    chain_holds(differ, data.draw(st.sampled_from(list(permutations(versions)))))


def edits_of_different_symbols_add_up(differ: Differ, data: st.DataObject) -> None:
    versions = data.draw(three_versions())
    for first, second, third in (versions, versions[::-1]):
        one, other = differ(*first, *second), differ(*second, *third)
        if not (touched(one, first[0], second[0]) & touched(other, second[0], third[0])):
            assert level(differ(*first, *third)) == level(one).join(level(other))


def touched(found: Diff, old: Core, new: Core) -> set[str]:
    """The declarations that the edits are of, and the types that they bring to other places."""
    ids = {edit.id for edit in found.edits}
    renamings = ("id moved", "renamed", "former id")
    ids |= {edit.before for edit in found.edits if edit.before and edit.what.startswith(renamings)}
    before, after = all_sites(old), all_sites(new)
    moved = {id_ for id_ in before.keys() | after.keys() if before.get(id_) != after.get(id_)}
    return {declaration(id_) for id_ in ids | moved}


def declaration(id_: str) -> str:
    """The declaration, section or list that `id_` belongs to."""
    return "/".join(id_.split("/")[: 4 if id_.startswith("prompt/") else 2])


def renamed_there_and_back_is_nothing(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    names = [node.id for field in LISTS for node in getattr(core, field)]
    old = data.draw(st.sampled_from(names))
    there = moved(core, old, f"{old}_2")
    back = moved(there, f"{old}_2", old)
    assert differ(core, Surface(), back, Surface()).edits == ()
    returned = differ(there, Surface(), back, Surface())
    assert returned.behaviour <= Behaviour.SURFACE
    assert (returned.contract == Contract.NARROWING) == old.startswith("input/")


def steps_on_different_symbols_add_up(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = default_surface(core)
    one = data.draw(semantic_mutations(core))
    other = data.draw(semantic_mutations(one.core))
    first, second = differ(core, surface, one.core, surface), differ(one.core, surface, other.core, surface)
    whole = differ(core, surface, other.core, surface)
    if apart(one, other):
        assert level(whole) == level(first).join(level(second))
    else:
        assert whole.behaviour <= max(first.behaviour, second.behaviour)


def every_edit_names_what_is_there(differ: Differ, data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = default_surface(core)
    mutation = data.draw(semantic_mutations(core))
    found = differ(core, surface, mutation.core, surface)
    assert found.edits
    for edit in found.edits:
        assert edit.before != edit.after
        assert edit.contract <= found.contract
        assert edit.behaviour <= found.behaviour
        assert edit.id.startswith(mutation.id) or mutation.id.startswith(edit.id) or edit.id == "hooks"


def apart(one: Mutation, other: Mutation) -> bool:
    return not (f"{one.id}/".startswith(f"{other.id}/") or f"{other.id}/".startswith(f"{one.id}/"))


def without_alternatives(core: Core) -> Core:
    return Core.model_validate(_stripped(core.model_dump()))


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: () if key == "alternatives" else _stripped(entry) for key, entry in value.items()}
    return [_stripped(entry) for entry in value] if isinstance(value, list | tuple) else value


LAWS: list[Law] = [
    nothing_changed_is_nothing,
    a_change_of_meaning_is_more_than_nothing,
    another_surface_is_surface_at_most,
    more_alternatives_are_surface_at_most,
    a_chain_is_no_more_than_its_steps,
    steps_on_different_symbols_add_up,
    every_edit_names_what_is_there,
]


WHOLE: list[Law] = [
    any_chain_of_edits_is_no_more_than_its_steps,
    edits_of_different_symbols_add_up,
    renamed_there_and_back_is_nothing,
]
"""Laws that compare a program of any size several times: fewer examples, and many in the slow run."""


def hold(law: Law, differ: Differ, examples: int) -> None:
    """Raises AssertionError if `differ` breaks `law`."""

    @settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=(Phase.generate,),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        law(differ, data)

    run()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@given(data=st.data())
def test_laws_of_diff(law: Law, data: st.DataObject) -> None:
    law(diff, data)


@pytest.mark.parametrize("law", WHOLE, ids=lambda law: law.__name__)
def test_laws_of_whole_programs(law: Law) -> None:
    hold(law, diff, examples=10)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("law", WHOLE, ids=lambda law: law.__name__)
def test_laws_of_many_whole_programs(law: Law) -> None:
    hold(law, diff, examples=500)


def _altered(change: Callable[[Edit], Edit | None]) -> Differ:
    """`diff` with each edit changed or left out."""

    def twin(old: Core, old_surface: Surface, new: Core, new_surface: Surface) -> Diff:
        found = diff(old, old_surface, new, new_surface)
        edits = tuple(edit for edit in map(change, found.edits) if edit is not None)
        contract = max((edit.contract for edit in edits), default=Contract.NONE)
        behaviour = max((edit.behaviour for edit in edits), default=Behaviour.NONE)
        return Diff(edits, contract, behaviour, found.verdict)

    return twin


def _forgets_limits(edit: Edit) -> Edit | None:
    return None if edit.id.startswith("limit/") else edit


def _names_are_wording(edit: Edit) -> Edit:
    return replace(edit, behaviour=Behaviour.WORDING) if edit.what == "shown name changed" else edit


def _alternatives_are_policy(edit: Edit) -> Edit:
    return replace(edit, behaviour=Behaviour.POLICY) if edit.what == "alternatives changed" else edit


def _removed_hooks_are_policy(edit: Edit) -> Edit:
    removed = edit.what == "removed" and edit.id.startswith("hook/")
    return replace(edit, behaviour=Behaviour.POLICY) if removed else edit


def _added_writers_are_capability(edit: Edit) -> Edit:
    added = edit.what == "added" and edit.id.startswith("tool/")
    return replace(edit, behaviour=min(edit.behaviour, Behaviour.CAPABILITY)) if added else edit


def _removed_skills_are_capability(edit: Edit) -> Edit:
    removed = edit.what == "removed" and edit.id.startswith("skill/") and "/step/" not in edit.id
    return replace(edit, behaviour=Behaviour.CAPABILITY) if removed else edit


def _whispers(old: Core, old_surface: Surface, new: Core, new_surface: Surface) -> Diff:
    """Says of two edits no more than of the lesser."""
    found = diff(old, old_surface, new, new_surface)
    return found._replace(behaviour=min((edit.behaviour for edit in found.edits), default=Behaviour.NONE))


def _takes_much_for_unsafe(old: Core, old_surface: Surface, new: Core, new_surface: Surface) -> Diff:
    """Judges by how much was edited."""
    found = diff(old, old_surface, new, new_surface)
    symbols = {declaration(edit.id) for edit in found.edits}
    return found._replace(behaviour=Behaviour.SAFETY) if len(symbols) > 1 else found


def _follows_nothing(old: Core, old_surface: Surface, new: Core, new_surface: Surface) -> Diff:
    """Does not read what has moved."""
    return diff(old, old_surface, new.model_copy(update={"moved": ()}), new_surface)


def _remembers_nothing(edit: Edit) -> Edit | None:
    return None if edit.what == "former id forgotten" else edit


TWINS: list[tuple[str, Law, Differ]] = [
    ("forgets limits", a_change_of_meaning_is_more_than_nothing, _altered(_forgets_limits)),
    ("takes names for wording", another_surface_is_surface_at_most, _altered(_names_are_wording)),
    (
        "takes alternatives for policy",
        more_alternatives_are_surface_at_most,
        _altered(_alternatives_are_policy),
    ),
    ("says the least", steps_on_different_symbols_add_up, _whispers),
    ("says the least of whole programs", edits_of_different_symbols_add_up, _whispers),
    ("takes much for unsafe", any_chain_of_edits_is_no_more_than_its_steps, _takes_much_for_unsafe),
    ("follows nothing", renamed_there_and_back_is_nothing, _follows_nothing),
]


@pytest.mark.parametrize(("law", "twin"), [twin[1:] for twin in TWINS], ids=[twin[0] for twin in TWINS])
def test_a_broken_diff_breaks_its_law(law: Law, twin: Differ) -> None:
    with pytest.raises(AssertionError):
        hold(law, twin, examples=200)


READER = SHOP.tools[0].model_copy(update={"id": "tool/t", "effect": "read", "params": ()})
GUARD = SHOP.hooks[0]
SKILL = SHOP.skills[1]
RENAMED = [
    moved(SHOP, "tool/get_item", "tool/look_up"),
    renamed(SHOP, "tool/get_item", "tool/look_up"),
]
CHAINS: list[tuple[str, Versions, Differ]] = [
    (
        "takes removed hooks for policy",
        removed_and_added("hooks", GUARD, GUARD.model_copy(update={"fail": "open"})),
        _altered(_removed_hooks_are_policy),
    ),
    (
        "takes added writers for capability",
        removed_and_added("tools", READER, READER.model_copy(update={"effect": "write"})),
        _altered(_added_writers_are_capability),
    ),
    (
        "takes removed skills for capability",
        removed_and_added("skills", SKILL, SKILL.model_copy(update={"role": "reply"})),
        _altered(_removed_skills_are_capability),
    ),
    (
        "remembers no former ids",
        ((SHOP, SURFACE), (RENAMED[0], SURFACE), (RENAMED[1], SURFACE)),
        _altered(_remembers_nothing),
    ),
]


@pytest.mark.parametrize(
    ("versions", "twin"), [chain[1:] for chain in CHAINS], ids=[chain[0] for chain in CHAINS]
)
def test_removing_and_adding_is_judged_no_lower_than_changing(versions: Versions, twin: Differ) -> None:
    chain_holds(diff, versions)
    with pytest.raises(AssertionError):
        chain_holds(twin, versions)


def test_a_text_is_not_unfixed_by_way_of_a_list() -> None:
    rules = next(section for section in SHOP.prompt.sections if section.id.endswith("/rules"))
    text = Text(id=rules.id, canonical=(Literally(text="a"),), fixed=True)
    contents = (
        ProseContent(text=text),
        rules.content,
        ProseContent(text=text.model_copy(update={"fixed": False})),
    )
    sections = [rules.model_copy(update={"content": content}) for content in contents]
    prompts = [SHOP.prompt.model_copy(update={"sections": (section,)}) for section in sections]
    chain_holds(diff, tuple((BARE.model_copy(update={"prompt": prompt}), Surface()) for prompt in prompts))


def test_an_edit_taken_back_is_nothing() -> None:
    changed = SHOP.model_copy(update={"hooks": ()})
    back = changed.model_copy(update={"hooks": SHOP.hooks})
    assert diff(SHOP, SURFACE, changed, SURFACE).behaviour == Behaviour.SAFETY
    assert diff(SHOP, SURFACE, back, SURFACE).edits == ()


@st.composite
def three_types(draw: st.DrawFn) -> tuple[Type, Type, Type]:
    c = Choices(draw)
    return types(c, "tool/t", depth=2), types(c, "tool/t", depth=2), types(c, "tool/t", depth=2)


@given(three_types())
def test_looser_of_looser_is_looser(three: tuple[Type, Type, Type]) -> None:
    one, two, three_ = three
    assert admits(one, one)
    if admits(two, one) and admits(three_, two):
        assert admits(three_, one)
    if same_values(one, two):
        assert admits(one, two)
        assert admits(two, one)
        assert admits(one, three_) == admits(two, three_)


@given(st.data())
def test_a_looser_type_takes_every_value(data: st.DataObject) -> None:
    core = data.draw(cores())
    written = [type_ for _, type_ in types_of(core)]
    one, other = data.draw(st.sampled_from(written)), data.draw(st.sampled_from(written))
    if admits(other, one):
        assert check_value(data.draw(values_of(one, core)), other, core) is None
