"""Fixes of rules, one by one."""

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
