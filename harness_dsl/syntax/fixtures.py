"""Test data beside a harness."""

from pathlib import Path
from typing import Any

from harness_dsl.reading import read_bytes, real

LIMIT = 4 * 1024 * 1024


class FixtureError(Exception):
    """The fixture cannot be used; `missing`: there is no such file."""

    def __init__(self, message: str, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


class Fixtures:
    """Reads each fixture once. Paths are relative to `root`, and may not leave it."""

    def __init__(self, path: str, root: str | None) -> None:
        self.root = Path(root) if root is not None else Path(path).parent
        self._read: dict[str, Any] = {}

    def load(self, relative: str) -> Any:
        """The data of the fixture. Raises `FixtureError`."""
        if relative not in self._read:
            self._read[relative] = _load(self.root, relative)
        return self._read[relative]


def _load(root: Path, relative: str) -> Any:
    from harness_dsl.syntax.fixture_data import parsed

    if "\\" in relative:
        raise FixtureError("a fixture path is written with `/`")
    path = root / relative
    try:
        if not Path(real(str(path))).is_relative_to(real(str(root))):
            raise FixtureError(f"`{relative}` leaves the folder of the harness")
        data = read_bytes(str(path))
    except FileNotFoundError:
        raise FixtureError(f"there is no file `{relative}`", missing=True) from None
    except (OSError, ValueError) as error:
        from harness_dsl.diagnostics.system import reason

        raise FixtureError(f"`{relative}` cannot be read: {reason(error)}", missing=True) from None
    if len(data) > LIMIT:
        raise FixtureError(f"`{relative}` is larger than 4 MB")
    return parsed(data, relative)
