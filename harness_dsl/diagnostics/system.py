"""What is wrong outside the files: why the system refuses, and how to install what is missing."""

import errno

_WORDS = {
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "permission is missing",
    errno.EPERM: "permission is missing",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of the path is no folder",
    errno.ELOOP: "its links lead in a circle",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENOSPC: "no space is left on the disk",
    errno.EDQUOT: "no space is left for this user",
    errno.EROFS: "the disk is read-only",
    errno.EEXIST: "it is there already",
    errno.ENOTEMPTY: "the folder is not empty",
    errno.EMFILE: "too many files are open",
    errno.ENXIO: "it is no file that can be read",
    errno.EINVAL: "the system refuses it",
    errno.EIO: "the disk cannot be read or written",
    errno.EADDRINUSE: "the address is in use",
    errno.ECONNREFUSED: "nothing listens there",
}


def reason(error: Exception) -> str:
    """Why the system refused, or why the content cannot be used, as a phrase."""
    match error:
        case OSError(errno=int(number)) if number in _WORDS:
            return _WORDS[number]
        case OSError():
            return (error.strerror or "the system refuses it").lower()
        case UnicodeDecodeError():
            return f"byte {error.object[error.start]:#04x} at {error.start} is not UTF-8"
        case RuntimeError():
            return _WORDS[errno.ELOOP]  # how pathlib says so up to Python 3.12
        case _:
            return str(error)


def install(extra: str) -> str:
    """The command that installs the optional part `extra`: one for a clone, another for a package."""
    from pathlib import Path

    clone = (Path(__file__).parents[2] / "pyproject.toml").is_file()
    return f"pip install -e '.[{extra}]' in the clone" if clone else f"pip install 'harness-dsl[{extra}]'"
