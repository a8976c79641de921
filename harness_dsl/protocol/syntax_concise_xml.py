"""The call syntax concise XML: parameters as elements, with the kind of each value.

    <functions>
    <function name="get_quote">
    <param name="link_id" type="integer">3</param>
    </function>
    </functions>

It is the return format `concise_xml` of BFCL's test of format sensitivity, with its tag.
"""

from collections.abc import Sequence
from typing import ClassVar

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.protocol.xml_calls import XmlCalls, opening
from harness_dsl.protocol.xml_tags import Tags, attribute
from harness_dsl.protocol.xml_text import xml_text


class ConciseXmlCalls(XmlCalls):
    """A value stands between the tags of its parameter."""

    name: ClassVar[CallSyntax] = "concise_xml"
    example: ClassVar[str] = (
        '<functions>\n<function name="function-name">\n'
        '<param name="parameter-name" type="type">value</param>\n</function>\n</functions>'
    )

    def params(self, entries: Sequence[str]) -> list[str]:
        return list(entries)

    def param(self, name: str, kind: str, text: str) -> str:
        return f"{opening('param', name=name, type=kind)}>{xml_text(text)}</param>"

    def read_params(self, tags: Tags) -> list[tuple[str, str | None, str]]:
        found: list[tuple[str, str | None, str]] = []
        while not tags.peek().end:
            begun = tags.open("param")
            text = "" if begun.empty else tags.text("param")
            found.append((attribute(begun, "name"), begun.attributes.get("type"), text))
        return found
