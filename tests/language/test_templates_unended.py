"""Template blocks without an end: one diagnostic each, and the reader ends."""

import pytest

from tests.language.helpers import check

HARNESS = '''harness a "1.0.0"

prompt system {
  section p """%s"""
}

limits { x 1 }
'''


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_each_unended_block_is_one_diagnostic(depth: int) -> None:
    text = HARNESS % ("a {% if limits.x == 1 %} b" * depth)
    assert [found.code for found in check(text) if found.severity == "error"] == ["HD404"] * depth
