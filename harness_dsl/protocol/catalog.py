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
        write_entry(writer, entry, form)
    if form == "json_schema":
        writer.fixed("\n</tools>")


def write_entry(writer: Writer, entry: ToolEntry, form: ToolDocs) -> None:
    """Append one entry, without a final line feed."""
    {"json_schema": _json_line, "python": _python, "markdown": _markdown}[form](writer, entry)


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
    write_comment(writer, "# ", entry.description)
    for param in entry.params:
        write_python_comment(writer, param)
    writer.add(entry.name, entry.id, "symbol")
    writer.fixed("(")
    for index, param in enumerate(entry.params):
        writer.fixed(", " if index else "")
        write_python_param(writer, param)
    writer.fixed(")")


def write_python_comment(writer: Writer, param: ParamEntry) -> None:
    """Append the comment line on a parameter, if it has a description."""
    if param.description.text:
        writer.fixed("# ")
        writer.add(param.name, param.id, "symbol")
        write_comment(writer, ": ", param.description)


def write_python_param(writer: Writer, param: ParamEntry) -> None:
    """Append a parameter as it stands between the brackets."""
    writer.add(param.name, param.id, "symbol")
    writer.fixed(": " if param.required or param.has_default else "?: ")
    writer.extend(param.type)
    if param.has_default:
        writer.fixed(" = ")
        writer.json(param.default)


def write_comment(writer: Writer, before: str, text: Rendered) -> None:
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
        write_markdown_param(writer, param)


def write_markdown_param(writer: Writer, param: ParamEntry) -> None:
    """Append the line of a parameter, and the line feed before it."""
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
