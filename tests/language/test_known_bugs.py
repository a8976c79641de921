"""Faults that users of other systems reported, by number: impossible here, or a clear diagnostic."""

import pytest

from harness_dsl.ir.core import ProseContent
from harness_dsl.ir.texts import If, Interpolation, Literally, Template
from harness_dsl.syntax.compile import Compiled, compile_file, compile_text
from harness_dsl.syntax.format import format_text
from tests.language.helpers import at_fault, check, check_body, codes

SMALL = '''harness x "1.0.0"

input room: string

prompt system {
  section p """BODY"""
}
'''


def prose(body: str, quote: str = '"""') -> Template:
    compiled = compile_text(SMALL.replace('"""BODY"""', f"{quote}{body}{quote}"))
    assert compiled.core is not None, compiled.diagnostics
    content = compiled.core.prompt.sections[0].content
    assert isinstance(content, ProseContent)
    return content.text.canonical


def words(body: str, quote: str = '"""') -> str:
    (part,) = prose(body, quote)
    assert isinstance(part, Literally)
    return part.text


def same(one: Compiled, other: Compiled) -> bool:
    return (one.core, one.surface, one.source_digest) == (other.core, other.surface, other.source_digest)


def test_bug_1_a_byte_order_mark_changes_nothing(shop_text: str) -> None:
    small = SMALL.encode()
    assert same(compile_text(b"\xef\xbb\xbf" + small), compile_text(small))
    assert compile_text(b"\xef\xbb\xbf" + small).core is not None


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_bug_2_line_ends_change_no_digest(end: str) -> None:
    text = SMALL.replace("BODY", "one\n  two\n")
    assert same(compile_text(text.replace("\n", end)), compile_text(text))


@pytest.mark.parametrize("line", ["---", "----", "a --- b", "--- end", "key: value", "```"])
def test_bug_3_no_line_of_a_text_is_a_fence(line: str) -> None:
    assert words(f"before\n{line}\nafter") == f"before\n{line}\nafter"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "gb18030"])
def test_bug_4_another_encoding_is_one_clear_message(encoding: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "x.harness"
    path.write_bytes(SMALL.replace("BODY", "café" if encoding == "latin-1" else "你好").encode(encoding))
    found = compile_file(path).diagnostics
    assert [d.code for d in found] == ["HD111"]
    assert "UTF-8" in found[0].help


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a\n\n\n\nb", "a\n\n\n\nb"),
        ("\n    a\n      b\n\n    c\n    ", "a\n  b\n\nc"),
        ("\n\ta\n\t\tb\n\t", "a\n\tb"),
        ("  a  ", "  a  "),
        ("a  \n  b", "a  \nb"),
        ("\n      a\n    b\n  ", "    a\n  b"),
    ],
)
def test_bug_5_white_space_inside_text_is_kept(written: str, meant: str) -> None:
    assert words(written) == meant
    formatted, _ = format_text(SMALL.replace("BODY", written), "x")
    assert formatted is not None and f'"""{written}"""' in formatted


def test_bug_6_formatting_ends_and_comments_stay(shop_text: str) -> None:
    text = SMALL.replace("input", "# about the room\ninput").replace("prompt", "# about the prompt\nprompt")
    once, _ = format_text(text, "x")
    assert once is not None and format_text(once, "x")[0] == once
    assert "# about the room\ninput room" in once and "# about the prompt\nprompt system" in once


def test_bug_7_identifiers_are_unicode_and_lookalikes_are_reported() -> None:
    good = (
        'type 报价 { 金额: decimal }\ninput 房间: 报价\nprompt system { section 人设 """{{ 房间.金额 }}""" }'
    )
    assert codes(check_body(good)) == []
    bad = 'input room: string\ninput rооm: string\nprompt system { section p """{{ room }}{{ rооm }}""" }'
    assert codes(check_body(bad)) == ["HD207"]


def test_bug_7_identifiers_are_normalised() -> None:
    assert codes(check_body('input café: string\nprompt system { section p """{{ cafe\u0301 }}""" }')) == []


@pytest.mark.parametrize(
    "body", ['{"a": {"b": 1}}', "{ }", "}} {", "{a}", "function() { return {}; }", "{# note #}"]
)
def test_bug_14_single_braces_are_ordinary(body: str) -> None:
    assert words(body) == body


@pytest.mark.parametrize("mark", ["{{", "{%"])
def test_bug_14_a_literal_tag_has_an_escape(mark: str) -> None:
    assert words(f'a {{{{ "{mark}" }}}} b') == f"a {mark} b"


def test_bug_14_forgetting_the_escape_is_an_error_at_the_braces() -> None:
    text = SMALL.replace("BODY", 'reply with {{"price": 1}}')
    (found,) = [d for d in check(text) if d.severity == "error"]
    assert found.code == "HD402"
    assert '{{ "{{" }}' in found.help


@pytest.mark.parametrize("body", ["a < b & c", "<tool>&amp;</tool>", "<|im_start|>system", "</tool_call>"])
def test_bug_15_markup_in_text_is_text(body: str) -> None:
    assert words(body) == body


def test_bug_16_a_viewer_never_becomes_the_system() -> None:
    for body in (
        "{{ danmaku }}",
        "{{ danmaku | upper }}",
        "{% for d in all %}{{ d }}{% endfor %}",
        "{% if true == true %}{{ danmaku }}{% endif %}",
    ):
        text = SMALL.replace("BODY", body).replace(
            "input room: string", "input danmaku: string untrusted\ninput all: string[] untrusted"
        )
        assert codes(check(text)) == ["HD601"], body
        assert compile_text(text).core is None


def test_bug_17_a_missing_variable_is_an_error_never_empty_text() -> None:
    found = check(SMALL.replace("BODY", "{{ rom }}"))
    assert codes(found) == ["HD403"]
    assert [d.help for d in found if d.code == "HD403"] == ["Did you mean `room`?"]


def test_bug_17_a_null_is_an_error_until_its_text_is_said() -> None:
    optional = SMALL.replace("input room: string", "input room: string?")
    assert codes(check(optional.replace("BODY", "{{ room }}"))) == ["HD408"]
    assert codes(check(optional.replace("BODY", '{{ room | default("-") }}'))) == []
    assert codes(check(optional.replace("BODY", "{% if room != null %}{{ room }}{% endif %}"))) == []


def test_bug_20_the_span_is_the_word_in_the_middle_of_a_block() -> None:
    text = SMALL.replace("BODY", "\n    line one\n    line {{ rom }} two\n    ")
    (found,) = [d for d in check(text) if d.code == "HD403"]
    assert at_fault(text, found) == "rom"


def test_bug_20_the_span_is_right_behind_escapes() -> None:
    text = SMALL.replace('"""BODY"""', r'"a\n\u4f60\" {{ rom }}"')
    (found,) = [d for d in check(text) if d.code == "HD403"]
    assert at_fault(text, found) == "rom"


@pytest.mark.parametrize("body", ['type A { a: "x }', 'tool t(a: string = "x) -> any { """T.""" }'])
def test_bug_21_an_unterminated_string_is_called_that(body: str) -> None:
    found = check_body(body)
    assert found[0].code == "HD102"


def test_bug_21_an_unterminated_block_is_called_that() -> None:
    found = check('harness x "1.0.0"\n\nprompt system {\n  section p """never closed\n}\n')
    assert next(d.code for d in found if d.severity == "error") == "HD104"


def test_bug_24_at_most_three_close_names_are_suggested() -> None:
    tools = "\n".join(f'tool get_quote_{n}(x: int) -> any {{ """T.""" }}' for n in range(30))
    found = check_body(tools + '\nreply skill s { when """W.""" uses get_quote_ }')
    (unknown,) = [d for d in found if d.code == "HD202"]
    assert unknown.help.count("`") == 6
    (nothing,) = [
        d for d in check_body(tools + '\nreply skill s { when """W.""" uses zzz }') if d.code == "HD202"
    ]
    assert "`" not in nothing.help


def test_a_branch_and_a_loop_are_parts_of_their_own() -> None:
    parts = prose('a{% if room == \\"x\\" %}b{% else %}{{ room }}{% endif %}', '"')
    assert isinstance(parts[1], If) and isinstance(parts[1].otherwise[0], Interpolation)
