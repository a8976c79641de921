"""The call syntax Llama JSON: one JSON object with `name` and `parameters`.

{"name": "get_quote", "parameters": {"link_id": 3}}
"""

from typing import ClassVar

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.ir.transcript import ForeignCall
from harness_dsl.protocol.calls import AnyCall, Calls, Written
from harness_dsl.protocol.json_text import dump, load_object
from harness_dsl.protocol.markers import escaped
from harness_dsl.protocol.written_json import named_call


class LlamaCalls(Calls):
    """Llama 3.1 and later, for the tools that a user defines."""

    name: ClassVar[CallSyntax] = "llama_json"
    example: ClassVar[str] = '{"name": <function-name>, "parameters": <parameters-json-object>}'

    def print(self, event: AnyCall) -> str:
        """The object on one line. A marker's text in an argument is escaped as JSON."""
        name, arguments = self.function(event)
        if not isinstance(event, ForeignCall):
            arguments = escaped(arguments)
        return f'{{"name": {escaped(dump(name))}, "parameters": {arguments}}}'

    def written(self, body: str) -> list[Written]:
        return [named_call(load_object(body.strip()), "name", "parameters")]
