"""Files of other kinds that are given to a command by mistake."""

import json
import re

from harness_dsl.diagnostics import Diagnostic, Span

_FRONT = re.compile(r"---\n(?:[^\n]*\n)*?---(?:\n|\Z)")


def foreign(text: str, path: str) -> Diagnostic | None:
    """What the file at `path` is, if all of it reads as something else than a harness."""
    if text.startswith("---\n"):
        if not _FRONT.match(text) or not path.lower().endswith((".md", ".markdown")):
            return None
        advice = "Make a harness of its folder: `harnessc import skills FOLDER -o FILE`."
        return _said("this is an Agent Skill, not a harness", advice, path)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, dict) and "core" in data and "surface" in data:
        advice = (
            "Check the `.harness` file it was made from; `harnessc render` shows what a model sees of it."
        )
        return _said("this is a compiled harness, not its source", advice, path)
    if is_openapi(data):
        advice = "No tools are made of such a document: give a list of tools to `harnessc import`."
        return _said("this is an OpenAPI document, not a harness", advice, path)
    advice = "If it lists tools, make a harness of it: `harnessc import --help`."
    return _said("this is JSON, not a harness", advice, path)


def is_openapi(data: object) -> bool:
    """Whether JSON data is a description of an HTTP interface: OpenAPI, or Swagger as it was called."""
    if not isinstance(data, dict) or not data.keys() & {"paths", "webhooks", "components"}:
        return False
    return any(isinstance(data.get(key), str) for key in ("openapi", "swagger"))


def _said(message: str, advice: str, path: str) -> Diagnostic:
    return Diagnostic("HD120", message, Span(path, 0, 0), advice)
