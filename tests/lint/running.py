"""Runs the example of a rule as a user would: `check` in a folder, or `guard` in a repository."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from augmentors.rewording.reading import load_bank
from augmentors.rewording.review import review
from harness_dsl.cli.check import check
from harness_dsl.cli.contracts import findings as findings_of
from harness_dsl.cli.guard_tests import run_tests
from harness_dsl.diagnostics import Diagnostic
from harness_dsl.history.cache import Cache
from harness_dsl.history.git import Repository
from harness_dsl.history.guarding import Guard
from harness_dsl.history.staged import snapshots, staged
from harness_dsl.lint.examples import MAIN, Edit, Example, File, Folder, whole
from harness_dsl.lint.rules import rule_of
from harness_dsl.syntax.compile import compile_file
from harness_dsl.syntax.opening import open_harness
from tests.history.repositories import Repo


@cache
def found_in(code: str, which: Literal["bad", "good"]) -> tuple[list[Diagnostic], dict[str, str]]:
    """What is found in an example of the rule with `code`, and the texts of its files."""
    with TemporaryDirectory() as folder:
        return findings(getattr(rule_of(code), which), Path(folder))


def findings(example: Example, folder: Path) -> tuple[list[Diagnostic], dict[str, str]]:
    """What is found in `example`, written into `folder`, and the texts of its files."""
    match example:
        case str():
            return _run(Folder({MAIN: whole(example)}), folder)
        case Folder():
            return _run(example, folder)
        case Edit():
            return _guarded(example, folder)


def _run(example: Folder, folder: Path) -> tuple[list[Diagnostic], dict[str, str]]:
    for name, file in example.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((file if isinstance(file, File) else File(file)).data)
    files: dict[str, str] = {}
    with _inside(folder):
        found = check(example.checked, files)
        if example.command == "compile":
            found = compile_file(example.checked).diagnostics
        if example.command == "reword":
            bank = load_bank(example.checked)
            files = {bank.path: bank.source}
            found = [*review(bank, open_harness(MAIN).core).faults(frozenset(("accepted",)))]
        if example.command == "contracts":
            assert found == []
            found, files = findings_of(example.checked)
    return found, files


def _guarded(example: Edit, folder: Path) -> tuple[list[Diagnostic], dict[str, str]]:
    repo = Repo(folder)
    for name, text in example.files.items():
        repo.stage(name, text.lstrip("\n"))
    repo.stage(MAIN, example.before.lstrip("\n"))
    repo.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a state")
    repo.stage(MAIN, example.after.lstrip("\n"))
    with _inside(folder):
        head, index = snapshots(Repository())
        with head, index:
            guard = Guard(head, index, Cache(None), check, run_tests)
            (judged,) = [guard.judge(one) for one in staged(head, index, [])]
    return judged.findings, judged.files


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
