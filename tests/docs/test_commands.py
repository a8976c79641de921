"""Commands that documents name in a sentence or a table: they exist, with these options, and README's run."""

import argparse
import importlib
import re
import shlex
from pathlib import Path

import pytest

from harness_dsl.cli.main import COMMANDS, main, module_of
from tests.docs.console import ROOT, Block, run, steps, write

DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_NAMED = re.compile(r"harnessc ([a-z]+)\b((?:[^`\n|]|\n(?!\n))*)")
_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


def options_of(command: str) -> set[str]:
    """Every option of a command and of its subcommands."""
    parser = argparse.ArgumentParser()
    importlib.import_module(f"harness_dsl.cli.{module_of(command)}").add_arguments(parser)
    parsers, known = [parser], {"--help"}
    while parsers:
        for action in parsers.pop()._actions:
            known.update(action.option_strings)
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
    return known


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_that_a_document_names_exists_with_these_options(document: Path) -> None:
    text = document.read_text("utf-8")
    spans = [*re.findall(r"`([^`\n]*harnessc [^`]*)`", text), *re.findall(r"^\$ (.*)$", text, re.M)]
    for span in spans:
        for command, rest in _NAMED.findall(span):
            assert command in COMMANDS, span
            assert set(_OPTION.findall(rest.split(" && ")[0])) <= options_of(command), span


def test_a_command_with_an_option_that_it_lacks_is_noticed() -> None:
    """The broken twin."""
    ((command, rest),) = _NAMED.findall("harnessc test shop.harness --nonsense 3")
    assert not set(_OPTION.findall(rest)) <= options_of(command)


LONG = ("train", "eval", "serve")
"""These need a model, or do not end; `make demo` runs them."""


def test_the_commands_of_the_readme_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for step in steps(text):
        if isinstance(step, Block):
            write(tmp_path, step)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    harness = (tmp_path / "tea.harness").read_text()
    for name in ("old.harness", "new.harness"):
        (tmp_path / name).write_text(harness)
    (tmp_path / "logs.jsonl").write_text('{"messages": [{"role": "user", "content": "hello"}]}\n')
    run("harnessc compile tea.harness --target mcp -o tools.json", tmp_path)
    run("git init -q && git add tea.harness && git commit -qm tea", tmp_path)
    ran = 0
    for words in re.findall(r"`(harnessc [^`]*)`", text):
        command = shlex.split(words)[1]
        if command in LONG:
            continue
        if command == "import":
            words = words.replace("tea.harness", "imported.harness")
        ran += 1
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setenv("XDG_CACHE_HOME", str(tmp_path))
            assert main(shlex.split(words)[1:]) == 0, f"{words}: {capfd.readouterr().err}"
    assert ran >= 12
