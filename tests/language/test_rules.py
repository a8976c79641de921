"""Each rule finds its bad example and is silent on its good one."""

import pytest

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.rule import Rule, example
from harness_dsl.lint.rules import RULES
from tests.language.helpers import check


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_bad_example_is_found(rule: Rule) -> None:
    assert rule.code in [found.code for found in check(example(rule.bad))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_good_example_is_clean(rule: Rule) -> None:
    found = check(example(rule.good))
    assert [diagnostic for diagnostic in found if diagnostic.severity != "info"] == []
    assert rule.code not in [diagnostic.code for diagnostic in found]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_a_registered_code_and_documentation(rule: Rule) -> None:
    assert rule.code in CODES
    assert type(rule).__doc__


def test_a_fix_removes_its_finding() -> None:
    bad = example(
        'tool get_quote(link_id: int) -> any { """Quote it.""" }\n'
        'prompt system { section a """Call get_quote, never `get_quote`.""" }'
    )
    text = bad
    while fixable := [found for found in check(text) if found.fix is not None]:
        fix = fixable[-1].fix
        assert fix is not None
        text = text[: fix.span.start] + fix.text + text[fix.span.end :]
    assert text.count("{{ tool.get_quote }}") == 2
    assert check(text) == []
