"""Examples of rules: the body of one file, a folder, or an edit. Loaded by `explain` and by tests only."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

MAIN = "shop.harness"
"""The file that is checked in a folder, unless it says otherwise."""


class File(NamedTuple):
    """`text` as it is written to a disk: in an `encoding`, and so many `times` one after the other."""

    text: str
    encoding: str = "utf-8"
    times: int = 1

    @property
    def data(self) -> bytes:
        return self.text.removeprefix("\n").encode(self.encoding) * self.times


class Folder(NamedTuple):
    """Files by their path; `checked` is the one that has the finding, or has it not, on that `command`. What
    `reword` checks is the bank beside the main file.
    """

    files: Mapping[str, str | File]
    checked: str = MAIN
    command: Literal["check", "compile", "reword", "contracts"] = "check"


class Edit(NamedTuple):
    """One harness as it is committed and as it is staged. Folders that come along: `files`."""

    before: str
    after: str
    files: Mapping[str, str] = {}


Example = str | Folder | Edit
"""A text is the body of a file: a header and a prompt are added where it has none."""


class Shown(NamedTuple):
    """A part of an example for a reader. `caption` is empty for the body of a file."""

    caption: str
    text: str


def whole(body: str) -> str:
    """A whole file around the body of an example."""
    head = "" if "harness " in body or "module " in body else 'harness example "1.0.0"\n\n'
    tail = "" if "prompt system" in body else '\n\nprompt system {\n  section persona """Be kind."""\n}\n'
    return head + body.strip("\n") + tail


def shown(example: Example) -> list[Shown]:
    """The parts of `example`, in the order in which they are to be read."""
    match example:
        case str():
            return [Shown("", example.strip("\n"))]
        case Folder():
            parts = [_file(name, file) for name, file in example.files.items()]
            missing = (
                [] if example.checked in example.files else [Shown(f"{example.checked} is not there", "")]
            )
            return parts + missing
        case Edit():
            beside = [_file(name, text) for name, text in example.files.items()]
            before, after = example.before.strip("\n"), example.after.strip("\n")
            return [*beside, Shown("committed", before), Shown("staged", after)]


def _file(name: str, file: str | File) -> Shown:
    if isinstance(file, str):
        return Shown(name, file.strip("\n"))
    caption = name
    if file.encoding != "utf-8":
        caption += f", saved as {file.encoding}"
    if file.times > 1:
        caption += f", with this {file.times:,} times"
    return Shown(caption, "".join("␀" if char == "\0" else char for char in file.text).strip("\n"))
