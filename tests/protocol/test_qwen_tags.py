"""A text with tags of Qwen calls is not written bare: servers look for tags before they look at values."""

import pytest

from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call
from harness_dsl.protocol.turns import print_turn, read_text
from harness_dsl.protocol.view import View
from tests.protocol.every_type import taking


@pytest.mark.parametrize("tag", ["<function=take>", "</function>", "<parameter=text>", "</parameter>"])
def test_a_tag_in_a_value_is_written_otherwise(tag: str) -> None:
    view = View(taking(), Surface(call_syntax="qwen_xml"))
    call = Call(tool="tool/take", arguments={"text": f"a {tag} b"})
    plain = print_turn((Call(tool="tool/take", arguments={"text": "a b"}),), view.calls, view.mentions).text
    text = print_turn((call,), view.calls, view.mentions).text
    assert text.count(tag) == plain.count(tag)
    assert tuple(read_text(text, view.calls, view.mentions)) == (call,)
