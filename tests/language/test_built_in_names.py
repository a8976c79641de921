"""`load_skill` is the name of a tool that a harness with skills has, whoever else is shown under it."""

import pytest

from harness_dsl.lint.examples import whole
from tests.language.helpers import at_fault, check

SKILL = 'reply skill s { when """W.""" uses %s }\n'


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        ("tool load_skill", "load_skill"),
        ('tool x named "load_skill"', '"load_skill"'),
        ('tool x named "load skill"', '"load skill"'),
        ('tool load_skill named "x"', ""),
    ],
)
def test_a_tool_shown_as_the_built_in_one(head: str, fault: str) -> None:
    tool = head + '() -> any { """T.""" }\n'
    text = whole(tool + SKILL % head.split()[1])
    found = [one for one in check(text) if one.code == "HD702"]
    assert [at_fault(text, one) for one in found] == ([fault] if fault else [])
    assert all(one.message == "the built-in `load_skill` has this name" and not one.labels for one in found)
    assert "HD702" not in [one.code for one in check(whole(tool))]
