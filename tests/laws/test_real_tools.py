"""Variants of harnesses made of real tool lists are accepted, and every applicable symbol is exercised."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from augmentors.base import Preserving, TaskRelative
from augmentors.checker import check
from augmentors.coverage import Coverage
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.registry import OPERATORS, create
from augmentors.variants import draw
from harness_dsl.ir.core import CatalogContent, Core, Param, Prompt, ProseContent, Section, Tool
from harness_dsl.ir.ids import join
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    EnumMember,
    EnumType,
    FloatType,
    IntType,
    ListType,
    StringType,
    Type,
)
from harness_dsl.ir.verify import verify_core

# They change a few of hundreds of places in a row: `benchmarks/augment_corpora.py` draws until all were met.
FEW_A_ROW = {"distractors", "near-duplicates"}

PLAIN: dict[str, Type] = {
    "string": StringType(),
    "integer": IntType(),
    "number": FloatType(),
    "float": FloatType(),
    "boolean": BoolType(),
}


def tools_of(corpora: Path, corpus: str) -> Iterator[dict[str, Any]]:
    """Tool definitions with `name`, `description` and a schema."""
    if corpus == "mcp-github":
        for path in sorted((corpora / corpus).glob("*.json")):
            yield json.loads(path.read_text("utf-8"))
    elif corpus == "bfcl":
        for path in sorted((corpora / "bfcl" / "multi_turn_func_doc").glob("*.json")):
            yield from map(json.loads, path.read_text("utf-8").splitlines())
    else:
        path = corpora / "acebench-zh" / "data_normal_similar_api.json"
        for line in path.read_text("utf-8").splitlines():
            yield from json.loads(line)["function"]


def type_of(owner: str, schema: dict[str, Any]) -> Type:
    values = schema.get("enum")
    if values and all(isinstance(value, str) and value for value in values):
        members = (
            EnumMember(id=f"{owner}/value/{join(value)}", value=value) for value in dict.fromkeys(values)
        )
        return EnumType(members=tuple(members))
    if schema.get("type") == "array":
        return ListType(item=type_of(owner, schema.get("items") or {}))
    return PLAIN.get(str(schema.get("type")), AnyType())


def text(id_: str, words: str) -> Text:
    return Text(id=id_, canonical=(Literally(text=words),))


def tool(definition: dict[str, Any]) -> Tool:
    id_ = join("tool", definition["name"])
    schema = next(definition[key] for key in ("inputSchema", "parameters", "arguments") if key in definition)
    params = []
    for name, about in sorted((schema.get("properties") or {}).items()):
        param = f"{id_}/param/{join(name)}"
        words = about.get("description")
        params.append(
            Param(
                id=param,
                type=type_of(param, about),
                optional=name not in schema.get("required", ()),
                description=text(f"{param}/description", words) if words else None,
            )
        )
    return Tool(
        id=id_,
        description=text(f"{id_}/description", definition["description"]),
        params=tuple(sorted(params, key=lambda node: node.id)),
        returns=StringType(),
    )


def harness(definitions: Iterator[dict[str, Any]]) -> Core:
    """Up to thirty tools of distinct names and a prompt."""
    named = {
        re.sub(r"[^A-Za-z0-9_-]", "_", item["name"]): item
        for item in definitions
        if re.fullmatch(r"[A-Za-z][\w.-]*", item["name"], re.ASCII)
    }
    tools = sorted((tool(item) for item in islice(named.values(), 30)), key=lambda node: node.id)
    section = "prompt/system/section"
    persona = text(f"{section}/persona", "You help.")
    return Core(
        name="real",
        version="1.0.0",
        tools=tuple(tools),
        prompt=Prompt(
            id="prompt/system",
            sections=(
                Section(id=f"{section}/persona", content=ProseContent(text=persona)),
                Section(id=f"{section}/tools", content=CatalogContent(of="tools")),
            ),
        ),
    )


@pytest.mark.parametrize("corpus", ["mcp-github", "bfcl", "acebench-zh"])
def test_every_variant_of_real_tools_is_accepted(corpora: Path, corpus: str) -> None:
    core = harness(tools_of(corpora, corpus))
    assert len(core.tools) == 30
    assert verify_core(core) == []
    surface, footprint = Surface(), Footprint.of(node.id for node in core.tools[:3])
    policy = Policy.of({name: {"probability": 0.6} for name in OPERATORS})
    coverage = Coverage()
    for row in range(40):
        variant = draw(core, surface, policy, 0, row, footprint)
        assert check(core, surface, variant.certificate, everything_read) == []
        coverage.add(variant.certificate)
    assert coverage.originals == 0
    applicable = {}
    for name in sorted(set(OPERATORS) - FEW_A_ROW):
        operator = create(name)
        if isinstance(operator, TaskRelative):
            applicable[name] = operator.symbols(core, surface, footprint)
        elif isinstance(operator, Preserving):
            applicable[name] = operator.symbols(core, surface)
    assert coverage.missing(applicable) == []
