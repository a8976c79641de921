"""Where the Python functions of a harness come from. Most harnesses have no such place: it is asked first."""

import os
from pathlib import Path
from typing import NamedTuple

from harness_dsl.reading import is_file, read_bytes, real


class Project(NamedTuple):
    """`folder`: where modules are imported from, in full. `shown`: how it is called in messages."""

    folder: Path
    shown: Path


def project_of(path: str) -> Project | None:
    """The project that the harness at `path` belongs to; None: no `harness.toml` says what may be run."""
    home = Path(real(str(Path(path).parent)))
    for root in (home, *home.parents):
        if is_file(str(root / "harness.toml")):
            folder = _import_folder(root)
            return None if folder is None else Project(folder, _beside(Path(path).parent, home, folder))
    return None


def _beside(shown: Path, home: Path, folder: Path) -> Path:
    """`folder`, as it is called by one who calls the folder `home` `shown`."""
    return Path(os.path.normpath(shown / os.path.relpath(folder, home)))


def _import_folder(root: Path) -> Path | None:
    """`path` under `[runtime]`; None: it is none that the runtime takes."""
    import tomllib

    try:
        table = tomllib.loads(read_bytes(str(root / "harness.toml")).decode()).get("runtime", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    path = table.get("path", ".") if isinstance(table, dict) else None
    if not isinstance(path, str) or "\0" in path:
        return None
    folder = Path(real(str(root / path)))
    return folder if folder.is_relative_to(root) else None
