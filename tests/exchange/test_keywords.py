"""Every keyword of a schema is represented or reported at its own pointer, one keyword after another."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from harness_dsl.exchange.draft import Declared, misfit
from harness_dsl.exchange.found import ToolSource, Unreadable, pointer
from harness_dsl.exchange.names import Names
from harness_dsl.exchange.schema_reader import SchemaReader
from harness_dsl.exchange.tools import ToolReader
from harness_dsl.ir.types import Type

VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 7, -3, 1.5, "", "a", "b", "abc", "abcdef", [], [1], ["a"], ["a", 1], [None],
    ["a", "b", "a", "b"], {}, {"k": 1}, {"k": "a"}, {"k": None}, {"k": "a", "m": 2}, {"m": 2}, {"z": [1]},
]  # fmt: skip
SCALARS = st.sampled_from([None, True, 0, 1, 7, 1.5, "a", "b", "abc"])
NAMES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
OWN: dict[str, Any] = {
    "type": NAMES | st.lists(NAMES, min_size=1, max_size=3, unique=True),
    "const": SCALARS,
    "enum": st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr),
    "minLength": st.integers(0, 4),
    "maxLength": st.integers(0, 4),
    "pattern": st.just("^a"),
    "minimum": st.integers(-4, 4) | st.just(1.5),
    "maximum": st.integers(-4, 4),
    "exclusiveMinimum": st.integers(-4, 4),
    "exclusiveMaximum": st.just(1.5) | st.integers(0, 4),
    "minItems": st.integers(0, 2),
    "maxItems": st.integers(0, 2),
    "required": st.lists(st.sampled_from(["k", "m"]), max_size=2, unique=True),
    "additionalProperties": st.booleans(),
    "multipleOf": st.just(2),
    "uniqueItems": st.just(True),
    "minProperties": st.just(1),
    "not": st.just({"type": "string"}),
    "propertyNames": st.just({"pattern": "^k"}),
}

DECIDING = {"additionalProperties": "patternProperties", "enum": "const"}
"""A keyword that says nothing of its own beside another one, and that one."""


def nesting(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=2)
    nested = {
        "items": inner,
        "prefixItems": several,
        "properties": st.dictionaries(st.sampled_from(["k", "m"]), inner, min_size=1, max_size=2),
        "patternProperties": st.dictionaries(st.just("^k"), inner, min_size=1, max_size=1),
        "additionalProperties": inner,
        "anyOf": several,
        "oneOf": several,
    }
    return some({**OWN, **nested}, 5)


def some(keywords: dict[str, Any], most: int) -> st.SearchStrategy[Any]:
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=most, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


SCHEMAS = nesting(some(OWN, 3) | nesting(some(OWN, 2)))


def read(schema: dict[str, Any]) -> tuple[Type, list[Declared], list[str]]:
    lost: list[str] = []
    reader = SchemaReader(schema, "", "t", Names(), lambda at, _: lost.append(at))
    return reader.type(schema, "", ("t",)), reader.types, lost


@cache
def _accepts(schema: str, value: str) -> bool:
    return bool(Draft202012Validator(json.loads(schema)).is_valid(json.loads(value)))


def accepts(schema: Any, value: Any) -> bool:
    return _accepts(json.dumps(schema), json.dumps(value))


def relaxed(schema: Any, lost: list[str], at: str = "") -> Any:
    """`schema` without the keywords that are reported, at any depth."""
    result: dict[str, Any] = {}
    for keyword, part in schema.items():
        place = at + pointer(keyword)
        if (
            keyword == "oneOf"
            and place in lost
            and not schema.keys() & {"anyOf", "properties", "enum", "const"}
        ):
            # Reported is no more than that a value is of one option alone.
            result["anyOf"] = [relaxed(inner, lost, f"{place}/{i}") for i, inner in enumerate(part)]
        elif place in lost or f"{at}/{DECIDING.get(keyword)}" in lost:
            continue
        elif keyword in ("properties", "patternProperties"):
            result[keyword] = {k: relaxed(inner, lost, place + pointer(k)) for k, inner in part.items()}
        elif keyword in ("anyOf", "oneOf", "prefixItems"):
            result[keyword] = [relaxed(inner, lost, f"{place}/{i}") for i, inner in enumerate(part)]
        elif keyword in ("items", "additionalProperties") and isinstance(part, dict):
            result[keyword] = relaxed(part, lost, place)
        else:
            result[keyword] = part
    return result


def silent(schema: dict[str, Any]) -> list[Any]:
    """Values that the type allows although a keyword rejects them of which no loss is reported."""
    try:
        type_, types, lost = read(schema)
    except Unreadable:
        return []
    rest = relaxed(schema, lost)
    return [value for value in VALUES if misfit(value, type_, types) is None and not accepts(rest, value)]


@given(SCHEMAS)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@example({"type": ["string", "null"], "const": None})
@example({"const": None})
@example({"enum": [None]})
@example({"anyOf": [{"type": "null"}]})
@example({"type": "string", "anyOf": [{"type": "string"}, {"type": "integer"}]})
@example({"anyOf": [{"type": "string"}], "oneOf": [{"minLength": 2}]})
@example({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}})
def test_a_keyword_that_a_type_does_not_keep_is_reported_at_its_place(schema: dict[str, Any]) -> None:
    assert silent(schema) == []


@pytest.mark.parametrize(
    ("schema", "pointers"),
    [
        ({"type": ["string", "null"], "const": None}, ["/const"]),
        ({"type": "string", "const": None}, ["/const"]),
        ({"type": "string", "enum": [None]}, ["/enum"]),
        ({"const": "a", "enum": ["a", "b"]}, []),
        ({"const": "a", "enum": ["b"]}, ["/enum"]),
        ({"const": 1, "enum": [True]}, ["/enum"]),
        ({"const": "a", "minLength": 3}, ["/minLength"]),
        ({"type": "array", "items": {"type": "string", "default": "x"}}, ["/items/default"]),
        ({"type": "array", "items": {"type": "string", "optional": True}}, ["/items/optional"]),
        ({"type": "string", "description": "a", "desc": "b"}, ["/desc"]),
        ({"properties": {}, "required": [1]}, ["/required"]),
        ({"$ref": "#/$defs/A", "type": "string", "$defs": {"A": {"type": "integer"}}}, ["/type"]),
        (
            {
                "$ref": "#/$defs/A",
                "$defs": {"A": {"type": "object", "properties": {"k": {}}, "additionalProperties": True}},
            },
            ["/$defs/A/additionalProperties"],
        ),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"type": "string", "default": "x"}}}, ["/$defs/A/default"]),
    ],
)
def test_what_is_lost_is_named_by_its_keyword(schema: dict[str, Any], pointers: list[str]) -> None:
    assert read(schema)[2] == pointers


def test_what_stands_beside_the_reference_of_all_parameters_is_reported() -> None:
    schema = {
        "$ref": "#/$defs/A",
        "properties": {"gone": {}},
        "$defs": {"A": {"allOf": [{"properties": {"k": {"type": "string", "title": "K"}}}], "format": "x"}},
    }
    lost: list[str] = []
    source = ToolSource("f", "", "t", "Does it.", schema, "/p")
    draft = ToolReader().read(source, lambda at, _: lost.append(at))
    assert [param.name for param in draft.params] == ["k"]
    assert lost == ["/p/properties", "/p/$defs/A/format", "/p/$defs/A/properties/k/title"]
