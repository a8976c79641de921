"""Other names that cannot be shown, or stand twice, are said where they stand."""

from tests.language.helpers import check_body, codes

TOOL = 'tool t() -> int { """T.""" }\n'


def test_an_empty_other_name_is_said() -> None:
    found = check_body(TOOL + 'alternatives { tool.t named "a", "" }')
    assert codes(found) == ["HD704"]


def test_an_other_name_that_stands_twice_is_said_also_across_entries() -> None:
    assert codes(check_body(TOOL + 'alternatives { tool.t named "a", "a" }')) == ["HD705"]
    assert codes(check_body(TOOL + 'alternatives { tool.t named "a"\n tool.t named "a" }')) == ["HD705"]
