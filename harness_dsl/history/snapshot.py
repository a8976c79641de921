"""One state of a repository's files, written out where it can be compiled and run as it was."""

from collections.abc import Iterable
from pathlib import Path
from posixpath import join
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from harness_dsl.history.closure import Closure, closure, project_root
from harness_dsl.history.git import GitError, Listing, Repository

SUFFIX = ".harness"


class Snapshot:
    """The files of a commit, or of the index. As a context manager it owns a temporary folder for them.

    `label` stands before each path that is shown, as in `HEAD:shop.harness`; empty for the index.
    """

    def __init__(self, repository: Repository, listing: Listing, label: str) -> None:
        self.repository = repository
        self.listing = listing
        self.label = label
        self._bytes: dict[str, bytes] = {}
        self._written: set[str] = set()
        self._temporary: TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def folder(self) -> Path:
        """The temporary folder that stands for the top of the repository."""
        if self._temporary is None:
            self._temporary = TemporaryDirectory(prefix="harnessc-")
        # Resolved, so that paths compare equal where the system's temporary folder is a link.
        return Path(self._temporary.name).resolve()

    def harnesses(self) -> list[str]:
        return sorted(path for path in self.listing if path.endswith(SUFFIX))

    def load(self, paths: Iterable[str]) -> None:
        """Reads the blobs of all `paths` at once."""
        missing = {self.listing[path] for path in paths if path in self.listing} - self._bytes.keys()
        self._bytes.update(self.repository.blobs(sorted(missing)))

    def read(self, path: str) -> bytes:
        """The bytes at `path`, which the listing has."""
        self.load([path])
        return self._bytes[self.listing[path]]

    def closure(self, path: str) -> Closure:
        return closure(path, self.listing, self.read)

    def project(self, path: str) -> dict[str, str]:
        """Every file, by blob id, in the project of the harness at `path`: what its tests may read."""
        root = project_root(path, self.listing)
        within = f"{root}/" if root else ""
        return {name: oid for name, oid in self.listing.items() if name.startswith(within)}

    def write(self, paths: Iterable[str]) -> None:
        """Puts the files at `paths` into the folder; those that are not in this state are left out."""
        wanted = [path for path in paths if path in self.listing and path not in self._written]
        self.load(wanted)
        for path in wanted:
            file = self.folder / path
            if ".." in file.parts:
                raise GitError(f"the path `{path}` leaves the repository")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.read(path))
            self._written.add(path)

    def shown(self, path: str) -> str:
        """`path` with the label; also for a path inside the temporary folder."""
        relative = path.removeprefix(f"{self.folder}/")
        return f"{self.label}:{relative}" if self.label else relative

    def plain(self, text: str) -> str:
        """`text` with the temporary folder taken out of it."""
        return text.replace(f"{self.folder}/", f"{self.label}:" if self.label else "").replace(
            str(self.folder), self.label or "."
        )

    def under(self, folder: str) -> list[str]:
        """The harness files in `folder` (empty: everywhere)."""
        within = join(folder, "") if folder else ""
        return [path for path in self.harnesses() if path.startswith(within)]
