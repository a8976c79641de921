"""Valid Surfaces of a Core."""

from typing import Any, get_args

from hypothesis import strategies as st

from harness_dsl.ir.builtins import built_in_texts
from harness_dsl.ir.core import Core
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId, leaf
from harness_dsl.ir.listing import item_lists, next_sections, section_order, unordered_lists
from harness_dsl.ir.naming import namespaces
from harness_dsl.ir.places import alike, places
from harness_dsl.ir.surface import CallSyntax, ForeignTool, Surface
from harness_dsl.ir.texts import Template
from harness_dsl.ir.walk import texts
from tests.strategies import names
from tests.strategies.choices import Choices

DISTRACTORS = tuple(
    ForeignTool(
        name=name,
        description=description,
        parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        failure="not available in this room",
        origin="made for tests",
    )
    for name, description in (
        ("weather_now", "Weather in a city."),
        ("set_alarm", "设置闹钟"),
        ("map_of", "A map."),
    )
)


@st.composite
def surfaces(draw: st.DrawFn, core: Core, hiding: bool = False) -> Surface:
    """A valid Surface of `core`, nothing `fixed` touched. Tools and skills are hidden only if `hiding`."""
    return surface(Choices(draw), core, hiding)


def default_surface(core: Core) -> Surface:
    """The Surface that says nothing, except an order of sections where sorted ids break a constraint."""
    order = section_order(core)
    assert order is not None, "the constraints of the sections can't be met"
    return Surface(orders={} if list(order) == sorted(order) else {core.prompt.id: order})


def surface(c: Choices, core: Core, hiding: bool = False) -> Surface:
    """A valid Surface by the choices of `c`."""
    distractors = tuple(c.some(DISTRACTORS, 0, 2)) if c.flip() else ()
    hideable = [tool.id for tool in core.tools[1:] if not tool.fixed]
    hideable += [skill.id for skill in core.skills[1:] if not skill.fixed]
    return Surface(
        names=_names(c, core),
        wordings=_wordings(c, core),
        orders=_orders(c, core, distractors),
        markup=c.pick(("markdown", "xml", "plain")),
        tool_docs=c.pick(("json_schema", "python", "markdown", "typescript", "xml")),
        call_syntax=c.pick(get_args(CallSyntax)),
        hidden=tuple(sorted(c.some(hideable, 0, 2))) if hiding else (),
        distractors=distractors,
        implementations=_implementations(c, core),
        **_set_otherwise(c, core),
    )


def _names(c: Choices, core: Core) -> dict[SemanticId, str]:
    """Within each namespace the declared names, these names exchanged, or names not declared anywhere."""
    keep = frozen(core)
    shown: dict[SemanticId, str] = {}
    for space, ids in namespaces(core).items():
        free = [id_ for id_ in ids if not keep.symbol(id_)]
        match c.pick(("declared", "fresh", "swap")):
            case "fresh":
                pool = {"tool": names.FRESH_TOOLS, "skill": names.FRESH_SKILLS}.get(space, names.FRESH_WORDS)
                taken = {leaf(id_) for id_ in ids}
                unused = [name for name in pool if name not in taken]
                unused += [f"w_{number}" for number in range(len(free) - len(unused))]
                shown |= dict(zip(free, c.some(unused, len(free), len(free)), strict=True))
            case "swap":
                own = [id_ for id_ in free if id_ != LOAD_SKILL]
                shown |= dict(zip(own, c.shuffled([leaf(id_) for id_ in own]), strict=True))
            case _:
                pass
    return _told_apart(core, shown)


def _told_apart(core: Core, shown: dict[SemanticId, str]) -> dict[SemanticId, str]:
    """`shown` with the declared names of a namespace where one could be taken for another's elsewhere."""
    space_of = {id_: space for space, ids in namespaces(core).items() for id_ in ids}
    while True:
        mixed = {id_ for place in places(core) for same in alike(place.members, shown) for id_ in same}
        spaces = {space_of[id_] for id_ in mixed if id_ in shown}
        if not spaces:
            return shown
        shown = {id_: name for id_, name in shown.items() if space_of[id_] not in spaces}


def _wordings(c: Choices, core: Core) -> dict[SemanticId, Template]:
    keep = frozen(core)
    varied = [text for text in texts(core) if text.alternatives and not keep.wording(text.id)]
    varied += [text for text in built_in_texts(core) if c.rarely()]
    return {text.id: c.pick(text.alternatives) for text in varied if c.flip()}


def _orders(
    c: Choices, core: Core, distractors: tuple[ForeignTool, ...]
) -> dict[str, tuple[SemanticId, ...]]:
    keep = frozen(core)
    orders = default_surface(core).orders
    for key, ids in unordered_lists(core, distractors).items():
        if keep.symbol(key) or not c.flip():
            continue
        orders = orders | {key: _sections(c, core) if key == core.prompt.id else tuple(c.shuffled(ids))}
    return orders


def _sections(c: Choices, core: Core) -> tuple[SemanticId, ...]:
    left = {section.id for section in core.prompt.sections}
    order: list[SemanticId] = []
    while left:
        order.append(c.pick(next_sections(left, core.prompt.order)))
        left.remove(order[-1])
    return tuple(order)


def _set_otherwise(c: Choices, core: Core) -> dict[str, Any]:
    keep = frozen(core)
    told = [hook.id for hook in core.hooks if hook.message is not None and not hook.fixed]
    laid = [id_ for id_ in item_lists(core) if not keep.symbol(id_)]
    params = [param for tool in core.tools for param in tool.params if param.has_default]
    return {
        "feedback": {id_: c.pick(("plain", "prefixed", "tagged")) for id_ in told if c.rarely()},
        "layouts": {id_: c.pick(("list", "prose", "table")) for id_ in laid if c.rarely()},
        "unsaid": tuple(sorted(p.id for p in params if not keep.symbol(p.id) and c.rarely())),
    }


def _implementations(c: Choices, core: Core) -> dict[SemanticId, int]:
    free = [hook for hook in core.hooks if hook.implementations and not hook.fixed]
    return {hook.id: c.between(0, len(hook.implementations)) for hook in free}
