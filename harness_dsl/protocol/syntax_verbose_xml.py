"""The call syntax verbose XML: parameters as empty elements, with the kind of each value.

    <functions>
    <function name="get_quote">
    <params>
    <param name="link_id" value="3" type="integer"/>
    </params>
    </function>
    </functions>

It is the return format `verbose_xml` of BFCL's test of format sensitivity, with its tag.
"""

from collections.abc import Sequence
from typing import ClassVar

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.protocol.calls import BadCall
from harness_dsl.protocol.xml_calls import XmlCalls, opening
from harness_dsl.protocol.xml_tags import Tags, attribute


class VerboseXmlCalls(XmlCalls):
    """A value stands in an attribute of its parameter."""

    name: ClassVar[CallSyntax] = "verbose_xml"
    example: ClassVar[str] = (
        '<functions>\n<function name="function-name">\n<params>\n'
        '<param name="parameter-name" value="value" type="type"/>\n</params>\n</function>\n</functions>'
    )

    def params(self, entries: Sequence[str]) -> list[str]:
        return ["<params>", *entries, "</params>"]

    def param(self, name: str, kind: str, text: str) -> str:
        return f"{opening('param', name=name, value=text, type=kind)}/>"

    def read_params(self, tags: Tags) -> list[tuple[str, str | None, str]]:
        found: list[tuple[str, str | None, str]] = []
        if tags.open("params").empty:
            return found
        while not tags.peek().end:
            param = tags.open("param")
            if not param.empty:
                raise BadCall("`<param>` is not closed by `/>`")
            found.append((attribute(param, "name"), param.attributes.get("type"), attribute(param, "value")))
        tags.close("params")
        return found
