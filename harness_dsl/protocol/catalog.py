"""The tool catalogue in each of its forms. A distractor is written exactly like a tool."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import ToolDocs
from harness_dsl.protocol.source_map import Rendered, Sourced, SourcedProse, Writer


@dataclass(frozen=True, slots=True)
class ParamEntry:
    """One parameter of a catalogue entry; `default` is a shown JSON value where `has_default`."""

    id: SemanticId
    name: str
    required: bool
    has_default: bool
    default: Any
    type: Rendered
    description: Rendered


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool, a built-in or a distractor as the catalogue sees it. `schema` is a thunk: one form needs it."""

    id: SemanticId
    name: str
    description: Rendered
    params: tuple[ParamEntry, ...]
    schema: Callable[[], dict[str, Any]]


def write_catalog(writer: Writer, entries: list[ToolEntry], form: ToolDocs) -> None:
    """Append all entries, without a final line feed."""
    if form == "json_schema":
        writer.fixed("<tools>\n")
    for index, entry in enumerate(entries):
        writer.fixed("\n" if index else "")
        {"json_schema": _json_line, "python": _python, "markdown": _markdown}[form](writer, entry)
    if form == "json_schema":
        writer.fixed("\n</tools>")


def _json_line(writer: Writer, entry: ToolEntry) -> None:
    """One line of JSON, an OpenAI function under the key `function`, as Hermes and Qwen write it."""
    function = {
        "name": Sourced(entry.name, entry.id, "symbol"),
        "description": SourcedProse(entry.description),
        "parameters": entry.schema(),
    }
    writer.json({"type": "function", "function": function})


def _python(writer: Writer, entry: ToolEntry) -> None:
    """Description first: looking forward from a meaning to a name is what small models learn."""
    _comment(writer, "# ", entry.description)
    for param in entry.params:
        if param.description.text:
            writer.fixed("# ")
            writer.add(param.name, param.id, "symbol")
            _comment(writer, ": ", param.description)
    writer.add(entry.name, entry.id, "symbol")
    writer.fixed("(")
    for index, param in enumerate(entry.params):
        writer.fixed(", " if index else "")
        writer.add(param.name, param.id, "symbol")
        writer.fixed(": " if param.required or param.has_default else "?: ")
        writer.extend(param.type)
        if param.has_default:
            writer.fixed(" = ")
            writer.json(param.default)
    writer.fixed(")")


def _comment(writer: Writer, before: str, text: Rendered) -> None:
    """One line: further lines of `text` become comment lines of their own."""
    if not text.text:
        return
    writer.fixed(before)
    for span in text.spans:
        for index, line in enumerate(text.text[span.start : span.end].split("\n")):
            writer.fixed("\n# " if index else "")
            writer.add(line, span.source, span.kind)
    writer.fixed("\n")


def _markdown(writer: Writer, entry: ToolEntry) -> None:
    writer.fixed("- `")
    writer.add(entry.name, entry.id, "symbol")
    writer.fixed("`: ")
    writer.extend(entry.description)
    for param in entry.params:
        writer.fixed("\n  - `")
        writer.add(param.name, param.id, "symbol")
        writer.fixed("` (")
        writer.extend(param.type)
        if param.has_default:
            writer.fixed(", default ")
            writer.json(param.default)
        elif not param.required:
            writer.fixed(", optional")
        writer.fixed(")")
        if param.description.text:
            writer.fixed(": ")
            writer.extend(param.description)
