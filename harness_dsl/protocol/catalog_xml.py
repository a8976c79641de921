"""A tool as an XML element. `&`, `<` and `>` of texts and names are escaped, so that it is well-formed.

<tool>
  <name>get_quote</name>
  <description>What something costs now.</description>
  <parameter>
    <name>quantity</name>
    <type>int</type>
    <default>1</default>
  </parameter>
</tool>
"""

from harness_dsl.protocol.catalog_entry import ParamEntry, ToolEntry
from harness_dsl.protocol.source_map import Rendered, Writer

CLOSING = "\n</tool>"

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def write_xml(writer: Writer, entry: ToolEntry) -> None:
    """Append one entry, without a final line feed."""
    write_xml_head(writer, entry)
    for param in entry.params:
        write_xml_param(writer, param)
    writer.fixed(CLOSING)


def write_xml_head(writer: Writer, entry: ToolEntry) -> None:
    """Append what stands before the parameters."""
    writer.fixed("<tool>\n  <name>")
    writer.add(entry.name.translate(_ESCAPES), entry.id, "symbol")
    writer.fixed("</name>")
    if entry.description.text:
        writer.fixed("\n  <description>")
        _escaped(writer, entry.description)
        writer.fixed("</description>")


def write_xml_param(writer: Writer, param: ParamEntry) -> None:
    """Append the lines of a parameter, and the line feed before them."""
    is_optional = not param.required and not param.has_default
    writer.fixed('\n  <parameter optional="true">' if is_optional else "\n  <parameter>")
    writer.fixed("\n    <name>")
    writer.add(param.name.translate(_ESCAPES), param.id, "symbol")
    writer.fixed("</name>\n    <type>")
    _escaped(writer, param.type)
    writer.fixed("</type>")
    if param.has_default:
        default = Writer()
        default.json(param.default)
        writer.fixed("\n    <default>")
        _escaped(writer, default.rendered())
        writer.fixed("</default>")
    if param.description.text:
        writer.fixed("\n    <description>")
        _escaped(writer, param.description)
        writer.fixed("</description>")
    writer.fixed("\n  </parameter>")


def _escaped(writer: Writer, text: Rendered) -> None:
    for span in text.spans:
        writer.add(text.text[span.start : span.end].translate(_ESCAPES), span.source, span.kind)
