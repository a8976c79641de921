"""Validity of a Surface, given its Core."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from harness_dsl.ir.builtins import built_in_texts
from harness_dsl.ir.core import Core
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.listing import defaulted, item_lists, messages, unordered_lists, violations
from harness_dsl.ir.naming import namespaces, symbols
from harness_dsl.ir.places import alike, places
from harness_dsl.ir.problems import Problem
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Template, Text
from harness_dsl.ir.walk import texts


@lru_cache(maxsize=1 << 16)
def sanitised(name: str) -> str:
    """A tool's name as targets with the rule `^[a-zA-Z0-9_-]{1,64}$` make of it."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]


def verify_surface(core: Core, surface: Surface, baseline: Surface | None = None) -> list[Problem]:
    """Everything wrong with `surface` as a way to show `core`, which must be valid.

    With `baseline` (the author's own Surface), what the Core declares `fixed` must be shown as it is there.
    """
    problems = [
        *_names(core, surface),
        *_wordings(core, surface),
        *_orders(core, surface),
        *_hidden(core, surface),
        *_distractors(surface),
        *_implementations(core, surface),
        *_set_otherwise(core, surface),
    ]
    return problems if baseline is None else [*problems, *_untouched(core, surface, baseline)]


def _names(core: Core, surface: Surface) -> Iterator[Problem]:
    known = frozenset(symbols(core))
    for id_ in sorted(surface.names.keys() - known):
        yield Problem(id_, "the named symbol is not declared")
    given = surface.names.values()
    if not (all(map(str.strip, given)) and "".join(given).isprintable()):
        for id_, name in surface.names.items():
            if not name.strip() or not name.isprintable():
                yield Problem(id_, "a name is empty or has unprintable characters")
    shown = {id_: surface.names.get(id_) or leaf(id_) for id_ in known}
    for space, ids, pick in several(core):
        foreigners = surface.distractors if space == "tool" else ()
        if space == "tool" or len({*pick(shown)}) < len(ids):
            yield from _collisions(space, ids, surface, foreigners)
    for place in places(core):
        for one, other, *_ in alike(place.members, surface.names):
            name = surface.names.get(other) or leaf(other)
            yield Problem(other, f"shown as `{name}`, which can't be told from `{one}` where both may stand")


@remembered
def several(core: Core) -> list[tuple[str, tuple[SemanticId, ...], Callable[[Mapping[str, str]], Any]]]:
    """The namespaces in which two symbols could be shown alike, each with what picks the names of its symbols
    from those of all; that of the tools always, for distractors stand among them.
    """
    return [
        (space, ids, itemgetter(*ids, ids[0]))
        for space, ids in namespaces(core).items()
        if len(ids) > 1 or space == "tool"
    ]


def _collisions(
    space: str, ids: tuple[SemanticId, ...], surface: Surface, distractors: tuple[ForeignTool, ...]
) -> Iterator[Problem]:
    shown = [(id_, surface.names.get(id_) or leaf(id_)) for id_ in ids]
    shown += [(foreign(tool.name), tool.name) for tool in distractors]
    keys = [sanitised(name) for _, name in shown] if space == "tool" else [name for _, name in shown]
    if len({*keys}) == len(keys):
        return
    taken: dict[str, SemanticId] = {}
    for key, (id_, name) in zip(keys, shown, strict=True):
        if key in taken:
            yield Problem(id_, f"shown as `{name}`, which can't be told from `{taken[key]}`")
        taken.setdefault(key, id_)


def _wordings(core: Core, surface: Surface) -> Iterator[Problem]:
    declared = _declared_texts(core)
    for id_, wording in surface.wordings.items():
        text = declared.get(id_)
        if text is None:
            yield Problem(id_, "the worded text is not declared")
        elif wording != text.canonical and wording not in text.alternatives:
            yield Problem(id_, "the wording is not among the declared ones")


def _orders(core: Core, surface: Surface) -> Iterator[Problem]:
    lists = _all_lists(core)
    if surface.distractors:
        shown = (*lists["tools"], *(foreign(tool.name) for tool in surface.distractors))
        lists = lists | {"tools": tuple(sorted(shown))}
    for key, order in surface.orders.items():
        if key not in lists:
            yield Problem(key, "there is no unordered list of that key")
        elif tuple(sorted(order)) != lists[key]:
            yield Problem(key, "the order is no permutation of the list")
        elif key == core.prompt.id:
            for broken in violations(order, core.prompt.order):
                yield Problem(
                    key, f"`{leaf(broken.section)}` is not {broken.relation} as the order of sections demands"
                )


def _hidden(core: Core, surface: Surface) -> Iterator[Problem]:
    hideable = {tool.id for tool in core.tools} | {skill.id for skill in core.skills}
    for id_ in surface.hidden:
        if id_ not in hideable:
            yield Problem(id_, "only tools and skills can be hidden")
    if len(surface.hidden) != len(set(surface.hidden)):
        yield Problem("hidden", "a symbol is hidden twice")


def _distractors(surface: Surface) -> Iterator[Problem]:
    for tool in surface.distractors:
        id_ = foreign(tool.name)
        if not tool.name.strip() or not tool.name.isprintable():
            yield Problem(id_, "a name is empty or has unprintable characters")
        if tool.parameters.get("type") != "object":
            yield Problem(id_, "the parameters of a distractor are no object schema")
        if not tool.description.strip() or not tool.failure.strip():
            yield Problem(id_, "a distractor has no description or no failure")


def _implementations(core: Core, surface: Surface) -> Iterator[Problem]:
    hooks = {hook.id: len(hook.implementations) for hook in core.hooks}
    for id_, index in surface.implementations.items():
        if id_ not in hooks:
            yield Problem(id_, "the implemented hook is not declared")
        elif not 0 <= index <= hooks[id_]:
            yield Problem(id_, f"the hook has no implementation {index}")


def _set_otherwise(core: Core, surface: Surface) -> Iterator[Problem]:
    """Feedback, layouts and unsaid defaults of what has none."""
    for id_ in surface.feedback.keys() - messages(core):
        yield Problem(id_, "the hook has no message to set off")
    for id_ in surface.layouts.keys() - item_lists(core).keys():
        yield Problem(id_, "there are no items to lay out")
    for id_ in surface.unsaid:
        if id_ not in defaulted(core):
            yield Problem(id_, "the parameter has no default to leave out")
    if len(surface.unsaid) != len(set(surface.unsaid)):
        yield Problem("unsaid", "a default is left out twice")


def _untouched(core: Core, surface: Surface, baseline: Surface) -> Iterator[Problem]:
    kept = _frozen_things(core)
    for id_ in kept.names:
        if _name(surface, id_) != _name(baseline, id_):
            yield Problem(id_, "the name is fixed")
    for text in kept.texts:
        if _wording(surface, text) != _wording(baseline, text):
            yield Problem(text.id, "the wording is fixed")
    for key, ids in kept.lists:
        if surface.orders.get(key, ids) != baseline.orders.get(key, ids):
            yield Problem(key, "the order is fixed")
    for hook in core.hooks:
        chosen = surface.implementations.get(hook.id, 0)
        if hook.fixed and chosen != baseline.implementations.get(hook.id, 0):
            yield Problem(hook.id, "the implementation is fixed")
    for hook in core.hooks:
        form = surface.feedback.get(hook.id, "plain")
        if hook.fixed and form != baseline.feedback.get(hook.id, "plain"):
            yield Problem(hook.id, "the feedback is fixed")
    for id_ in sorted(surface.layouts.keys() | baseline.layouts.keys()):
        layout = surface.layouts.get(id_, "list")
        if frozen(core).symbol(id_) and layout != baseline.layouts.get(id_, "list"):
            yield Problem(id_, "the layout is fixed")
    for id_ in sorted(set(surface.unsaid) ^ set(baseline.unsaid)):
        if frozen(core).symbol(id_):
            yield Problem(id_, "the documentation of the default is fixed")
    for id_ in surface.hidden:
        if frozen(core).symbol(id_) and id_ not in baseline.hidden:
            yield Problem(id_, "a fixed symbol is hidden")


@dataclass(frozen=True)
class _FrozenThings:
    """What is fixed: symbols with a name, texts, and lists by key."""

    names: tuple[SemanticId, ...]
    texts: tuple[Text, ...]
    lists: tuple[tuple[str, tuple[SemanticId, ...]], ...]


@remembered
def _frozen_things(core: Core) -> _FrozenThings:
    keep = frozen(core)
    return _FrozenThings(
        names=tuple(id_ for ids in namespaces(core).values() for id_ in ids if keep.symbol(id_)),
        texts=tuple(text for text in texts(core) if keep.wording(text.id)),
        lists=tuple((key, ids) for key, ids in unordered_lists(core).items() if keep.symbol(key)),
    )


@remembered
def _declared_texts(core: Core) -> dict[SemanticId, Text]:
    return {text.id: text for text in (*texts(core), *built_in_texts(core))}


@remembered
def _all_lists(core: Core) -> dict[str, tuple[SemanticId, ...]]:
    return unordered_lists(core, smallest=0)


def _name(surface: Surface, id_: SemanticId) -> str:
    return surface.names.get(id_) or leaf(id_)


def _wording(surface: Surface, text: Text) -> Template:
    return surface.wordings.get(text.id, text.canonical)
