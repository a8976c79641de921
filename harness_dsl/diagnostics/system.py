"""Failures of the system in words."""

import errno

_WORDS = {
    errno.ENOENT: "there is no such file or folder",
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


def reason(error: OSError) -> str:
    """Why the system refused, as a phrase without number, class or path."""
    if error.errno in _WORDS:
        return _WORDS[error.errno]
    return (error.strerror or "the system refuses it").lower()
