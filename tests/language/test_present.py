"""What a condition says about null holds for the fields below it too."""

import pytest

from tests.language.helpers import check

HARNESS = '''harness desk "1.0.0"

type Line {{
  what: string
  next: Line?
}}

type Draft {{
  payee: string
  memo: string?
  line: Line?
}}

input draft: Draft?
input drafts: Draft?[]
input by_day: map<Draft?>

prompt system {{
  section desk """{body}"""
}}
'''


def codes(body: str) -> list[str]:
    return [found.code for found in check(HARNESS.format(body=body)) if found.severity == "error"]


@pytest.mark.parametrize(
    "body",
    [
        "{% if draft != null %}{{ draft.payee }}{% endif %}",
        "{% if draft != null and draft.memo != null %}{{ draft.memo }}{% endif %}",
        "{% if draft != null and draft.line != null %}{{ draft.line.what }}{% endif %}",
        "{% if draft.line.next != null %}{{ draft.line.next.what }}{% endif %}",
        "{% for one in drafts %}{% if one != null %}{{ one.payee }}{% endif %}{% endfor %}",
        "{% if by_day.monday != null %}{{ by_day.monday.payee }}{% endif %}",
    ],
)
def test_fields_of_what_is_there_can_be_shown(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "{{ draft.payee }}",
        "{% if draft != null %}{{ draft.memo }}{% endif %}",
        "{% if draft != null %}{{ draft.line.what }}{% endif %}",
        "{% if draft.line.next != null %}{{ draft.line.next.next.what }}{% endif %}",
        "{% if draft != null %}{{ by_day.monday.payee }}{% endif %}",
        "{% if draft == null %}{{ draft.payee }}{% endif %}",
    ],
)
def test_fields_of_what_may_be_null_cannot(body: str) -> None:
    assert codes(body) == ["HD408"]
