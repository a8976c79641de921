"""HD804 is said exactly where the runtime would not begin the conversation of a test."""

from pathlib import Path

import pytest

from harness_dsl.lint.examples import whole
from harness_dsl.syntax.compile import compile_file
from runtime.session import InputError, checked_inputs
from tests.language.helpers import check, codes

TEST = '\ntest "t" {\n  user "a"\n  expect chars(reply) < 60\n}\n'


@pytest.mark.parametrize(
    ("inputs", "needed"),
    [
        ("input room: any", 1),
        ('input room: any\ntool t() -> any { """T.""" impl python "m:t" }', 1),
        ('input room: string\nhook h on before_turn { if room contains "b" log }', 1),
        ("input room: string?", 1),
        ("input said: string untrusted", 0),
        ("input said: string(max_length: 9) untrusted", 0),
        ("input said: string? untrusted", 1),
        ("type Said = string\ninput said: Said untrusted", 1),
        ('input said: "a" | "b" untrusted', 1),
        ("input said: any untrusted\ninput other: int untrusted\ninput third: string untrusted", 2),
    ],
)
def test_a_test_needs_a_value_for_what_a_conversation_needs(inputs: str, needed: int, tmp_path: Path) -> None:
    text = whole(inputs + TEST)
    assert codes(check(text)).count("HD804") == needed
    path = tmp_path / "x.harness"
    path.write_text(text)
    compiled = compile_file(str(path))
    assert compiled.core is not None
    if not needed:
        checked_inputs(compiled.core, {})
        return
    with pytest.raises(InputError) as refused:
        checked_inputs(compiled.core, {})
    assert [problem.endswith("is missing") for problem in refused.value.problems] == [True] * needed
