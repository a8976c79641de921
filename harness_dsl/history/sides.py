"""The two sides of a comparison: a file, a folder, or what git keeps of either."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from posixpath import join, relpath

from harness_dsl.history.closure import Closure
from harness_dsl.history.comparison import Comparison, Status, compare
from harness_dsl.history.git import GitError, Repository
from harness_dsl.history.moves import moves
from harness_dsl.history.opening import open_at, open_shown
from harness_dsl.history.snapshot import SUFFIX, Snapshot
from harness_dsl.syntax.opening import HarnessFileError, Opened


class SideError(Exception):
    """An operand names nothing that can be compared; the message is one sentence."""


@dataclass(frozen=True)
class One:
    """One harness in one state. `reads`: what it is made of, where git knows."""

    shown: str
    open: Callable[[], Opened]
    read: Callable[[], bytes]
    reads: Callable[[], Closure] | None = None


@dataclass(frozen=True)
class Many:
    """The harness files of a folder or of a commit, by path below it. `repository`: of a commit."""

    shown: str
    files: dict[str, One]
    repository: Repository | None = None


Side = One | Many


def side(operand: str, paths: list[str], stack: ExitStack) -> Side:
    """What `operand` names: a file, a folder, `REV:path`, or a commit, of which only `paths` count.

    `stack` cleans up when the side is no longer needed. Raises `SideError` or `GitError`.
    """
    path = Path(operand)
    # A bare repository holds a file called HEAD.
    if path.is_file() and path.suffix in (SUFFIX, ".json"):
        return _file(path)
    if path.is_dir():
        return Many(operand, {str(file.relative_to(path)): _file(file) for file in _below(path)})
    try:
        repository = Repository()
    except GitError as error:
        if path.is_file():
            return _file(path)
        raise SideError(f"there is no file `{operand}`, and no git revision: {error}") from None
    revision, colon, inside = operand.partition(":")
    if colon and (not revision or repository.resolves(revision)):
        return _at(repository, revision, inside, stack)
    if not repository.resolves(operand):
        if path.is_file():
            return _file(path)
        raise SideError(f"`{operand}` is no file, no folder and no git revision")
    snapshot = stack.enter_context(Snapshot(repository, repository.tree(operand), operand))
    folders = [repository.from_top(name) for name in paths] or [""]
    chosen = [name for name in snapshot.harnesses() if any(_within(name, folder) for folder in folders)]
    return Many(operand, {name: _kept(snapshot, name) for name in chosen}, repository)


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob(f"*{SUFFIX}")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts):
            yield file


def _file(path: Path) -> One:
    return One(str(path), lambda: open_shown(path), path.read_bytes)


def _kept(snapshot: Snapshot, path: str) -> One:
    def opened() -> Opened:
        return open_at(snapshot, path)

    return One(snapshot.shown(path), opened, lambda: snapshot.read(path), lambda: snapshot.closure(path))


def _at(repository: Repository, revision: str, inside: str, stack: ExitStack) -> Side:
    """`REV:path`; without `REV`, the index. `./path` is relative to the folder, as in git."""
    listing = repository.tree(revision) if revision else repository.index()
    path = repository.from_top(inside) if inside.startswith(("./", "../")) else inside.rstrip("/")
    snapshot = stack.enter_context(Snapshot(repository, listing, revision))
    if path in listing:
        return _kept(snapshot, path)
    below = snapshot.under(path)
    if not below:
        raise SideError(f"`{revision}:{inside}` is no file and no folder with harness files")
    return Many(f"{revision}:{inside}", {relpath(name, path or "."): _kept(snapshot, name) for name in below})


def _within(name: str, folder: str) -> bool:
    return not folder or name == folder or name.startswith(join(folder, ""))


def pair(old: Side, new: Side) -> tuple[Side, Side]:
    """Both sides of one form: a file beside a commit is compared with what the commit has at its path.

    Raises `SideError` for a file beside a folder.
    """
    if isinstance(old, One) and isinstance(new, Many):
        return old, _beside(old, new)
    if isinstance(old, Many) and isinstance(new, One):
        return _beside(new, old), new
    return old, new


def _beside(file: One, commit: Many) -> One:
    if commit.repository is None:
        raise SideError(f"`{file.shown}` is a file and `{commit.shown}` is a folder")
    name = commit.repository.from_top(file.shown)
    if name not in commit.files:
        raise SideError(f"`{commit.shown}` has no file `{name}`")
    return commit.files[name]


def compare_one(
    path: str, old: One, new: One, was: str | None = None, operators: Mapping[str, int] | None = None
) -> Comparison:
    """Raises `HarnessFileError` for mistakes."""
    return compare(path, old.open(), new.open(), was, operators)


def compare_many(old: Many, new: Many, operators: Mapping[str, int] | None = None) -> list[Comparison]:
    """Every harness of which the two sides differ; one that moved is found again by the name in its
    header."""
    moved = dict(moves(_only(old, new), _only(new, old)))
    found = []
    for path in sorted(old.files.keys() | new.files.keys()):
        if path in moved.values():
            continue
        if path in new.files:
            was = moved.get(path, path)
            found.append(_pair(path, was, old.files.get(was), new.files[path], operators))
        else:
            found.append(Comparison(path, Status.REMOVED, about="removed"))
    return [comparison for comparison in found if comparison.status != Status.SAME or comparison.was]


def _only(one: Many, other: Many) -> dict[str, Callable[[], bytes]]:
    return {path: file.read for path, file in one.files.items() if path not in other.files}


def _pair(path: str, was: str, old: One | None, new: One, operators: Mapping[str, int] | None) -> Comparison:
    if old is None:
        return Comparison(path, Status.ADDED, about="added")
    moved = was if was != path else None
    if old.reads is not None and new.reads is not None and old.reads() == new.reads():
        return Comparison(path, Status.SAME, was=moved, about="nothing it reads differs")
    try:
        return compare_one(path, old, new, moved, operators)
    except HarnessFileError as error:
        return Comparison(path, Status.BROKEN, was=moved, about=str(error).rstrip())
