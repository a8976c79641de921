"""One staged harness, judged: what `harnessc guard` says about it.

The IR is imported only for a harness that was edited: most of a commit is answered from the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from harness_dsl.diagnostics import Diagnostic, Label, Span
from harness_dsl.history.cache import Cache, digest
from harness_dsl.history.opening import open_at, relocated
from harness_dsl.history.settings import manifest_path, operators
from harness_dsl.history.snapshot import Snapshot
from harness_dsl.history.staged import SHORT, Staged
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.opening import HarnessFileError, Opened
from harness_dsl.syntax.source import decode

if TYPE_CHECKING:
    from harness_dsl.history.comparison import Comparison
    from harness_dsl.history.coverage import Label as Coverage
    from harness_dsl.ir.core import Core


BACK = 20
"""So many commits are looked through for a state without mistakes when the state before has some."""


class Results(Protocol):
    """What running the tests of a harness gives: the problems of each failing one, or why there are none."""

    @property
    def total(self) -> int: ...
    @property
    def failed(self) -> dict[str, tuple[str, ...]]: ...
    @property
    def trouble(self) -> str: ...


Check = Callable[[str, dict[str, str]], list[Diagnostic]]
"""Everything that is wrong in the file at a path; the texts of the files read go into the dictionary."""


@dataclass
class Guarded:
    """`findings` with their `files`, `notes` and the edits of one harness. `tests`: passed, and all run."""

    staged: Staged
    findings: list[Diagnostic] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    comparison: Comparison | None = None
    tests: tuple[int, int] | None = None

    @property
    def path(self) -> str:
        path = self.staged.path or self.staged.was
        assert path is not None
        return path

    @property
    def passes(self) -> bool:
        return all(found.severity == "info" for found in self.findings)


@dataclass(frozen=True)
class Guard:
    """What judging needs: the state before and the one after, and how files are checked and tests are run."""

    head: Snapshot
    index: Snapshot
    cache: Cache
    check: Check
    run_tests: Callable[[Path], Results]

    def judge(self, staged: Staged) -> Guarded:
        """Raises `SettingsError`, `ManifestError` and `GitError`, and `HarnessFileError` if what checks clean
        does not compile.
        """
        guarded = Guarded(staged)
        if staged.path is None:
            guarded.notes.append("removed: nothing is left that could say so in a version")
            return guarded
        self._check(staged.path, guarded)
        broken = any(found.severity == "error" and found.code != "HD905" for found in guarded.findings)
        if not staged.changed or broken:
            return guarded
        if staged.was is None:
            guarded.notes.append("new: there is no version before it")
            return guarded
        self._compare(staged.path, staged.was, guarded)
        return guarded

    def _check(self, path: str, guarded: Guarded) -> None:
        """Mistakes and layout, from the cache where nothing that is read has changed."""
        key = digest("check", path, self.index.closure(path))
        answer = self.cache.get(key)
        if answer is None:
            answer = self._checked(path)
            self.cache.put(key, answer)
        guarded.files.update(answer["files"])
        guarded.findings += [
            Diagnostic(
                code, message, Span(*span), advice, tuple(Label(Span(*at), said) for at, said in labels)
            )
            for code, message, span, advice, labels in answer["found"]
        ]

    def _checked(self, path: str) -> dict[str, Any]:
        self.index.write(self.index.closure(path))
        files: dict[str, str] = {}
        found = relocated(self.check(str(self.index.folder / path), files), self.index.shown)
        found += layout(self.index.read(path), path)
        kept = [
            (each.code, self.index.plain(each.message), each.span, self.index.plain(each.help), each.labels)
            for each in found
            if each.severity != "info"
        ]
        texts = {self.index.shown(name): text for name, text in files.items()}
        return {"found": kept, "files": texts if kept else {}}

    def _compare(self, path: str, was: str, guarded: Guarded) -> None:
        from harness_dsl.history import rule
        from harness_dsl.history.comparison import Comparison, Status, compare
        from harness_dsl.ir.diff import Bump

        moved = was if was != path else None
        new = open_at(self.index, path)
        old = self._last_good(was, guarded)
        if old is None:
            about = f"{self._nothing_good()}: what this edits cannot be named"
            guarded.comparison = Comparison(path, Status.BROKEN, was=moved, about=about)
            return
        comparison = compare(path, old, new, moved, self._operators(path, guarded))
        guarded.comparison = comparison
        guarded.files.update(new.files)
        guarded.findings += rule.findings(comparison)
        guarded.notes += rule.notes(comparison)
        assert comparison.found is not None and comparison.version_line is not None
        # A module has no tests of its own: those of the harnesses that import it are run.
        if comparison.found.verdict.needed >= Bump.MINOR and not comparison.version_line.module:
            self._test(path, new, guarded)

    def _last_good(self, was: str, guarded: Guarded) -> Opened | None:
        """The harness in the state before, or the last one before that in which it has no mistakes: a broken
        commit is no way around the version rule. None: it is in no state near."""
        try:
            return open_at(self.head, was)
        except HarnessFileError:
            pass
        repository = self.head.repository
        for revision in repository.commits(self.head.label, sorted(self.head.closure(was)), BACK):
            with Snapshot(repository, repository.tree(revision), revision[:SHORT]) as earlier:
                if was not in earlier.listing:
                    continue
                try:
                    old = open_at(earlier, was)
                except HarnessFileError:
                    continue
            guarded.notes.append(
                f"{self.head.label} has mistakes; the edits are those since {revision[:SHORT]}"
            )
            return old
        guarded.notes.append(f"{self._nothing_good()}: what this edits cannot be named")
        return None

    def _nothing_good(self) -> str:
        return f"{self.head.label} has mistakes, and so have the states before it"

    def _operators(self, path: str, guarded: Guarded) -> dict[str, int] | Coverage | None:
        from harness_dsl.history.coverage import Label as Covered

        manifest = manifest_path(self.index, path)
        if manifest is None:
            return None
        trained = operators(self.index, manifest)
        if trained is None:
            guarded.notes.append(f"what the model was trained on is not known: there is no `{manifest}`")
            return Covered.UNKNOWN
        return trained

    def _test(self, path: str, new: Opened, guarded: Guarded) -> None:
        """The tests of the staged harness, with the staged functions and data of its project."""
        if not new.core.tests:
            guarded.notes.append("the edits ask for passing tests, and the harness has none")
            return
        project = self.index.project(path)
        key = digest("test", path, project)
        answer = self.cache.get(key)
        if answer is None:
            self.index.write([*project, *self.index.closure(path)])
            results = self.run_tests(self.index.folder / path)
            answer = {
                "total": results.total,
                "failed": {
                    id_: tuple(map(self.index.plain, problems)) for id_, problems in results.failed.items()
                },
                "trouble": self.index.plain(results.trouble),
            }
            if not results.trouble:
                self.cache.put(key, answer)
        self._judge_tests(path, new, answer, guarded)

    def _judge_tests(self, path: str, new: Opened, answer: dict[str, Any], guarded: Guarded) -> None:
        header = guarded.comparison.version_line if guarded.comparison else None
        start = header.version if header else Span(path, 0, 0)
        if answer["trouble"]:
            message = f"the tests cannot be run: {answer['trouble']}"
            guarded.findings.append(Diagnostic("HD904", message, start, f"Run `harnessc test {path}`."))
            return
        elsewhere = _elsewhere(new.core)
        unrun = 0
        for id_, problems in answer["failed"].items():
            if any(problem.startswith(elsewhere) for problem in problems):
                unrun += 1
                continue
            message = f"the test does not pass: {'; '.join(problems)}"
            guarded.findings.append(
                Diagnostic("HD904", message, new.spans.get(id_, start), "Correct the harness or the test.")
            )
        if unrun:
            guarded.notes.append(f"{unrun} tests need tools that cannot be run here")
        guarded.tests = (answer["total"] - len(answer["failed"]), answer["total"] - unrun)


def _elsewhere(core: Core) -> tuple[str, ...]:
    """How the problem begins of a test that called a tool which only a service carries out."""
    from harness_dsl.ir.core import PythonImplementation

    return tuple(
        f"{tool.id} does not work"
        for tool in core.tools
        if not isinstance(tool.implementation, PythonImplementation)
    )


def layout(data: bytes, path: str) -> list[Diagnostic]:
    """One finding if `data`, the file at `path`, is not in the canonical layout."""
    source = decode(data, path)
    if source.text is None:
        return []
    text, _ = format_text(source.text, path)
    if text is None or text.encode() == data:
        return []
    at = next((i for i, (one, other) in enumerate(zip(source.text, text, strict=False)) if one != other), 0)
    advice = f"Run `harnessc fmt {path}` and stage it again."
    return [Diagnostic("HD905", "this is not in the canonical layout", Span(path, at, at + 1), advice)]
