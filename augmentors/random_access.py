"""Lines of a dataset by their place, so that a trainer can draw any of them without holding all."""

from array import array
from pathlib import Path

from augmentors import parquet


class Lines:
    """The lines of a file of rows, JSON lines or Parquet, that are not empty. Raises `OSError`, and
    `ModuleNotFoundError` for a Parquet file without pyarrow.

    What it keeps is a number for each line, and of a Parquet file one row group.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._groups = parquet.Groups(path) if parquet.is_parquet(path) else None
        self._offsets = array("q")
        self._numbers = array("q")
        if self._groups is None:
            self._look()

    def _look(self) -> None:
        offset = 0
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    self._offsets.append(offset)
                    self._numbers.append(number)
                offset += len(line)

    def __len__(self) -> int:
        return len(self._offsets) if self._groups is None else len(self._groups)

    def __getitem__(self, at: int) -> str:
        """The line at `at`, from 0."""
        if self._groups is not None:
            return self._groups[at]
        with self.path.open("rb") as lines:
            lines.seek(self._offsets[at])
            return lines.readline().decode("utf-8", "replace")

    def number(self, at: int) -> int:
        """The number in its file of the line at `at`."""
        return at + 1 if self._groups is not None else self._numbers[at]
