"""Keeps what follows from a Core, also for the Cores that differ from it in their limits alone.

Variants with moved limits are new Cores whose other parts are the very same objects. What does not look at
limits is the same for all of them.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from harness_dsl.ir.core import Core

_Found = TypeVar("_Found")
_KEPT = 32
_LATELY = 8

Parts = tuple[Any, ...]


def parts_of(core: Core) -> Parts:
    """The parts of `core` other than its limits."""
    return (
        core.types,
        core.inputs,
        core.tools,
        core.skills,
        core.hooks,
        core.prompt,
        core.tests,
        core.moved,
        core.declared_names,
        core.name,
        core.version,
        core.description,
    )


def remembered(function: Callable[[Core], _Found]) -> Callable[[Core], _Found]:
    """`function`, called once for Cores with the same parts. It must not look at limits, and its value must
    not be altered.
    """
    kept: OrderedDict[tuple[int, ...], tuple[Parts, _Found]] = OrderedDict()

    lately: dict[int, tuple[Core, _Found]] = {}

    def searched(core: Core) -> _Found:
        # By identity: hashing a Core would walk all of it. The parts are kept, so that no id is used again.
        parts = parts_of(core)
        key = tuple(map(id, parts))
        known = kept.get(key)
        if known is not None:
            return known[1]
        found = function(core)
        kept[key] = (parts, found)
        while len(kept) > _KEPT:
            kept.popitem(last=False)
        return found

    @wraps(function)
    def call(core: Core) -> _Found:
        last = lately.get(id(core))
        if last is not None:
            return last[1]
        found = searched(core)
        if len(lately) >= _LATELY:
            lately.clear()
        lately[id(core)] = (core, found)
        return found

    return call
