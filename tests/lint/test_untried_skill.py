"""A test expects a skill by `expect skill`, or by a predicate that says it was loaded."""

import pytest

from tests.language.helpers import check

TEXT = '''harness tea "1.0.0"

tool get_quote() -> decimal {{
  """Quote it."""
}}

reply skill prices {{
  when """A price is asked for."""
}}

prompt system {{
  section skills catalog skills
  section tools catalog tools
}}

test "a price" {{
  user "How much?"
  expect {expected}
}}
'''


@pytest.mark.parametrize(
    ("expected", "tried"),
    [
        ("skill prices", True),
        ("loaded(prices)", True),
        ("called(get_quote) and loaded(prices)", True),
        ("no skill prices", False),
        ("not loaded(prices)", False),
        ("called(get_quote) or loaded(prices)", False),
        ("called(get_quote)", False),
    ],
)
def test_the_skill_that_is_expected_is_tried(expected: str, tried: bool) -> None:
    codes = [found.code for found in check(TEXT.format(expected=expected))]
    assert ("HD805" not in codes) is tried
    assert [code for code in codes if code != "HD805"] == []
