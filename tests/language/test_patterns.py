"""Patterns that can take exponential time are told from those that cannot."""

import pytest

from harness_dsl.syntax.patterns import Refused, is_exponential

SAFE = [
    r"\d+(\.\d+)?元", r"(\d+,)+", r"(ab|a)*b?", r"(.*)(.*)x", r"https?://", r"[。！]$", r"(a{1,3}){1,4}",
    r"\d{1,3}(,\d{3})*", r"(?:[^\W\d]\w*)", r"最好|最低|第一", r"(?i)abc", r"(a|b)*c", r"([^,]*,)*",
]  # fmt: skip
EXPONENTIAL = [
    r"(a+)+", r"(a*)*b", r"(\w+\d+)*x", r"(a|b|ab)*c", r"(?:x+x+)+y", r"(.*a){2,}b*(.*)*",
    r"(\s*\w*\s*)*;", r"(a?a?)*b",
]  # fmt: skip


@pytest.mark.parametrize("pattern", SAFE)
def test_a_safe_pattern_is_let_through(pattern: str) -> None:
    assert not is_exponential(pattern)


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_an_exponential_pattern_is_found(pattern: str) -> None:
    assert is_exponential(pattern)


@pytest.mark.parametrize("pattern", [r"(?=a)b", r"(a)\1", r"(?<!a)b", "a{1000}", "(a{1,30}){1,30}"])
def test_what_cannot_be_judged_is_refused(pattern: str) -> None:
    with pytest.raises(Refused):
        is_exponential(pattern)
