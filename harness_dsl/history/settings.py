"""The part of a project file (`harness.toml`) that tells which model runs in production.

[guard]
manifest = "runs/host/manifest.json"    # written by training; relative to the project file
"""

import json
from pathlib import Path
from posixpath import join, normpath

from harness_dsl.history.closure import PROJECT_FILE, project_root
from harness_dsl.history.snapshot import Snapshot
from harness_dsl.syntax.settings import one_line, settings


class SettingsError(Exception):
    """The project file cannot be used; the message is one sentence."""


class ManifestError(Exception):
    """The file is no manifest of a training run; the message is one sentence."""


def manifest_path(snapshot: Snapshot, harness: str) -> str | None:
    """Where the manifest for the harness at `harness` lies, from the top. Raises `SettingsError`."""
    root = project_root(harness, snapshot.listing)
    file = join(root, PROJECT_FILE)
    if file not in snapshot.listing:
        return None
    said = settings(snapshot.read(file), snapshot.shown(file))
    if said.found:
        raise SettingsError(one_line(said))
    return normpath(join(root, said.manifest)) if said.manifest else None


def operators(snapshot: Snapshot, path: str) -> dict[str, int] | None:
    """Rows by operator, from the manifest at `path`: as it is in this state, or else on disk.

    None: it is in neither. Raises `ManifestError`.
    """
    if path in snapshot.listing:
        return trained_operators(snapshot.read(path), path)
    top = snapshot.repository.top
    file = None if top is None else top / path
    return trained_operators(file.read_bytes(), path) if file is not None and file.is_file() else None


def trained_at(path: str) -> dict[str, int]:
    """Rows by operator, from the manifest on disk at `path`. Raises `ManifestError`."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        raise ManifestError(f"`{path}` cannot be read") from None
    return trained_operators(data, path)


def trained_operators(data: bytes, name: str) -> dict[str, int]:
    """Rows by operator, from the `manifest.json` that a training run writes. Raises `ManifestError`."""
    try:
        operators = json.loads(data)["operators"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ManifestError(f"`{name}` is no manifest of a training run: it has no `operators`") from None
    if not isinstance(operators, dict) or not all(type(rows) is int for rows in operators.values()):
        raise ManifestError(f"`{name}` is no manifest of a training run: `operators` counts rows by name")
    return operators
