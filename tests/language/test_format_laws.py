"""`fmt` is idempotent, keeps the Core, every comment and every quoted byte; twins that do not are caught."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from tests.language.format_laws import Formatter, broken_laws, comments, fmt, program, quotes
from tests.language.layouts import scrambled
from tests.language.printing import Printer
from tests.language.test_roundtrip import harnesses


@given(harnesses(), st.integers(0, 2**32))
def test_formatting_keeps_what_matters(harness: tuple[Core, Surface], seed: int) -> None:
    text, _ = scrambled(Printer(*harness).source(), seed)
    assert broken_laws(text, fmt) == set()


@pytest.mark.parametrize("first", (0, 100))
def test_formatting_keeps_what_matters_in_programs_by_seed(first: int) -> None:
    """The first of those that `benchmarks/format_laws.py` goes through."""
    broken = {seed: broken_laws(program(seed), fmt) for seed in range(first, first + 10)}
    assert {seed: laws for seed, laws in broken.items() if laws} == {}


@pytest.mark.parametrize("seed", range(12))
def test_formatting_keeps_what_matters_in_the_shop(shop_text: str, seed: int) -> None:
    text, written = scrambled(shop_text, seed)
    assert comments(fmt(text)) == written
    assert quotes(fmt(text)) == quotes(text)
    assert fmt(fmt(text)) == fmt(text)


def test_layout_is_canonical(shop_text: str) -> None:
    """Comments stay where they are put; without them, every layout of the same tokens is formatted alike."""
    plain = re.sub(r"(?m)^\s*#.*\n", "", shop_text)
    grouped = fmt(plain)
    scrambles = [scrambled(plain, seed)[0] for seed in range(4)]
    squeezed = {re.sub(r"\n+", "\n", fmt(re.sub(r"# remark \d+", "", text))) for text in scrambles}
    assert squeezed == {re.sub(r"\n+", "\n", grouped)}


def test_examples_are_formatted(shop_text: str) -> None:
    assert fmt(shop_text) == shop_text


TWINS: dict[str, tuple[Formatter, str]] = {
    "drops comments": (lambda text: re.sub(r"(?m)#[^\n]*$", "", fmt(text)), "comments"),
    "trims text blocks": (lambda text: re.sub(r"(?m)^ +(?=say)", "", fmt(text)), "quotes"),
    "adds a line each time": (lambda text: fmt(text) + "\n" * (len(text) - len(text.rstrip())), "idempotent"),
    "sorts ordered items": (lambda text: fmt(text).replace('"""first"""', '"""f"""'), "core"),
    "writes another number": (lambda text: fmt(text).replace('"1.0.0"', '"1.0.1"'), "tree"),
    "loses a brace": (lambda text: fmt(text).replace("}", "", 1), "parses"),
}
SAMPLE = '''harness x "1.0.0"
# a remark
prompt system {
  section style ordered { """first"""
    """
      say
        it
    """ }
}
'''


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_formatter_is_caught(name: str) -> None:
    formatter, law = TWINS[name]
    assert broken_laws(SAMPLE, fmt) == set()
    assert law in broken_laws(SAMPLE, formatter)
