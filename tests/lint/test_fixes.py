"""Fixes of rules, one by one."""

from harness_dsl.diagnostics.suggest import close_names
from harness_dsl.lint.examples import whole
from tests.language.helpers import check, codes


def test_a_fix_removes_its_finding() -> None:
    bad = whole(
        'tool get_quote(link_id: int) -> any { """Quote it.""" }\n'
        'prompt system { section a """Call get_quote, never `get_quote`.""" }'
    )
    text = bad
    while fixable := [found for found in check(text) if found.fix is not None]:
        fix = fixable[-1].fix
        assert fix is not None
        text = text[: fix.span.start] + fix.text + text[fix.span.end :]
    assert text.count("{{ tool.get_quote }}") == 2
    assert codes(check(text)) == []


def test_a_much_shorter_word_is_no_misspelling() -> None:
    assert close_names("Patient", ["int", "Slot"]) == []
    assert close_names("readonly", ["read", "write"]) == ["read"]
    assert close_names("reply_char", ["reply_chars", "turns"]) == ["reply_chars"]
    assert close_names("get_qoute", ["get_quote", "describe"]) == ["get_quote"]


def test_a_bare_word_in_a_condition_may_have_been_meant_as_text() -> None:
    body = 'test "t" { user "u"  expect reply contains Monday }'
    (found,) = [one for one in check(whole(body)) if one.code == "HD202"]
    assert found.help == 'Declare an input of that name, or quote it: "Monday".'
