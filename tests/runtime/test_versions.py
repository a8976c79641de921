"""A version is made once for a Core and a Surface, and found again without reading either."""

import pytest

import runtime.version
from harness_dsl.ir.surface import Surface
from runtime.byte_tokenizer import byte_tokenizer
from runtime.version import Versions

from .shop import plain_tools, shop


def test_the_same_objects_are_found_without_a_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    core, surface = shop(), Surface()
    versions = Versions(byte_tokenizer(), plain_tools())
    first = versions.of(core, surface)
    monkeypatch.setattr(
        runtime.version, "quick_surface_digest", lambda *_: pytest.fail("the Core was read again")
    )
    assert versions.of(core, surface) is first


def test_equal_objects_are_found_and_others_are_not() -> None:
    core, surface = shop(), Surface()
    versions = Versions(byte_tokenizer(), plain_tools())
    first = versions.of(core, surface)
    assert versions.of(core.model_copy(), surface.model_copy()) is first
    other = core.model_copy(update={"version": "9.9.9"})
    assert versions.of(other, surface).core.version == "9.9.9"
    assert versions.of(core, surface.model_copy(update={"tool_docs": "python"})) is not first
