"""Lowering is the inverse of writing: Core → text → Core, for generated harnesses."""

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.diagnostics import render
from harness_dsl.ir.canonical import core_digest, normal_surface, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Constant
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import StringType
from harness_dsl.syntax.compile import Compiled, compile_text
from harness_dsl.syntax.lowering.state import Lowering
from tests.language.printing import Printer
from tests.language.writable import writable, writable_surface
from tests.strategies import cores, surfaces


@st.composite
def harnesses(draw: st.DrawFn) -> tuple[Core, Surface]:
    core = writable(draw(cores()))
    return core, writable_surface(draw(surfaces(core)))


def compiled(text: str) -> Compiled:
    result = compile_text(text, "generated.harness")
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert result.core is not None, text + "\n" + render.text(errors, result.files)
    return result


@given(harnesses())
def test_a_written_core_is_read_back(harness: tuple[Core, Surface]) -> None:
    core, surface = harness
    result = compiled(Printer(core, surface).source())
    assert result.core == core


@given(harnesses())
def test_a_written_surface_is_read_back(harness: tuple[Core, Surface]) -> None:
    core, surface = harness
    result = compiled(Printer(core, surface).source())
    assert result.core is not None and result.surface is not None
    assert normal_surface(core, result.surface) == normal_surface(core, surface)


@given(harnesses())
def test_white_space_and_comments_change_no_digest(harness: tuple[Core, Surface]) -> None:
    core, surface = harness
    result = compiled(Printer(core, surface, wide=True).source())
    assert result.core is not None and result.surface is not None
    assert core_digest(result.core) == core_digest(core)
    assert surface_digest(core, result.surface) == surface_digest(core, surface)


EVERYTHING = '''harness x "1.0.0"

type Size = "S" named "small" | "M"

type Item {
  title: string(min_length: 1)
  fixed size?: Size[1..3]
}

input room: Item

tool get(link named "item": int(min: 1, max: 9) = 3, city?: string) -> Item? {
  """Get it."""
  effect write
  idempotent
  fails late, gone
}

hook h on before_reply {
  if chars(reply) > 10 and not called(get)
  retry """Again.""" max 2
  fail open
}

prompt system {
  section rules unordered {
    rule short """Be short, {{ room.title }}."""
      check chars(reply) <= limits.chars
    rule brief """Be brief."""
  }
  section tools catalog tools
  order tools before rules
}

limits { chars 60 in 30..120 }
'''


def facts(text: str) -> tuple[Core, Surface]:
    result = compiled(text)
    assert result.core is not None and result.surface is not None
    return result.core, result.surface


@pytest.mark.parametrize(
    ("module", "name", "twin"),
    [
        ("harness_dsl.syntax.lowering.harness", "exact", lambda node: int(float(node.text)) + 1),
        ("harness_dsl.syntax.lowering.harness", "_word", lambda said, word: None),
        ("harness_dsl.syntax.lowering.harness", "plain", lambda node: 5),
        (
            "harness_dsl.syntax.lowering.conduct",
            "lower_expression",
            lambda node, symbols: Constant(value=True),
        ),
        ("harness_dsl.syntax.lowering.types", "_union", lambda node, owner, state: StringType()),
    ],
)
def test_a_lowering_that_loses_something_is_caught(
    module: str, name: str, twin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    core, surface = facts(EVERYTHING)
    source = Printer(core, surface).source()
    assert facts(source)[0] == core
    monkeypatch.setattr(importlib.import_module(module), name, twin)
    assert facts(source)[0] != core


@pytest.mark.parametrize("name", ["order", "name"])
def test_a_lowering_that_loses_the_surface_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    core, surface = facts(EVERYTHING)
    source = Printer(core, surface).source()
    assert facts(source)[1] == surface
    monkeypatch.setattr(Lowering, name, lambda self, key, value: None)
    assert facts(source)[1] != surface
