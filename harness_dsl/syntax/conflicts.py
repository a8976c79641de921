"""What a merge leaves in a file where it could not join two edits."""

import re

from harness_dsl.diagnostics import Diagnostic, Label, Span

_CONFLICT = re.compile(
    r"^<{7}(?: .*)?\n(?:(?!<{7}(?: |\n)|={7}\n).*\n)*"
    r"={7}\n(?:(?!<{7}(?: |\n)|>{7}(?: |\n|\Z)).*\n)*"
    r">{7}(?: .*)?$",
    re.MULTILINE,
)
"""Each line can stand in one part only, so that looking takes time in proportion to the text."""
_MARK = 7
_LABELS = 4
"""So many further conflicts are pointed at; the message counts all."""


def conflict(text: str, path: str) -> Diagnostic | None:
    """The conflicts of a merge that `text` still holds: nothing else that is wrong in it matters yet."""
    if "\n=======\n" not in text:
        return None
    starts = [match.start() for match in _CONFLICT.finditer(text)]
    if not starts:
        return None
    first, *others = [Span(path, start, start + _MARK) for start in starts]
    count = f" in {len(starts)} places" if others else ""
    labels = tuple(Label(span, "another one") for span in others[:_LABELS])
    advice = (
        "Keep one of the two versions, or join them, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`."
    )
    return Diagnostic("HD122", f"a merge has left a conflict{count}", first, advice, labels)
