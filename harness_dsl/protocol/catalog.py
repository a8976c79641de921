"""The tool catalogue in each of its forms. A distractor is written exactly like a tool."""

from typing import assert_never

from harness_dsl.ir.surface import ToolDocs
from harness_dsl.protocol.catalog_entry import ParamEntry, ToolEntry
from harness_dsl.protocol.catalog_typescript import write_typescript
from harness_dsl.protocol.catalog_xml import write_xml
from harness_dsl.protocol.source_map import Rendered, Sourced, SourcedProse, Writer

FRAMED: frozenset[ToolDocs] = frozenset({"json_schema", "xml"})
"""Forms whose entries stand between `<tools>` and `</tools>`."""


def write_catalog(writer: Writer, entries: list[ToolEntry], form: ToolDocs) -> None:
    """Append all entries, without a final line feed."""
    if form in FRAMED:
        writer.fixed("<tools>\n")
    for index, entry in enumerate(entries):
        writer.fixed("\n" if index else "")
        write_entry(writer, entry, form)
    if form in FRAMED:
        writer.fixed("\n</tools>")


def write_entry(writer: Writer, entry: ToolEntry, form: ToolDocs) -> None:
    """Append one entry, without a final line feed."""
    match form:
        case "json_schema":
            _json_line(writer, entry)
        case "python":
            _python(writer, entry)
        case "markdown":
            _markdown(writer, entry)
        case "typescript":
            write_typescript(writer, entry)
        case "xml":
            write_xml(writer, entry)
        case _:
            assert_never(form)


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
