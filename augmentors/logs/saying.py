"""A refusal as people read it: place, reason, the part of the line with a caret, help."""

from augmentors.logs.kinds import KINDS, Refusal
from augmentors.logs.lines import Line
from harness_dsl.diagnostics import Span
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.diagnostics.render import excerpt

_SHOWN = 1 << 20


def text(path: str, line: Line, refusal: Refusal) -> str:
    """Several lines that end without a line feed. Of a line that was not read, nothing is shown."""
    head = f"{path}:{line.number}:{max(1, refusal.column)}: error[{refusal.code}] {refusal.message}"
    parts = [head]
    if line.data is not None and refusal.column and len(line.data) <= _SHOWN:
        source = line.data.decode("utf-8", "replace").rstrip("\r\n")
        start = refusal.column - 1
        span = Span(path, start, min(start + refusal.length, len(source)))
        parts.append(excerpt(span, Lines(source), "^", line.number))
    parts.append(f"  help: {KINDS[refusal.kind].help}")
    return "\n".join(parts)
