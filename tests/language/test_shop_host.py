"""One harness that uses most of the language, as one would write it by hand, with a module and a fixture."""

import shutil
from pathlib import Path

import pytest

from harness_dsl.cli.check import check
from harness_dsl.ir.core import Core
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.compile import compile_file
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.parse import parse
from tests.language.format_laws import meaning

FOLDER = Path(__file__).with_name("shop_host")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy, so that no project file above it counts."""
    return Path(shutil.copytree(FOLDER, tmp_path / "shop_host")) / "shop_host.harness"


def compiled(path: Path) -> Core:
    core = compile_file(path).core
    assert core is not None
    return core


def test_it_has_neither_errors_nor_warnings(path: Path) -> None:
    assert [found for found in check(str(path), {}) if found.severity != "info"] == []


def test_it_uses_almost_every_declaration(path: Path) -> None:
    file, _ = parse(path.read_text("utf-8"), "x")
    used = {type(decl) for decl in file.decls}
    assert used >= {t.Header, t.ImportDecl, t.UseDecl, t.RecordDecl, t.InputDecl, t.ToolDecl, t.SkillDecl}
    assert used >= {t.HookDecl, t.PromptDecl, t.LimitsDecl, t.AlternativesDecl, t.TestDecl}


def test_what_it_brings_in_stands_in_its_core(path: Path) -> None:
    core = compiled(path)
    assert [hook.id for hook in core.hooks] == ["hook/no_cures", "hook/price_is_quoted"]
    assert "prompt/system/section/law" in [section.id for section in core.prompt.sections]


def test_formatting_changes_nothing_that_it_says(path: Path) -> None:
    text, before = path.read_text("utf-8"), compiled(path)
    formatted, _ = format_text(text, "x")
    assert formatted is not None and meaning(formatted) == meaning(text)
    path.write_text(formatted, "utf-8")
    assert compiled(path) == before
