"""The files that a harness reads: itself, the modules it imports, the fixtures of its tests.

Found on the text by its `import "…"` and `fixture "…"`, so that files with mistakes have a closure too. What
only looks like one, in a comment say, makes the closure larger than need be, never smaller.
"""

import json
import re
from collections.abc import Callable, Mapping
from posixpath import dirname, join, normpath

PROJECT_FILE = "harness.toml"
_READS = re.compile(r'\b(?:import|fixture)\s+("(?:[^"\\\n]|\\.)*")')

Closure = dict[str, str | None]
"""Blob id by path; None: the file is asked for and not there."""


def project_root(path: str, listing: Mapping[str, str]) -> str:
    """The folder of the nearest project file, or that of the harness at `path`; empty: the top."""
    folder = dirname(path)
    while f"{folder}/{PROJECT_FILE}".lstrip("/") not in listing:
        if not folder:
            return dirname(path)
        folder = dirname(folder)
    return folder


def closure(path: str, listing: Mapping[str, str], read: Callable[[str], bytes]) -> Closure:
    """Every file that the harness at `path` may read. `read`: the bytes of a path that `listing` has."""
    root = project_root(path, listing)
    found: Closure = {}
    waiting = [path, join(root, PROJECT_FILE)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = listing.get(name)
        if name not in listing or not (name == path or name.endswith(".harness")):
            continue
        for read_path in _paths(read(name)):
            # A module's path is relative to the file, a fixture's to the folder of the harness or project.
            waiting += [normpath(join(folder, read_path)) for folder in (dirname(name), dirname(path), root)]
    return found


def _paths(data: bytes) -> list[str]:
    found = []
    for quoted in _READS.findall(data.decode("utf-8", "replace")):
        try:
            found.append(json.loads(quoted))
        except ValueError:
            found.append(quoted[1:-1])
    return [path for path in found if path]
