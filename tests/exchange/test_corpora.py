"""Real material: everything is taken over or refused with a reason, comes back, and reaches every target."""

import ast
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.exchange.exporting import TARGETS, export
from harness_dsl.exchange.found import SkillSource, ToolSource
from harness_dsl.exchange.importing import Imported, import_harness
from harness_dsl.exchange.tidy import analyse
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text
from tests.exchange.schemas import differences

MATERIAL = Path(__file__).parent / "material"
KINDS: dict[str, Any] = {
    "mcp-github": "mcp",
    "mcp-registry": "mcp",
    "bfcl": "bfcl",
    "acebench-zh": "acebench",
    "skills": "skills",
}
QUICK = ["mcp-github", "mcp-registry", "skills", "bfcl/multi_turn_func_doc"]
SLOW = ["bfcl", "acebench-zh"]


def folders(corpora: Path | None, name: str) -> tuple[Any, Path]:
    return KINDS[name.split("/")[0]], (corpora or MATERIAL) / name


def holds(kind: Any, path: Path) -> Imported:
    """Imports a folder and checks all that is promised of it."""
    result = import_harness(kind, path)
    assert all(refusal.reason for refusal in result.refusals)
    analysis = analyse(result.text, "imported.harness")
    assert [str(found) for found in lint(analysis) if found.severity != "info"] == []
    assert format_text(result.text, "imported.harness")[0] == result.text
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    assert len(result.sources) == len(compiled.core.tools) + len(compiled.core.skills)
    if kind == "skills":
        bodies_come_back(result, compiled.core, compiled.surface)
    else:
        schemas_come_back(result, compiled.core, compiled.surface)
        every_tool_reaches_every_target(compiled.core, compiled.surface)
    return result


def schemas_come_back(result: Imported, core: Core, surface: Surface) -> None:
    assert compare(result, core, surface) == []


def compare(result: Imported, core: Core, surface: Surface, spoil: Any = None) -> list[str]:
    """Differences between the schemas of the source and those of `json-schema`, up to the losses."""
    definitions = export(core, surface, "json-schema").document["$defs"]
    lost: dict[str, dict[str, str]] = {}
    for loss in result.losses:
        lost.setdefault(loss.file, {})[loss.pointer] = loss.what
    found = []
    for name, source in result.sources.items():
        assert isinstance(source, ToolSource)
        losses = dict(lost.get(source.file, {}))
        losses.pop(source.at, None)
        shown = surface.names.get(f"tool/{name}", name)
        parameters = {"type": "object", **(source.parameters or {})}
        parameters = {key: parameters[key] for key in ("type", "properties", "required") if key in parameters}
        ours = definitions[f"{shown}.arguments"]
        assert ours["description"] == source.description
        ours = {key: value for key, value in ours.items() if key != "description"}
        if spoil is not None:
            ours = spoil(copy.deepcopy(ours))
        found += differences(parameters, ours, source.parameters_at, losses)
    return found


def every_tool_reaches_every_target(core: Core, surface: Surface) -> None:
    for target in TARGETS[:-1]:
        result = export(core, surface, target)
        refused = {"/".join(fault.symbol.split("/")[:2]) for fault in result.faults}
        assert all(fault.reason for fault in result.faults)
        listed = functions(result.text) if target == "python-stubs" else entries(result.document)
        assert len(listed) + len(refused) == len(core.tools)
        json.dumps(result.document)
        if target == "openai-strict":
            for entry in listed:
                closed(entry["function"]["parameters"])


def functions(text: str) -> list[Any]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def entries(document: Any) -> list[Any]:
    if isinstance(document, list):
        return (
            document[0]["functionDeclarations"]
            if document and "functionDeclarations" in document[0]
            else document
        )
    return (
        document["tools"]
        if "tools" in document
        else [key for key in document["$defs"] if key.endswith(".result")]
    )


def closed(schema: Any) -> None:
    """What OpenAI asks of a strict schema holds at every depth."""
    if isinstance(schema, list):
        for part in schema:
            closed(part)
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
    assert not schema.keys() & {"default", "minLength", "maxLength", "patternProperties", "allOf", "oneOf"}
    assert schema.keys() & {"type", "$ref", "anyOf"}
    for key in ("items", "anyOf"):
        closed(schema.get(key))
    for key in ("properties", "$defs"):
        closed(list(schema.get(key, {}).values()))


def bodies_come_back(result: Imported, core: Core, surface: Surface) -> None:
    files = export(core, surface, "agent-skills").files
    assert len(files) == len(core.skills)
    for name, source in result.sources.items():
        assert isinstance(source, SkillSource)
        text = files[f"{surface.names.get(f'skill/{name}', name)}/SKILL.md"]
        head, body = text.split("\n---\n", 1)
        assert body == source.body
        assert head.startswith(f"---\nname: {source.name}\ndescription: ")


@pytest.mark.parametrize("name", KINDS)
def test_the_material_here(name: str) -> None:
    holds(*folders(None, name))


@pytest.mark.parametrize("name", QUICK)
def test_the_corpora(corpora: Path, name: str) -> None:
    holds(*folders(corpora, name))


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_the_larger_corpora(corpora: Path, name: str) -> None:
    holds(*folders(corpora, name))


def test_a_skill_with_plain_front_matter_is_the_same_file_again() -> None:
    result = import_harness("skills", MATERIAL / "skills")
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    files = export(compiled.core, compiled.surface, "agent-skills").files
    same = [
        path for path, text in files.items() if (MATERIAL / "skills" / path).read_bytes() == text.encode()
    ]
    assert sorted(same) == ["verification-before-completion/SKILL.md"]
    folded = files["visual-edit-precision/SKILL.md"].split("\n---\n", 1)[1]
    assert (
        (MATERIAL / "skills/visual-edit-precision/SKILL.md").read_text("utf-8").endswith(f"\n---\n{folded}")
    )


def spoilt_bound(schema: Any) -> Any:
    for part in schema["properties"].values():
        part.pop("minimum", None)
    return schema


def spoilt_required(schema: Any) -> Any:
    return schema | {"required": []}


def spoilt_description(schema: Any) -> Any:
    for part in schema["properties"].values():
        part["description"] = part.get("description", "").upper()
    return schema


@pytest.mark.parametrize("spoil", [spoilt_bound, spoilt_required, spoilt_description])
def test_the_comparison_sees_a_broken_round_trip(spoil: Any) -> None:
    result = import_harness("mcp", MATERIAL / "mcp-github")
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    assert compare(result, compiled.core, compiled.surface, spoil) != []
