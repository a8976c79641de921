"""A Surface in which several tools are one, and one in which one is several."""

from collections.abc import Callable, Iterable, Sequence

from augmentors.adapters.rewriting import Rewriting
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface


def folded_surface(
    surface: Surface, tools: Sequence[SemanticId], whole: SemanticId, choice: SemanticId, said: Rewriting
) -> Surface:
    """`surface` with `whole` in the place of the first of `tools`, whose parameters keep their looks. How the
    others were shown is said no more.
    """
    first = tools[0]

    def now(id_: SemanticId) -> Iterable[SemanticId]:
        if id_.startswith(f"{first}/param/"):
            return (whole + id_[len(first) :],)
        return () if any(id_ == tool or id_.startswith(f"{tool}/") for tool in tools) else (id_,)

    orders = dict(surface.orders)
    for tool in tools[1:]:
        orders.pop(tool, None)
    if (order := orders.pop(first, None)) is not None:
        orders[whole] = (choice, *(id_ for old in order for id_ in now(old)))
    if (listed := orders.get("tools")) is not None:
        at = min(listed.index(tool) for tool in tools)
        before, behind = (
            [id_ for id_ in listed[:at] if id_ not in tools],
            [id_ for id_ in listed[at:] if id_ not in tools],
        )
        orders["tools"] = (*before, whole, *behind)
    return _moved(surface.model_copy(update={"orders": orders}), now, said)


def unfolded_surface(
    surface: Surface, whole: SemanticId, choice: SemanticId, tools: Sequence[SemanticId], said: Rewriting
) -> Surface:
    """`surface` with `tools` in the place of `whole`, each with the looks of its parameters."""

    def now(id_: SemanticId) -> Iterable[SemanticId]:
        if id_ == choice or id_.startswith(f"{choice}/") or id_ in (whole, f"{whole}/description"):
            return ()
        return tuple(tool + id_[len(whole) :] for tool in tools) if id_.startswith(f"{whole}/") else (id_,)

    orders = dict(surface.orders)
    if (order := orders.pop(whole, None)) is not None:
        params = [id_ for id_ in order if id_ != choice]
        orders |= {tool: tuple(tool + id_[len(whole) :] for id_ in params) for tool in tools}
    if (listed := orders.get("tools")) is not None:
        at = listed.index(whole)
        orders["tools"] = (*listed[:at], *tools, *listed[at + 1 :])
    return _moved(surface.model_copy(update={"orders": orders}), now, said)


def _moved(surface: Surface, now: Callable[[SemanticId], Iterable[SemanticId]], said: Rewriting) -> Surface:
    wordings = {id_: said.template(id_, wording) for id_, wording in surface.wordings.items()}
    return surface.model_copy(
        update={
            "names": {new: name for id_, name in surface.names.items() for new in now(id_)},
            "wordings": {new: wording for id_, wording in wordings.items() for new in now(id_)},
            "unsaid": tuple(sorted(new for id_ in surface.unsaid for new in now(id_))),
        }
    )
