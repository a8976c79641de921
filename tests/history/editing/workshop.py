"""Copies of the examples in which edits are tried, one or several at once."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness_dsl.history.opening import open_shown
from harness_dsl.syntax.opening import Opened
from tests.history.editing.edit import Edit

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


class Workshop:
    """A copy of the folder of one example, in which `main` is compiled: a harness or a module of it."""

    def __init__(self, folder: Path, example: str, main: str) -> None:
        self.folder = folder / example
        self.main = main
        kept = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(EXAMPLES / example, self.folder, ignore=kept)
        self._original = self._open()
        self._texts: dict[str, str] = {}

    @property
    def original(self) -> Opened:
        return self._original

    def edited(self, edits: Iterable[Edit]) -> Opened:
        """`main` after all `edits`; the files are then as before. Raises `HarnessFileError` for mistakes."""
        texts: dict[str, str] = {}
        for edit in edits:
            for change in edit.changes:
                file = change.file or self.main
                before = texts.get(file) or self._text(file)
                assert before.count(change.old) == 1, f"{file}: {before.count(change.old)} × {change.old!r}"
                texts[file] = before.replace(change.old, change.new)
        try:
            for file, text in texts.items():
                (self.folder / file).write_text(text, "utf-8")
            return self._open()
        finally:
            for file in texts:
                (self.folder / file).write_text(self._text(file), "utf-8")

    def apart(self, edits: Iterable[Edit]) -> Iterator[list[Edit]]:
        """`edits` in groups that touch different symbols and different places of the text."""
        groups: list[list[Edit]] = []
        for edit in edits:
            group = next((group for group in groups if self._fits(edit, group)), None)
            if group is None:
                groups.append([edit])
            else:
                group.append(edit)
        yield from groups

    def _fits(self, edit: Edit, group: list[Edit]) -> bool:
        return not any(_related(edit, other) or self._overlap(edit, other) for other in group)

    def _overlap(self, edit: Edit, other: Edit) -> bool:
        """Whether the two change text that touches."""
        return any(
            one[0] == two[0] and one[1] <= two[2] and two[1] <= one[2]
            for one in map(self._place, edit.changes)
            for two in map(self._place, other.changes)
        )

    def _place(self, change: tuple[str, str, str]) -> tuple[str, int, int]:
        file, old, _ = change
        start = self._text(file or self.main).find(old)
        return file, start, start + len(old)

    def _text(self, file: str) -> str:
        if file not in self._texts:
            self._texts[file] = (self.folder / file).read_text("utf-8")
        return self._texts[file]

    def _open(self) -> Opened:
        return open_shown(self.folder / self.main)


def _related(one: Edit, other: Edit) -> bool:
    ids = [(edit.symbol, *edit.also) for edit in (one, other)]
    return any(a == b or a.startswith(f"{b}/") or b.startswith(f"{a}/") for a in ids[0] for b in ids[1])
