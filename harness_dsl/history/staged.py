"""Which harnesses a commit or a branch touches: the index beside HEAD, or beside where HEAD left it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from posixpath import join

from harness_dsl.history.git import GitError, Repository
from harness_dsl.history.moves import moves
from harness_dsl.history.snapshot import Snapshot

SHORT = 12
"""So many digits name a commit where it is shown."""


@dataclass(frozen=True)
class Staged:
    """One harness. `path`: in the index; None: removed. `was`: in the state before; None: new.

    `changed`: something that it reads is another file than it was.
    """

    path: str | None
    was: str | None
    changed: bool


def snapshots(repository: Repository, against: str | None = None) -> tuple[Snapshot, Snapshot]:
    """HEAD, without files before the first commit, and the index. Raises `GitError`.

    `against`: a branch; then the state before is the commit at which HEAD left it. A bare repository has no
    index: there the state after is HEAD.
    """
    if against is None:
        index = Snapshot(repository, repository.index(), "")
        head = repository.tree("HEAD") if repository.resolves("HEAD") else {}
        return Snapshot(repository, head, "HEAD"), index
    base = repository.merge_base(against)
    after = repository.index() if repository.top is not None else repository.tree("HEAD")
    return Snapshot(repository, repository.tree(base), base[:SHORT]), Snapshot(repository, after, "")


def staged(head: Snapshot, index: Snapshot, paths: list[str]) -> list[Staged]:
    """Every harness of the index, and those that are gone from it. `head`: the state before.

    With `paths`, only harnesses that lie there or read something there. Raises `GitError` for a path that
    neither state has.
    """
    before, after = set(head.harnesses()), set(index.harnesses())
    renamed = _renames(head, index) if before - after and after - before else {}
    was = {new: old for new, old in renamed.items() if new in after and old in before}
    lost = {path: partial(head.read, path) for path in before - after - set(was.values())}
    come = {path: partial(index.read, path) for path in after - before - was.keys()}
    was |= dict(moves(dict(lost), dict(come)))
    wanted = _chosen(head, index, paths)
    head.load(sorted(before))
    index.load(sorted(after))
    found = []
    for path in sorted(after):
        reads = index.closure(path)
        old = was.get(path, path if path in before else None)
        old_reads = head.closure(old) if old is not None else {}
        if wanted(path) or any(map(wanted, reads)) or any(map(wanted, old_reads)):
            found.append(Staged(path, old, reads != old_reads))
    gone = before - after - set(was.values())
    return found + [Staged(None, path, True) for path in sorted(gone) if wanted(path)]


def _renames(head: Snapshot, index: Snapshot) -> dict[str, str]:
    repository = index.repository
    return repository.renames(head.label, None if repository.top is not None else "HEAD")


def _chosen(head: Snapshot, index: Snapshot, paths: list[str]) -> Callable[[str], bool]:
    if not paths:
        return lambda path: True
    places = [index.repository.from_top(path) for path in paths]
    known = head.listing.keys() | index.listing.keys()
    for shown, place in zip(paths, places, strict=True):
        within = join(place, "") if place else ""
        if place not in known and not any(path.startswith(within) for path in known):
            raise GitError(f"`{shown}` is not in the index: stage it with `git add`")
    return lambda path: any(
        not place or path == place or path.startswith(join(place, "")) for place in places
    )
