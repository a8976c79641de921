"""What git keeps: trees, the index and blobs. The `git` program is only asked; nothing is ever written."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from posixpath import normpath

Listing = Mapping[str, str]
"""Blob id by path from the top of the repository, with `/`. Links and submodules are left out."""

EMPTY = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
"""The id of a blob without bytes, under sha-1 and sha-256."""

REGULAR = ("100644", "100755")


class GitError(Exception):
    """Git cannot answer; the message is one sentence."""


class Repository:
    """The repository that the folder lies in. Raises `GitError` if there is none, or no `git` program.

    `top`: the folder of its work tree; None in a bare repository.
    """

    def __init__(self, folder: str | Path = ".") -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise GitError(f"there is no folder `{folder}`")
        try:
            bare = self._ask("rev-parse", "--is-bare-repository").strip() == b"true"
        except GitError as error:
            if "not a git repository" in str(error):
                raise GitError(f"`{self.folder.resolve()}` lies in no git repository") from None
            raise
        inside = self._ask("rev-parse", "--is-inside-work-tree").strip() == b"true"
        if not bare and not inside:
            raise GitError(
                f"`{self.folder.resolve()}` lies inside a repository's own folder, not in its files"
            )
        top = None if bare else os.fsdecode(self._ask("rev-parse", "--show-toplevel")).rstrip("\n")
        self.top = None if top is None else Path(top)

    def resolves(self, revision: str) -> bool:
        """Whether `revision` names a commit or tree."""
        return self._says("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")

    def tree(self, revision: str) -> Listing:
        """The files of a commit. Raises `GitError` for an unknown one."""
        if not self.resolves(revision):
            raise GitError(f"git knows no revision `{revision}`")
        listed = self._ask("ls-tree", "-r", "-z", "--full-tree", f"{revision}^{{tree}}")
        found = {}
        for line in _records(listed):
            facts, _, path = line.partition(b"\t")
            mode, _, oid = facts.decode().split(" ")
            if mode in REGULAR:
                found[os.fsdecode(path)] = oid
        return found

    def index(self) -> Listing:
        """The staged files. Raises `GitError` in a bare repository, and while a merge has conflicts."""
        if self.top is None:
            raise GitError("a bare repository has no index: nothing can be staged in it")
        found = {}
        for line in _records(self._ask("ls-files", "--stage", "-z", "--full-name", ":/")):
            facts, _, path = line.partition(b"\t")
            mode, oid, stage = facts.decode().split(" ")
            if stage != "0":
                raise GitError(f"`{os.fsdecode(path)}` has conflicts of a merge: resolve and stage it first")
            if mode in REGULAR:
                found[os.fsdecode(path)] = oid
        dropped = self._not_added(path for path, oid in found.items() if oid in EMPTY)
        return {path: oid for path, oid in found.items() if path not in dropped}

    def commits(self, revision: str, paths: Iterable[str], most: int) -> list[str]:
        """Up to `most` commits before `revision` that touched one of `paths`, and what they came from."""
        places = [f":(top,literal){path}" for path in paths]
        listed = self._ask("log", f"--max-count={most}", "--format=%H %P", revision, "--", *places)
        return list(dict.fromkeys(word for line in listed.decode().splitlines() for word in line.split()))

    def merge_base(self, revision: str) -> str:
        """The commit at which HEAD left `revision`. Raises `GitError` where there is none, or no HEAD."""
        for name in (revision, "HEAD"):
            if not self._says("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"):
                raise GitError(f"git knows no commit `{name}`")
        done = self._run(["merge-base", "--end-of-options", revision, "HEAD"])
        if done.returncode != 0:
            shallow = self._ask("rev-parse", "--is-shallow-repository").strip() == b"true"
            why = ": this clone is shallow, fetch the whole history" if shallow else ""
            raise GitError(f"`{revision}` and HEAD have no commit in common{why}")
        return done.stdout.decode().strip()

    def renames(self, old: str, new: str | None) -> dict[str, str]:
        """Path in `new` (None: the index) → path in the commit `old`, of files that git takes for renamed."""
        places = ["--cached", old] if new is None else [old, new]
        listed = self._ask("diff", "--find-renames", "--diff-filter=R", "--name-status", "-z", *places)
        words = _records(listed)
        return {
            os.fsdecode(new): os.fsdecode(old)
            for _, old, new in zip(words[::3], words[1::3], words[2::3], strict=True)
        }

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of each blob, through one `git cat-file --batch`. Raises `GitError` if one is gone."""
        wanted = list(dict.fromkeys(oids))
        if not wanted:
            return {}
        data = self._ask("cat-file", "--batch", given="".join(f"{oid}\n" for oid in wanted).encode())
        found, at = {}, 0
        for oid in wanted:
            end = data.index(b"\n", at)
            head = data[at:end].split(b" ")
            if len(head) != 3:
                raise GitError(f"git has lost the blob {oid}")
            start, size = end + 1, int(head[2])
            found[oid] = data[start : start + size]
            at = start + size + 1
        return found

    def from_top(self, path: str | Path) -> str:
        """`path`, relative to the folder, as git writes it; empty for the top. Raises `GitError` outside."""
        if self.top is None:
            return Path(path).as_posix().removeprefix("./")
        # Only the folder is resolved: a link in the work tree is a file of its own to git.
        full = Path(normpath(self.folder.resolve() / path))
        try:
            relative = full.relative_to(self.top.resolve()).as_posix()
        except ValueError:
            raise GitError(f"`{path}` lies outside the repository") from None
        return "" if relative == "." else relative

    def _not_added(self, paths: Iterable[str]) -> set[str]:
        """Of `paths`, empty in the index, those only announced by `git add -N`: no commit gets them."""
        empty = set(paths)
        if not empty:
            return set()
        staged = self._ask("diff", "--cached", "--no-renames", "--name-only", "-z")
        kept = {os.fsdecode(path) for path in _records(staged)}
        return empty - kept - (self.tree("HEAD").keys() if self.resolves("HEAD") else set())

    def _says(self, *words: str) -> bool:
        return self._run(words).returncode == 0

    def _ask(self, *words: str, given: bytes = b"") -> bytes:
        done = self._run(words, given)
        if done.returncode != 0:
            said = os.fsdecode(done.stderr).strip().removeprefix("fatal: ")
            raise GitError(f"git {words[0]} failed: {said.splitlines()[0] if said else 'it gave no reason'}")
        return done.stdout

    def _run(self, words: Iterable[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        # Optional locks would let a mere question rewrite the index of the user.
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        try:
            return subprocess.run(
                ["git", *words],
                cwd=self.folder,
                env=environment,
                input=given,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError:
            raise GitError("the program `git` is not installed") from None


def _records(data: bytes) -> list[bytes]:
    return data.split(b"\0")[:-1]
