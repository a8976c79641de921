"""No input, however broken, makes the language or an importer raise or work without end.

`benchmarks/fuzz.py` goes through as many cases as it is asked for, in processes of their own.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness_dsl.lint.examples import whole
from tests.language.fuzzing.cases import KINDS, case
from tests.language.fuzzing.survival import Endless, bounded, survive


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cases are written into the current folder."""
    monkeypatch.chdir(tmp_path)
    yield


def survive_files(files: dict[str, bytes]) -> None:
    """What the first of `files` goes through, and then they are gone."""
    for name, data in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data)
    survive(next(iter(files)))
    for name in files:
        Path(name).unlink()


def survive_text(text: str) -> None:
    survive_files({"x.harness": text.encode("utf-8", "surrogatepass")})


SLOW_KINDS = ("huge", "projects")


@pytest.mark.parametrize("first", range(0, 1000, 200))
def test_broken_inputs_are_survived(first: int) -> None:
    for number in range(first, first + 20):
        made = case(1, number)
        if made.kind not in SLOW_KINDS:
            survive_files(made.files)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_broken_input_is_survived(kind: str) -> None:
    made = next(made for number in range(5000) if (made := case(2, number)).kind == kind)
    survive_files(made.files)


@pytest.mark.slow
def test_many_broken_inputs_are_survived() -> None:
    for number in range(10_000):
        survive_files(case(3, number).files)


def test_a_case_is_made_again_from_its_number() -> None:
    assert [case(4, number) for number in range(20)] == [case(4, number) for number in range(20)]
    assert case(4, 1) != case(5, 1)


def test_work_without_end_is_noticed() -> None:
    with pytest.raises(Endless), bounded(0.05):
        while True:
            pass


def test_a_text_that_is_said_twice_and_reworded_is_survived() -> None:
    tool = 'tool t(a: int) -> any { """T.""" """U.""" }'
    survive_text(whole(tool + '\nalternatives { tool.t.description """V.""" }'))


@pytest.mark.parametrize(
    "body", ["type A = A?", 'type A = A | "x"', "type A = B\ntype B = A[]", "type A { a: A }"]
)
def test_a_type_that_contains_itself_is_survived(body: str) -> None:
    survive_text(whole(body + '\ntool t(a: A = [[1], null]) -> A { """T.""" }'))


@pytest.mark.parametrize(
    "opening",
    [
        "(",
        "{",
        "[",
        "type A = (",
        "not ",
        "{{ (",
        "{% if x %}",
        '"""',
        "a | ",
        "x and ",
        "(\n",
        "map<",
        "{a: ",
    ],
)
def test_deep_nesting_is_survived(opening: str) -> None:
    survive_text('harness x "1.0.0"\nprompt system { section p """P""" }\n' + opening * 4_000)
    survive_text(f'harness x "1.0.0"\nprompt system {{ section p """{opening * 1_000}""" }}\n')
    rule = f'a """P""" check {opening * 1_000} x'
    survive_text(f'harness x "1.0.0"\nprompt system {{ section p unordered {{ {rule} }} }}\n')


MANY = {
    "comments": "# a\n",
    "braces and comments": "limits {}\n# a\n",
    "nonsense": "x y z\n",
    "quotes": '"\n',
    "texts": '"""a"""\n',
    "brackets": "type A = (\n",
    "closing brackets": ") x\n",
    "enum values": 'type A = "a" | "b"\n',
}


@pytest.mark.parametrize("name", MANY)
def test_a_lot_of_one_thing_is_survived(name: str) -> None:
    """What takes time that grows with the square would take long here."""
    survive_text('harness x "1.0.0"\n' + MANY[name] * (2_000 if name != "enum values" else 200))
