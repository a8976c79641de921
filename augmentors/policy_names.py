"""Whether what a policy names is there, in the harness that is drawn from, and whether it draws at all."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from augmentors.policy import Policy, PolicyError, placed, suggest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId

_Mistake = tuple[tuple[str | int, ...], str]


def check_names(policy: Policy, core: Core, path: Path) -> None:
    """Raises `PolicyError`, with its place in the policy file `path`, for a setting that names what `core`
    has not: with it the operator would never apply.
    """
    for choice in policy.operators:
        for keys, said in _mistakes(choice.parameters, core):
            at = ("operators", choice.operator, *keys)
            raise placed(path, PolicyError(f"`{choice.operator}`: {said}", at))


def idle(policy: Policy) -> str | None:
    """What to tell the author of a policy under which every row is the original; None of any other."""
    if policy.original < 1 and any(choice.probability > 0 for choice in policy.operators):
        return None
    why = "keeps the original in every row" if policy.original == 1 else "draws no operator"
    return f"note: the policy {why}: there will be no variants"


def _mistakes(parameters: Mapping[str, object], core: Core) -> Iterator[_Mistake]:
    tools = parameters.get("tools")
    if isinstance(tools, list | tuple):
        for number, id_ in enumerate(tools):
            yield from _missing(("tools", number), str(id_), tuple(tool.id for tool in core.tools))
    only = parameters.get("only")
    if isinstance(only, Mapping):
        for id_ in only:
            yield from _missing(("only", id_), id_, tuple(limit.id for limit in core.limits))
    tested = parameters.get("tested")
    if isinstance(tested, Mapping):
        counts = {hook.id: len(hook.implementations) for hook in core.hooks}
        for id_, numbers in tested.items():
            yield from _missing(("tested", id_), id_, tuple(counts))
            for place, number in enumerate(numbers):
                if not 1 <= number <= counts.get(id_, number):
                    has = f"{counts[id_]}, counted from 1" if counts.get(id_) else "none beside its condition"
                    yield ("tested", id_, place), f"`{id_}` has no implementation {number}: it has {has}"


def _missing(keys: tuple[str | int, ...], id_: str, known: tuple[SemanticId, ...]) -> Iterator[_Mistake]:
    if id_ not in known:
        kind = keys[0] if keys[0] == "tools" else id_.partition("/")[0]
        yield keys, f"the harness has no `{id_}`{suggest(id_, known) if known else f', and no {kind} at all'}"
