"""Names that a target takes, for those that it refuses: the same harness under another Surface."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from harness_dsl.exchange.agent_skills import NAME
from harness_dsl.exchange.targets import RULES
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, kind
from harness_dsl.ir.naming import Naming, namespaces
from harness_dsl.ir.surface import Surface

if TYPE_CHECKING:
    from harness_dsl.exchange.exporting import Target

_LONGEST = 60
"""Leaves room for a number behind a name, below every target's limit."""


def legal_surface(core: Core, surface: Surface, target: "Target") -> Surface:
    """`surface` with every name that `target` refuses replaced by one that it takes and nobody else has.

    Texts that refer to a symbol print its new name. Names that are taken already stay.
    """
    naming = Naming(core, surface)
    names = dict(surface.names)
    spaces = namespaces(core)
    # Records may meet in one union, where their keys are told apart by name.
    fields = {naming.name(id_) for space, ids in spaces.items() if space.endswith("/field") for id_ in ids}
    for space, ids in spaces.items():
        rule = _rule(target, space)
        if rule is None:
            continue
        pattern, likely = rule
        taken = fields if space.endswith("/field") else {naming.name(id_) for id_ in ids}
        for id_ in ids:
            name = naming.name(id_)
            if re.fullmatch(pattern, name, re.DOTALL) is None:
                names[id_] = _free(likely(name, id_), pattern, taken)
    return surface.model_copy(update={"names": names})


def _rule(target: "Target", space: str) -> tuple[str, Callable[[str, SemanticId], str]] | None:
    """What names of the namespace have to match, and what a name becomes; None: they are not looked at."""
    if target == "agent-skills":
        return (NAME.pattern, _folder) if space == "skill" else None
    rules = RULES.get(target)
    if rules is None:
        return None
    if space == "tool":
        return rules.name, _word
    return (rules.key, _word) if rules.key and space.endswith(("/param", "/field")) else None


def _word(name: str, id_: SemanticId) -> str:
    word = re.sub(r"[^a-zA-Z0-9]+", "_", name).strip("_")
    if not word:
        word = kind(id_)
    return (word if word[0].isalpha() else f"{kind(id_)}_{word}")[:_LONGEST]


def _folder(name: str, id_: SemanticId) -> str:
    del id_
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:_LONGEST].strip("-") or "skill"


def _free(name: str, pattern: str, taken: set[str]) -> str:
    joint = "-" if "_" not in name and pattern == NAME.pattern else "_"
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}{joint}{number}"
    taken.add(free)
    return free
