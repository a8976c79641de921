"""One foreign tool as a draft."""

import json
from typing import Any, NamedTuple

from harness_dsl.exchange.draft import Entry, ToolDraft
from harness_dsl.exchange.found import Lose, ToolSource, Unreadable, pointer
from harness_dsl.exchange.names import Names, identifier, words
from harness_dsl.exchange.prose import without_surrogates
from harness_dsl.exchange.schema_merge import merged, resolved
from harness_dsl.exchange.schema_reader import SchemaReader
from harness_dsl.exchange.schema_words import BELONGS, SILENT, type_names
from harness_dsl.ir.types import AnyType, Type

_NOT_WHOLE = frozenset(
    {"anyOf", "oneOf", "enum", "const", "patternProperties", "default", "nullable", "optional", "format",
     "name"}
)  # fmt: skip
"""Keywords that say nothing that parameters could do together."""
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint")


class ToolReader:
    """Reads tools into one file: identifiers and names of types are unique across all of them."""

    def __init__(self, server: str = "") -> None:
        self.types = Names()
        self._tools = Names(tools=True)
        self._server = server

    def read(self, source: ToolSource, lose: Lose) -> ToolDraft:
        """The draft of `source`. Raises `Unreadable`."""
        name = source.name
        if not isinstance(name, str) or not name.strip():
            raise Unreadable("it has no name")
        described = source.description
        if described is None or not str(described).strip():
            described = source.title or words(name)
            by = "its title" if source.title else "its name"
            lose(source.at, f"what the tool does, which the source does not say: {by} stands for it")
        elif not isinstance(described, str):
            raise Unreadable("its description is no text")
        likely = identifier(name)
        params, reader = self._params(source, likely, lose)
        returns = self._returns(source, likely, reader, lose)
        own = self._tools.identifier(name)
        shown = self._tools.shown(name, own)
        if shown != name:
            lose(source.at, f"the name {json.dumps(name, ensure_ascii=False)}: it is shown as `{shown}`")
        description = without_surrogates(described)
        if description != described:
            lose(f"{source.at}/description", "half a surrogate pair")
        draft = ToolDraft(own, shown, description, params, returns, reader.types)
        self._conduct(draft, source, lose)
        if self._server:
            draft.server, draft.server_tool = self._server, name
        return draft

    def _params(self, source: ToolSource, owner: str, lose: Lose) -> tuple[list[Entry], SchemaReader]:
        schema, at = source.parameters, source.parameters_at
        if schema is None:
            schema = {}
        if not isinstance(schema, dict):
            raise Unreadable("its parameters are no object schema")
        reader = SchemaReader(schema, at, owner, self.types, lose)
        schema, at = _followed(schema, at, lose)
        names, _ = type_names(schema)
        if names not in ([], ["object"], ["any"]):
            raise Unreadable(f"its parameters are of type {json.dumps(schema.get('type'))} and no object")
        for keyword in schema:
            belongs = BELONGS.get(keyword, "object") == "object" and keyword in SILENT
            if not belongs or keyword in _NOT_WHOLE:
                lose(at + pointer(keyword), f"`{keyword}` of the parameters as a whole")
        if schema.get("description") or schema.get("desc"):
            lose(f"{at}/description", "a description of the parameters as a whole")
        if schema.get("additionalProperties") not in (None, False):
            lose(f"{at}/additionalProperties", "further parameters beside the declared ones")
        return reader.entries(schema, at, (owner,), defaults=True), reader

    def _returns(self, source: ToolSource, owner: str, reader: SchemaReader, lose: Lose) -> Type:
        if source.returns in (None, {}):
            return AnyType()
        results = SchemaReader(source.returns, source.returns_at, owner, self.types, lose)
        try:
            type_ = results.type(source.returns, source.returns_at, (owner, "result"))
        except Unreadable as problem:
            lose(source.returns_at, f"the result: {problem}")
            return AnyType()
        reader.types += results.types
        return type_

    def _conduct(self, draft: ToolDraft, source: ToolSource, lose: Lose) -> None:
        """Effects from MCP's hints, with the defaults of its specification."""
        hints = source.annotations
        if hints is None:
            return
        said = {key: hints.get(key) for key in _HINTS}
        for key, value in said.items():
            if value is not None and not isinstance(value, bool):
                lose(f"{source.at}/annotations/{key}", "a hint that is neither true nor false")
        for key in hints:
            said_so = key == "title" and source.title and hints[key] == source.title
            if key not in _HINTS and not said_so:
                lose(source.at + pointer("annotations", key), f"`{key}`")
        if said["readOnlyHint"] is True:
            draft.effect = "read"
        else:
            draft.effect = "irreversible" if said["destructiveHint"] is True else "write"
        draft.idempotent = said["idempotentHint"] is True


class _Placed(NamedTuple):
    """A schema and the pointer where it stands."""

    schema: dict[str, Any]
    at: str


def _followed(root: dict[str, Any], at: str, lose: Lose) -> _Placed:
    """The parameters themselves, where the schema `root`, which stands at `at`, only refers to them."""
    schema, place = merged(root, at, lose, root), at
    seen: set[str] = set()
    while "$ref" in schema and isinstance(schema["$ref"], str) and schema["$ref"] not in seen:
        reference = schema["$ref"]
        seen.add(reference)
        target = resolved(root, reference)
        if not isinstance(target, dict):
            raise Unreadable(f"its parameters refer to `{reference}`, which is not there")
        for keyword in sorted(schema.keys() - {"$ref", "$defs", "definitions", "$schema", "$id"}):
            if schema[keyword] != target.get(keyword):
                lose(place + pointer(keyword), f"`{keyword}` beside a `$ref`")
        place = at + reference[1:]
        schema = merged(target, place, lose, root)
    if "$ref" in schema:
        raise Unreadable("its parameters refer to themselves")
    return _Placed(schema, place)
