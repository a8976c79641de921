"""The call syntax fenced JSON: a list of objects with `function` and `parameters` in a Markdown fence.

    ```json
    [{"function": "get_quote", "parameters": {"link_id": 3}}]
    ```

It is the return format `json` of BFCL's test of format sensitivity, with its tag.
"""

from collections.abc import Sequence
from typing import ClassVar

from harness_dsl.ir.surface import CallSyntax
from harness_dsl.ir.transcript import ForeignCall
from harness_dsl.protocol.calls import AnyCall, BadCall, Calls, Written
from harness_dsl.protocol.json_text import dump, load_list, load_object
from harness_dsl.protocol.markers import escaped
from harness_dsl.protocol.written_json import named_call

_OPEN, _CLOSE = "```json", "```"


class FencedCalls(Calls):
    """All calls that stand side by side are one list."""

    name: ClassVar[CallSyntax] = "fenced_json"
    together: ClassVar[bool] = True
    example: ClassVar[str] = (
        f'{_OPEN}\n[{{"function": <function-name>, "parameters": <parameters-json-object>}}, ...]\n{_CLOSE}'
    )

    def print(self, event: AnyCall) -> str:
        """The object of one call. A marker's text in an argument is escaped as JSON."""
        name, arguments = self.function(event)
        if not isinstance(event, ForeignCall):
            arguments = escaped(arguments)
        return f'{{"function": {escaped(dump(name))}, "parameters": {arguments}}}'

    def together_as(self, printed: Sequence[str]) -> str:
        return f"{_OPEN}\n[{', '.join(printed)}]\n{_CLOSE}"

    def written(self, body: str) -> list[Written]:
        text = body.strip()
        inner = text.removeprefix(_OPEN).removesuffix(_CLOSE)
        if len(inner) != len(text) - len(_OPEN) - len(_CLOSE) or not inner[:1].isspace():
            raise BadCall(f"the call stands in no fence `{_OPEN}`")
        entries = load_list(inner.strip())
        if not entries:
            raise BadCall("there is no call in the list")
        return [named_call(load_object(entry.text), "function", "parameters") for entry in entries]
