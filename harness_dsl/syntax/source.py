"""Files to text: UTF-8 with or without a byte-order mark, any line end."""

from os import PathLike
from typing import NamedTuple

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.reading import read_bytes

LIMIT = 16 * 1024 * 1024


class Source(NamedTuple):
    """`text` has line feeds only and no byte-order mark; None if the file cannot be used. `legible`: then
    what can be shown of it, as far as its mistake.
    """

    text: str | None
    diagnostics: list[Diagnostic]
    legible: str = ""

    @property
    def shown(self) -> str:
        """The text, as far as there is one, that the places of the diagnostics are in."""
        return self.legible if self.text is None else self.text


def read(path: str | PathLike[str]) -> Source:
    """The text of the file at `path`, or one diagnostic that says why there is none."""
    name = str(path)
    try:
        data = read_bytes(name)
    except OSError as error:
        from harness_dsl.diagnostics.system import reason

        message = f"`{name}` cannot be read: {reason(error)}"
        return _refused("HD112", name, message, "Check the path and permissions.")
    except ValueError:
        return _refused("HD112", name, "the path holds a NUL character", "Check the path.")
    return decode(data, name)


def decode(data: bytes, path: str) -> Source:
    """The text of `data`, or one diagnostic."""
    if len(data) > LIMIT:
        return _refused("HD113", path, f"the file has {len(data)} bytes", "Split the file.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = normal(data[: error.start].decode("utf-8"))
        message = f"byte {data[error.start]:#04x} is not UTF-8"
        return Source(
            None,
            [
                Diagnostic(
                    "HD111",
                    message,
                    Span(path, len(good), len(good)),
                    "Save the file as UTF-8; it looks like " + _guess(data) + ".",
                )
            ],
            normal(data.decode("utf-8", "replace")),
        )
    text = normal(text)
    if text.lstrip()[:1] in ("{", "[") or text.startswith("---\n"):
        from harness_dsl.syntax.foreign import foreign

        found = foreign(text, path)
        if found is not None:
            return Source(None, [found])
    nul = text.find("\0")
    if nul >= 0:
        found = Diagnostic("HD116", "a NUL character in the text", Span(path, nul, nul + 1), "Remove it.")
        return Source(text, [found])
    return Source(text, [])


def normal(text: str) -> str:
    """`text` without a leading byte-order mark, every line end as one line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _guess(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return "Latin-1 or another single-byte encoding"
    return "GB18030 or Latin-1"


def _refused(code: str, path: str, message: str, help_: str) -> Source:
    return Source(None, [Diagnostic(code, message, Span(path, 0, 0), help_)])
