"""Files that were renamed and edited at once, found again by the name of the harness in them."""

from collections.abc import Callable, Iterator

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.parse import parse


def moves(
    removed: dict[str, Callable[[], bytes]], added: dict[str, Callable[[], bytes]]
) -> Iterator[tuple[str, str]]:
    """(new path, old path) of each harness whose name went from one file to exactly one other."""
    if not (removed and added):
        return
    before, after = _by_name(removed), _by_name(added)
    for name, paths in after.items():
        if len(paths) == 1 and len(before.get(name, ())) == 1:
            yield paths[0], before[name][0]


def _by_name(files: dict[str, Callable[[], bytes]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, read in files.items():
        file, _ = parse(read().decode("utf-8", "replace"), path)
        for header in [decl for decl in file.decls if isinstance(decl, t.Header)][:1]:
            found.setdefault(header.name.text, []).append(path)
    return found
