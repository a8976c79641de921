"""What a model turn may be under one Surface, as a structural tag of xgrammar: thinking, calls of the tools
that are shown, with arguments of their types and in the order of the Surface, and a reply.

It is optional: it would hide that a model says stale names. A text argument may still hold a marker's token;
then the call is malformed, as it is without a grammar.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM
from harness_dsl.protocol.json_schema import JsonSchemas
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN, MARKERS, THINK_CLOSE, THINK_OPEN
from harness_dsl.protocol.source_map import Rendered
from harness_dsl.protocol.tokenizer import Tokenizer
from harness_dsl.protocol.view import View

Schema = dict[str, Any]

ARGUMENTS = {"hermes_json": "arguments", "llama_json": "parameters"}
"""The call syntaxes that are JSON as it stands, and the key of the arguments in each."""

# Not every regular expression of a pattern can be compiled, and a format is checked by the loop.
LEFT_OUT = ("description", "default", "pattern", "format")
MOST_SPACE = 8


def turn_grammar(view: View, tokenizer: Tokenizer, framing: Sequence[str]) -> str:
    """The structural tag as JSON. `framing` are the role markers, which no output may have.

    Raises `ValueError` for a call syntax that is not JSON, and for a tokenizer that spells the markers of
    calls.
    """
    syntax = view.surface.call_syntax
    if syntax not in ARGUMENTS:
        raise ValueError(f"there is no grammar for calls in {syntax}, only for {' and '.join(ARGUMENTS)}")
    added = tokenizer.added_tokens
    missing = next((marker for marker in (CALL_OPEN, CALL_CLOSE) if marker not in added), None)
    if missing is not None:
        raise ValueError(f"a grammar needs a tokenizer that has `{missing}` as a token")
    barred = [added[marker] for marker in (*MARKERS, *framing) if marker in added]
    tags = [_tag(added[CALL_OPEN], _one_of(list(_calls(view, ARGUMENTS[syntax]))), added[CALL_CLOSE])]
    if THINK_OPEN in added and THINK_CLOSE in added:
        thought = {"type": "any_tokens", "exclude_tokens": barred}
        tags.append(_tag(added[THINK_OPEN], thought, added[THINK_CLOSE]))
    begins = [tag["begin"]["token"] for tag in tags]
    turn = {
        "type": "token_triggered_tags",
        "trigger_tokens": begins,
        "tags": tags,
        "exclude_tokens": [id_ for id_ in barred if id_ not in begins],
    }
    return json.dumps({"type": "structural_tag", "format": turn}, ensure_ascii=False)


def _tag(begin: int, content: Schema, end: int) -> Schema:
    return {
        "type": "tag",
        "begin": {"type": "token", "token": begin},
        "content": content,
        "end": {"type": "token", "token": end},
    }


def _one_of(calls: Sequence[Schema]) -> Schema:
    space = {"type": "regex", "pattern": r"[ \n]{0,2}"}
    either = {"type": "or", "elements": list(calls)} if len(calls) != 1 else calls[0]
    return {"type": "sequence", "elements": [space, either, space]}


def _calls(view: View, key: str) -> Iterator[Schema]:
    """The schema of each call that a reader of this Surface takes for one of a shown name."""
    schemas = JsonSchemas(view.core, view.surface, view.naming, view.values, lambda _: Rendered("", ()))
    hidden = set(view.surface.hidden)
    for tool in view.core.tools:
        if tool.id not in hidden:
            yield _call(view.naming.name(tool.id), key, schemas.parameters(tool))
    for distractor in view.surface.distractors:
        yield _call(distractor.name, key, {"type": "object"})
    skills = [view.naming.name(skill.id) for skill in view.core.skills if skill.id not in hidden]
    if skills and LOAD_SKILL not in hidden:
        name = view.naming.name(LOAD_SKILL_PARAM)
        of_skill = {"type": "object", "properties": {name: {"enum": skills}}, "required": [name]}
        yield _call(view.naming.name(LOAD_SKILL), key, of_skill)


def _call(name: str, key: str, arguments: Schema) -> Schema:
    kept = _plain(arguments)
    definitions = kept.pop("$defs", None)
    schema: Schema = {
        "type": "object",
        "properties": {"name": {"const": str(name)}, key: kept},
        "required": ["name", key],
    }
    if definitions is not None:
        schema["$defs"] = definitions
    return {"type": "json_schema", "json_schema": schema, "max_whitespace_cnt": MOST_SPACE}


def _plain(schema: Any, *, names: bool = False) -> Any:
    """`schema` without what a grammar does not say. `names`: its keys are names of properties."""
    if isinstance(schema, Mapping):
        return {
            str(key): _plain(value, names=not names and key in ("properties", "$defs"))
            for key, value in schema.items()
            if names or key not in LEFT_OUT
        }
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    return str(schema) if isinstance(schema, str) else schema
