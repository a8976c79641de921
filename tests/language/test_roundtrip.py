"""Lowering is the inverse of writing: Core → text → Core, for generated harnesses."""

from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.diagnostics import render
from harness_dsl.ir.canonical import core_digest, normal_surface, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.compile import Compiled, compile_text
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
