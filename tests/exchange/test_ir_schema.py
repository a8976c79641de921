"""The published JSON Schema of the IR takes what the compiler writes, and refuses what loading refuses."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from harness_dsl.cli.main import main
from harness_dsl.exchange.ir_schema import ir_schema
from harness_dsl.ir.core import Core
from harness_dsl.syntax.artefact import ArtefactError, dump_ir, parse_ir
from harness_dsl.syntax.compile import compile_file, compile_text
from tests.strategies import cores, surfaces

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "ir.schema.json"
VALIDATOR = Draft202012Validator(ir_schema())
HARNESSES = [
    path
    for path in sorted((ROOT / "examples").rglob("*.harness"))
    if not re.search(r"(?m)^module ", path.read_text("utf-8"))
]
SMALL = '''harness tea "1.0.0"

type Leaf { grade: "a" | "b" weight?: decimal(min: 0) }

tool brew(kind: Leaf | int, grams: int(min: 1) = 2) -> Leaf[]? {
  """Brew {{ tool.brew.grams }}."""
  impl python "tea:brew"
}

hook calm on before_reply {
  if chars(reply) > limits.reply_chars
  log
}

prompt system {
  section rules unordered { rule short """Be brief.""" check chars(reply) <= 9 }
}

limits { reply_chars 60 in 30..120 }

test "t" {
  user "u"
  expect reply states price = 89.5
}
'''


def document(core: Core, surface: Any) -> Any:
    return json.loads(dump_ir(core, surface, "sha256:" + "0" * 64))


def compiled_document(path: Path) -> Any:
    compiled = compile_file(path)
    assert compiled.core is not None and compiled.surface is not None
    return json.loads(dump_ir(compiled.core, compiled.surface, compiled.source_digest))


def test_the_published_schema_is_the_one_of_this_version(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    Draft202012Validator.check_schema(ir_schema())
    assert main(["compile", "--target", "ir-schema"]) == 0
    shown = capsysbinary.readouterr().out
    assert PUBLISHED.read_bytes() == shown, (
        f"run: harnessc compile --target ir-schema -o {PUBLISHED.relative_to(ROOT)}"
    )
    assert json.loads(shown)["$id"] == "urn:harness-dsl:ir:1.0"
    assert main(["compile", "x.harness", "--target", "ir-schema"]) == 2
    assert main(["compile"]) == 2


@pytest.mark.parametrize("path", HARNESSES, ids=lambda path: path.stem)
def test_every_example_is_an_instance(path: Path) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(compiled_document(path))] == []


PAIRS = cores().flatmap(lambda core: surfaces(core).map(lambda surface: (core, surface)))


@settings(max_examples=6)
@given(PAIRS)
def test_a_generated_harness_is_an_instance(pair: Any) -> None:
    assert VALIDATOR.is_valid(document(*pair))


@pytest.mark.slow
@settings(max_examples=200)
@given(PAIRS)
def test_every_generated_harness_is_an_instance(pair: Any) -> None:
    assert VALIDATOR.is_valid(document(*pair))


def corrupted(data: Any) -> list[tuple[str, Any]]:
    """One document for each way in which one value of `data` can be of the wrong form."""
    found: list[tuple[str, Any]] = []
    for path in objects(data):
        node = at(data, path)
        for key in node:
            if key == "kind":
                found += [(f"{path} {key} is unknown", changed(data, path, key, "novel"))]
                found += [(f"{path} {key} is gone", changed(data, path, key, ...))]
            elif key in ("id", "name", "canonical", "tests", "tools"):
                found += [(f"{path} {key} is a number", changed(data, path, key, 7))]
        found += [(f"{path} has more", changed(data, path, "novel", 7))]
    return found


def objects(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of nodes: objects that are no free data of the harness."""
    match data:
        case dict():
            free = (
                "default",
                "value",
                "inputs",
                "arguments",
                "names",
                "wordings",
                "orders",
                "implementations",
            )
            inner = [p for key, part in data.items() if key not in free for p in objects(part, (*path, key))]
            return [path, *inner]
        case list():
            return [place for index, part in enumerate(data) for place in objects(part, (*path, index))]
        case _:
            return []


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def changed(data: Any, path: tuple[Any, ...], key: str, value: Any) -> Any:
    result = copy.deepcopy(data)
    if value is ...:
        del at(result, path)[key]
    else:
        at(result, path)[key] = value
    return result


def test_an_error_in_a_union_points_at_what_is_wrong() -> None:
    compiled = compile_text(SMALL)
    assert compiled.core is not None
    data = document(compiled.core, compiled.surface)
    at(data, ("core", "tools", 0, "returns", "item", "item"))["type"] = 7
    (error,) = VALIDATOR.iter_errors(data)
    assert error.json_path == "$.core.tools[0].returns.item.item.type"
    assert error.message == "7 is not of type 'string'"


def test_a_corrupted_document_is_none() -> None:
    compiled = compile_text(SMALL)
    assert compiled.core is not None, compiled.diagnostics
    ways = corrupted(document(compiled.core, compiled.surface))[::3]
    assert len(ways) > 30
    assert [way for way, broken in ways if VALIDATOR.is_valid(broken)] == []
    # Loading overlooks further keys around Core and Surface, and knows the kind where only one is possible.
    for way, broken in ways:
        if way.startswith(("('core'", "('surface'")) and not way.endswith("is gone"):
            with pytest.raises(ArtefactError):
                parse_ir(broken, way)


@pytest.mark.parametrize("part", [None, "core", "surface"])
def test_an_unknown_version_is_refused_with_what_to_do(part: str | None) -> None:
    data = compiled_document(ROOT / "examples" / "live_shop" / "shop_mini.harness")
    (data if part is None else data[part])["schema_version"] = "2.0"
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(ArtefactError) as caught:
        parse_ir(data, "`old.json`")
    assert "schema version 2.0" in str(caught.value) and "compile the source again" in str(caught.value)
