"""`# allow HDnnn: reason` allows advice, never an error, and says when it is of no use."""

from tests.language.helpers import check_body, codes

TOOL = 'tool get_quote(x: int) -> any { """T.""" }\n'


def prompt(line: str) -> str:
    return TOOL + "prompt system {\n" + line + "\n}"


def test_a_warning_is_allowed_on_its_line_or_the_next() -> None:
    assert codes(check_body(prompt('section a """get_quote"""'))) == ["HD406"]
    assert codes(check_body(prompt('section a """get_quote""" # allow HD406: an id in a log'))) == []
    assert codes(check_body(prompt('# allow HD406: an id in a log\nsection a """get_quote"""'))) == []


def test_a_reason_is_needed() -> None:
    assert codes(check_body(prompt('section a """get_quote""" # allow HD406'))) == ["HD118"]


def test_a_comment_of_no_use_is_reported() -> None:
    assert codes(check_body(prompt('section a """quote""" # allow HD406: why'))) == ["HD119"]


def test_an_error_cannot_be_allowed() -> None:
    found = codes(check_body(prompt('section a """{{ tool.x }}""" # allow HD405: why')))
    assert sorted(found) == ["HD119", "HD405"]
