"""Declarations of a Core by id, made once for each Core that is alive."""

import weakref
from dataclasses import dataclass

from harness_dsl.ir.core import Core, Input, Limit, Skill, Tool, TypeDecl
from harness_dsl.ir.ids import SemanticId


@dataclass(frozen=True)
class Index:
    """What can be looked up by id."""

    types: dict[SemanticId, TypeDecl]
    inputs: dict[SemanticId, Input]
    tools: dict[SemanticId, Tool]
    skills: dict[SemanticId, Skill]
    limits: dict[SemanticId, Limit]


_indices: dict[int, tuple[weakref.ref[Core], Index]] = {}


def index(core: Core) -> Index:
    """The index of `core`. Where an id is declared twice, the first one counts."""
    # By identity: hashing a Core would walk all of it, and a frozen value never changes under its index.
    key = id(core)
    known = _indices.get(key)
    if known is not None and known[0]() is core:
        return known[1]
    made = Index(
        types={node.id: node for node in reversed(core.types)},
        inputs={node.id: node for node in reversed(core.inputs)},
        tools={node.id: node for node in reversed(core.tools)},
        skills={node.id: node for node in reversed(core.skills)},
        limits={node.id: node for node in reversed(core.limits)},
    )
    _indices[key] = (weakref.ref(core, lambda _: _indices.pop(key, None)), made)
    return made
