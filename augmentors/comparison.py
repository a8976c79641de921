"""What variants show differently, symbol by symbol, beside the default Surface."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from augmentors.adapters.refactorings import Refactored, shape
from augmentors.facets import facets
from augmentors.index import index
from augmentors.orders import current_order
from augmentors.variants import Variant
from harness_dsl.ir.core import Core
from harness_dsl.ir.fault_plan import Fault
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.quick_digest import canonical_wordings
from harness_dsl.ir.spelling import spell_template
from harness_dsl.ir.surface import Surface

ABSENT = "–"


@dataclass(frozen=True)
class Difference:
    """How one symbol, text or list is shown: `original`, then in each variant.

    `aspect` is one of shape, name, wording, order, shown, distractor, markup, documentation, implementation,
    call syntax, feedback, layout, default, limit.
    """

    aspect: str
    id: SemanticId
    original: str
    variants: tuple[str, ...]

    @property
    def changed(self) -> tuple[bool, ...]:
        """Which variants show it in another way than the original."""
        return tuple(shown != self.original for shown in self.variants)


@dataclass(frozen=True)
class _Shown:
    """A Core under a Surface, what gave the Core this shape, and what its calls meet."""

    core: Core
    surface: Surface
    refactorings: tuple[Refactored, ...] = ()
    faults: tuple[Fault, ...] = ()


_LETTERS = {
    "n": "name",
    "w": "wording",
    "o": "order",
    "t": "order",
    "h": "shown",
    "d": "distractor",
    "m": "markup",
    "k": "documentation",
    "c": "call syntax",
    "i": "implementation",
    "f": "feedback",
    "y": "layout",
    "u": "default",
    "b": "name",
    "r": "wording",
    "l": "limit",
    "e": "fault",
}


def differences(core: Core, baseline: Surface, variants: Iterable[Variant]) -> list[Difference]:
    """Everything in which at least one variant differs, in the order of aspects, then of ids."""
    shown = [_shown(variant) for variant in variants]
    limits = {limit.id: limit.value for limit in core.limits}
    found: dict[tuple[str, SemanticId], None] = {}
    for one in shown:
        found.update(dict.fromkeys(("shape", id_) for step in one.refactorings for id_ in step.symbols))
    ways = []
    for one in shown:
        moved = [limit.id for limit in one.core.limits if limits.get(limit.id) != limit.value]
        given = shape(core, baseline, one.refactorings)
        faulty = [fault.tool for fault in one.faults]
        ways.append(facets(given.core, given.surface, one.surface, moved, faulty))
    for letter, aspect in _LETTERS.items():
        found.update(dict.fromkeys((aspect, id_) for id_ in sorted({i for way in ways for i in way[letter]})))
    return [_difference(aspect, id_, _Shown(core, baseline), shown) for aspect, id_ in _once(found)]


def _shown(variant: Variant) -> _Shown:
    certificate = variant.certificate
    return _Shown(variant.core, variant.surface, certificate.refactorings, certificate.faults)


def _once(found: Iterable[tuple[str, SemanticId]]) -> Iterator[tuple[str, SemanticId]]:
    """Documentation is of all tools alike: one entry says it."""
    said = False
    for aspect, id_ in found:
        if aspect != "documentation":
            yield aspect, id_
        elif not said:
            said = True
            yield aspect, "tools"


def _difference(aspect: str, id_: SemanticId, original: _Shown, shown: list[_Shown]) -> Difference:
    show = _SHOW[aspect]
    return Difference(aspect, id_, show(original, id_), tuple(show(one, id_) for one in shown))


def _order(shown: _Shown, key: str) -> str:
    known = index(shown.core)
    if key != "tools" and key not in known.lists:
        return ABSENT
    return ", ".join(leaf(id_) for id_ in current_order(shown.core, known, key, shown.surface))


def _distractor(shown: _Shown, id_: SemanticId) -> str:
    found = [tool for tool in shown.surface.distractors if foreign(tool.name) == id_]
    return found[0].description if found else ABSENT


def _wording(shown: _Shown, id_: SemanticId) -> str:
    template = shown.surface.wordings.get(id_) or canonical_wordings(shown.core).get(id_)
    return ABSENT if template is None else spell_template(template)


def _name(shown: _Shown, id_: SemanticId) -> str:
    return (shown.surface.names.get(id_) or leaf(id_)) if id_ in index(shown.core).space_of else ABSENT


def _shape(shown: _Shown, id_: SemanticId) -> str:
    spelled = [step.spelled() for step in shown.refactorings if id_ in step.symbols]
    return "; ".join(spelled) or "as declared"


def _limit(shown: _Shown, id_: SemanticId) -> str:
    return next((str(limit.value) for limit in shown.core.limits if limit.id == id_), ABSENT)


def _fault(shown: _Shown, id_: SemanticId) -> str:
    met = [fault for fault in shown.faults if fault.tool == id_]
    return "; ".join(f"{fault.kind} at call {fault.call}" for fault in met) or "none"


_SHOW: dict[str, Callable[[_Shown, SemanticId], str]] = {
    "shape": _shape,
    "name": _name,
    "wording": _wording,
    "order": _order,
    "shown": lambda shown, id_: "hidden" if id_ in shown.surface.hidden else "shown",
    "distractor": _distractor,
    "markup": lambda shown, _: shown.surface.markup,
    "documentation": lambda shown, _: shown.surface.tool_docs,
    "call syntax": lambda shown, _: shown.surface.call_syntax,
    "implementation": lambda shown, id_: str(shown.surface.implementations.get(id_, 0)),
    "feedback": lambda shown, id_: shown.surface.feedback.get(id_, "plain"),
    "layout": lambda shown, id_: shown.surface.layouts.get(id_, "list"),
    "default": lambda shown, id_: "unsaid" if id_ in shown.surface.unsaid else "said",
    "limit": _limit,
    "fault": _fault,
}
