"""Every registered operator obeys every law it claims, on generated harnesses, alone and composed."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.base import Capability, Operator
from augmentors.footprint import Footprint
from augmentors.operators.faults import FaultParameters
from augmentors.operators.group_parameters import GroupParametersParameters
from augmentors.operators.limits import LimitParameters
from augmentors.operators.rename import RenameParameters
from augmentors.operators.reorder import ReorderParameters
from augmentors.registry import BEFORE, OPERATORS, allowed, create
from harness_dsl.ir.core import Core, Item, ListContent, Param, Section, Skill, Tool
from harness_dsl.ir.expressions import Affix, Constant, Reply
from harness_dsl.ir.listing import section_order
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.types import BoolType, IntType, StringType
from tests.laws.laws import LAWS, accepted, adapter, applied, made, transport, where_it_applies
from tests.strategies import cores, small_shop, surfaces, transcripts

SETTINGS: dict[str, Operator] = {name: made(name) for name in OPERATORS} | {
    "rename held-out": create("rename", RenameParameters(pool="held-out", kinds=("tool", "param", "value"))),
    "rename swap": create("rename", RenameParameters(swap=1.0)),
    "rename few": create("rename", RenameParameters(share=0.2, styles=("kebab",), related=1.0, declared=1.0)),
    "reorder few": create("reorder", ReorderParameters(share=0.2)),
    "group-parameters all": create(
        "group-parameters", GroupParametersParameters(pool="held-out", share=1.0, smallest=2)
    ),
    "faults later": create("faults", FaultParameters(latest=3, share=1.0)),
    "limits held-out": create("limits", LimitParameters(pool="held-out")),
}


def with_what_it_takes(name: str, core: Core, surface: Surface) -> tuple[Core, Surface]:
    """The harness, with a record for what takes records apart, two tools alike for what merges tools, a
    choice for what splits by one, and rules for what moves them: drawn harnesses have few.
    """
    if OPERATORS[name].kind != "refactoring" or where_it_applies(create(name), core, surface, Footprint()):
        return core, surface
    core, surface = with_rules(*with_twins(core, surface))
    makes = {"flatten-parameter": "group-parameters", "split-tool": "merge-tools"}
    step = applied(create(makes[name]), core, surface, Footprint(), seed=3) if name in makes else None
    return (core, surface) if step is None else (step.new_core, step.after)


def with_rules(core: Core, surface: Surface) -> tuple[Core, Surface]:
    """The harness with a skill and a section in free order."""

    def item(id_: str) -> Item:
        text = Text(id=id_, canonical=(Literally(text=f"Keep to {id_}."),))
        return Item(
            id=id_, text=text, check=Affix(where="inside", subject=Reply(), text=Constant(value="好"))
        )

    said = Text(id="skill/zz_skill/when", canonical=(Literally(text="Whenever it fits."),))
    steps = (item("skill/zz_skill/step/one"), item("skill/zz_skill/step/two"))
    skill = Skill(id="skill/zz_skill", role="strategy", when=said, ordered=False, items=steps)
    rules = f"{core.prompt.id}/section/zz_rules"
    section = Section(id=rules, content=ListContent(ordered=False, items=(item(f"{rules}/three"),)))
    last = [constraint for constraint in core.prompt.order if constraint.relation != "last"]
    prompt = core.prompt.model_copy(
        update={
            "sections": tuple(sorted((*core.prompt.sections, section), key=lambda one: one.id)),
            "order": tuple(last),
        }
    )
    skills = tuple(sorted((*core.skills, skill), key=lambda one: one.id))
    orders = {key: order for key, order in surface.orders.items() if key not in ("skills", core.prompt.id)}
    core = core.model_copy(update={"skills": skills, "prompt": prompt})
    default = section_order(core)
    assert default is not None
    return core, surface.model_copy(update={"orders": {**orders, core.prompt.id: default}})


def with_twins(core: Core, surface: Surface) -> tuple[Core, Surface]:
    """The harness with two more tools that take the same."""
    twins = []
    for name in ("zz_first", "zz_second"):
        id_ = f"tool/{name}"
        said = Text(id=f"{id_}/description", canonical=(Literally(text=f"The {name} of all."),))
        code = Param(id=f"{id_}/param/code", type=StringType(min_length=1))
        count = Param(id=f"{id_}/param/count", type=IntType(min=1), has_default=True, default=1)
        twins.append(Tool(id=id_, description=said, params=(code, count), returns=BoolType()))
    orders = {key: order for key, order in surface.orders.items() if key != "tools"}
    tools = tuple(sorted((*core.tools, *twins), key=lambda tool: tool.id))
    return core.model_copy(update={"tools": tools}), surface.model_copy(update={"orders": orders})


few = settings(max_examples=max(6, settings().max_examples // 3))
"""Each example applies an operator to a whole harness and renders it a dozen times."""


LEAST = 5
"""An operator has to apply in one of so many draws, or its laws hold of nothing."""


@pytest.mark.parametrize("setting", SETTINGS)
def test_an_operator_obeys_the_laws_it_claims(setting: str) -> None:
    met: Counter[bool] = Counter()

    @few
    @given(data=st.data())
    def obeys(data: st.DataObject) -> None:
        met[obeys_its_laws(SETTINGS[setting], data)] += 1

    obeys()
    assert met[True] * LEAST >= met.total(), met


def obeys_its_laws(operator: Operator, data: st.DataObject) -> bool:
    """Whether `operator` applied; raises AssertionError if it then broke a law that it claims."""
    core = data.draw(cores())
    core, surface = with_what_it_takes(operator.name, core, data.draw(surfaces(core)))
    if not where_it_applies(operator, core, surface, Footprint()):
        core, surface = with_what_it_takes(operator.name, *small_shop())
    footprint = Footprint.of(tool.id for tool in core.tools[: data.draw(st.integers(0, 2))])
    step = applied(operator, core, surface, footprint, data.draw(st.integers(0, 2**32)))
    if step is None:
        return False
    for law in step.operator.laws:
        if law == "transport":
            is_edit = isinstance(step.operator, Capability)
            told = transcripts(step.new_core if is_edit else core)
            transport(step, step.adapter.forward(data.draw(told)))
        elif law == "adapter":
            adapter(step, data.draw(transcripts(core)), data.draw(transcripts(step.new_core)))
        else:
            LAWS[law](step)
    return True


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_operator_applies_to_the_live_shop(setting: str) -> None:
    core, surface = small_shop()
    core, surface = with_what_it_takes(SETTINGS[setting].name, core, surface)
    assert where_it_applies(SETTINGS[setting], core, surface, Footprint.of(["tool/get_quote"]))


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_claims_every_law_of_its_kind(name: str) -> None:
    operator = OPERATORS[name]
    missing = {*LAWS, "transport"} - set(operator.laws)
    changes_the_core = operator.kind in ("oracle-changing", "refactoring", "capability")
    assert missing == ({"core-unchanged"} if changes_the_core else set())
    assert ("adapter" in operator.laws) == (operator.kind == "refactoring")


def an_allowed_order(names: list[str], rng: Random) -> list[str]:
    """A random order that the registry allows."""
    left, order = list(names), []
    while left:
        ready = [n for n in left if not any(rule.second == n and rule.first in left for rule in BEFORE)]
        order.append(rng.choice(ready))
        left.remove(order[-1])
    return order


@few
@given(data=st.data())
def test_operators_compose_in_every_order_the_registry_allows(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    rng = Random(data.draw(st.integers(0, 2**32)))
    order = an_allowed_order(rng.sample(list(OPERATORS), rng.randint(2, len(OPERATORS))), rng)
    assert allowed(order)
    footprint = Footprint.of(tool.id for tool in core.tools[:1])
    conversation = data.draw(transcripts(core))
    now, shown = core, surface
    steps = []
    for name in order:
        step = applied(made(name), now, shown, footprint, rng.randrange(2**32))
        if step is not None:
            now, shown = step.new_core, step.after
            footprint = step.adapter.footprint(footprint)
            conversation = step.adapter.forward(conversation)
            steps.append(step)
    if not steps:
        return
    accepted(*steps)
    transport(steps[-1], conversation)


def test_the_registry_lists_operators_in_an_order_it_allows() -> None:
    assert allowed(OPERATORS)
    for rule in BEFORE:
        assert rule.first in OPERATORS
        assert rule.second in OPERATORS
        assert rule.reason
        assert not allowed([rule.second, rule.first])
    assert not allowed(["rename", "rename"])


def test_generated_harnesses_exercise_every_operator() -> None:
    met: Counter[str] = Counter()

    @settings(max_examples=40)
    @given(data=st.data())
    def collect(data: st.DataObject) -> None:
        core = data.draw(cores())
        surface = data.draw(surfaces(core))
        for name in OPERATORS.keys() - met.keys():
            prepared = with_what_it_takes(name, core, surface)
            if where_it_applies(made(name), *prepared, Footprint()):
                met[name] += 1

    collect()
    assert all(met[name] for name in OPERATORS), met
