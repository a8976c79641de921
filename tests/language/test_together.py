"""What may stand in one place is not shown alike: a finding in the file, never a fault of the compiler."""

from pathlib import Path

import pytest

from harness_dsl.lint.examples import whole
from harness_dsl.syntax.compile import compile_file, compile_text
from tests.language.helpers import at_fault, check_body, codes

PAY = '''
tool pay(how: A | B) -> int {
  """Pay."""
}
'''
LISTS = PAY.replace("A | B", "(A[] | B[])?")
ALIKE = [
    PAY + 'type A = "a" named "z" | "b"\ntype B = "c" named "z" | "d"\n',
    PAY + 'type A = "a" named "z" | "b"\ntype B = "z" | "d"\n',
    LISTS + 'type A = "a" named "z" | "b"\ntype B = "c" named "z" | "d"\n',
    PAY + 'type A { x named "k": int }\ntype B { y named "k": int }\n',
    PAY + 'type A { kind: "card" named "z" }\ntype B { kind: "cash" named "z" }\n',
]
APART = [
    PAY + 'type A = "a" named "z" | "b"\ntype B = "c" | "a"\n',
    PAY + "type A { x: int }\ntype B {\n  x: string\n  y: int\n}\n",
    PAY + 'type A {\n  kind: "card"\n  z: int\n}\ntype B { kind: "cash" named "z" }\n',
    PAY + 'type A = "a" named "z"\ntype B { z: int }\n',
    PAY.replace("A | B", "A") + 'type A = "a" named "z"\ntype B = "c" named "z"\ninput i: A | B\n',
]


@pytest.mark.parametrize("body", ALIKE)
def test_two_of_one_place_that_are_shown_alike_are_a_finding(body: str) -> None:
    (found,) = (one for one in check_body(body) if one.severity == "error")
    assert found.code == "HD702"
    assert at_fault(whole(body), found) in ('"z"', '"k"')
    assert len(found.labels) == 1


@pytest.mark.parametrize("body", APART)
def test_what_can_be_told_apart_compiles(body: str) -> None:
    assert "HD702" not in codes(check_body(body))
    assert compile_text(whole(body)).core is not None


def test_half_a_surrogate_pair_in_a_fixture_is_a_finding(tmp_path: Path) -> None:
    test = 'test "t" {\n  given room = fixture "f.json"\n  user "x"\n  expect reply contains "x"\n}\n'
    body = f"input room: any\n\n{test}"
    path = tmp_path / "x.harness"
    path.write_text(whole(body), encoding="utf-8")
    for data in ('{"a": "\\ud800"}', '{"\\udfff": 1}'):
        (tmp_path / "f.json").write_text(data, encoding="utf-8")
        assert "HD802" in [found.code for found in compile_file(path).diagnostics]
