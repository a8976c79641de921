"""A tool as a TypeScript declaration with JSDoc; its arguments are one object, as in a call.

/** What something costs now. */
declare function get_quote(args: {
  link: number /* integer */;
  /** How many.
   * @default 1 */
  quantity?: number /* integer */;
});
"""

from collections.abc import Iterator

from harness_dsl.protocol.catalog_entry import ParamEntry, ToolEntry
from harness_dsl.protocol.source_map import Piece, Rendered, Writer

OPENING = "args: {"
CLOSING = "\n});"
WITHOUT_ARGUMENTS = ");"


def write_typescript(writer: Writer, entry: ToolEntry) -> None:
    """Append one entry, without a final line feed."""
    write_typescript_head(writer, entry)
    if not entry.params:
        writer.fixed(WITHOUT_ARGUMENTS)
        return
    writer.fixed(OPENING)
    for param in entry.params:
        write_typescript_param(writer, param)
    writer.fixed(CLOSING)


def write_typescript_head(writer: Writer, entry: ToolEntry) -> None:
    """Append what stands before the arguments."""
    if entry.description.text:
        writer.fixed("/** ")
        _in_comment(writer, entry.description, "\n * ")
        writer.fixed(" */\n")
    writer.fixed("declare function ")
    writer.add(entry.name, entry.id, "symbol")
    writer.fixed("(")


def write_typescript_param(writer: Writer, param: ParamEntry) -> None:
    """Append the lines of a parameter, and the line feed before them."""
    writer.fixed("\n  ")
    if param.description.text or param.has_default:
        writer.fixed("/** ")
        _in_comment(writer, param.description, "\n   * ")
        if param.has_default:
            writer.fixed("\n   * @default " if param.description.text else "@default ")
            default = Writer()
            default.json(param.default)
            _in_comment(writer, default.rendered(), "\n   * ")
        writer.fixed(" */\n  ")
    writer.add(param.name, param.id, "symbol")
    writer.fixed(": " if param.required and not param.has_default else "?: ")
    writer.extend(param.type)
    writer.fixed(";")


def _in_comment(writer: Writer, text: Rendered, line_feed: str) -> None:
    """Lines go on as lines of the comment, and nothing in `text` ends it."""
    before = ""
    for piece, source, kind in _pieces(text):
        if before.endswith("*") and piece.startswith("/"):
            writer.fixed("\\")
        for index, line in enumerate(piece.split("\n")):
            writer.fixed(line_feed if index else "")
            writer.add(line.replace("*/", "*\\/"), source, kind)
        before = piece


def _pieces(text: Rendered) -> Iterator[Piece]:
    for span in text.spans:
        yield text.text[span.start : span.end], span.source, span.kind
