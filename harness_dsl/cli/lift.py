"""Take over conversations that were recorded as messages: transcripts by semantic ids, one a line.

LOGS holds one conversation a line: OpenAI-style messages, Anthropic's blocks, or ShareGPT. Each must be one
of the harness: its tools, its system prompt, its inputs. What cannot be lifted is counted by reason, said
with its place, and written aside with its line number and reasons; nothing is lost.

`harnessc augment --transcripts OUT` shows the transcripts under variants.
Exit status 0: every line was lifted. 1: some line was refused. 2: nothing could be done.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.files import clash, is_plain, open_as_it_is, write_atomically
from harness_dsl.cli.main import fail
from harness_dsl.diagnostics.system import reason

if TYPE_CHECKING:
    import argparse
    from typing import Any, TextIO

    from augmentors.logs.belonging import Terms
    from augmentors.logs.collecting import Counts, Seen
    from augmentors.logs.lifting import Lifting

_PLACES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", metavar="LOGS", help="JSON lines, one conversation each")
    parser.add_argument(
        "--harness", metavar="FILE", required=True, help="the harness that they were recorded with"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="where to write transcripts; default: standard output"
    )
    parser.add_argument(
        "--refused", metavar="FILE", help="where refused lines go; default: OUT.refused beside OUT"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="refuse a conversation in which three or more names in prose, and more than this share of all, "
        "are no names of the harness (default 0.5)",
    )
    parser.add_argument(
        "--any-prompt", action="store_true", help="take conversations under another system prompt, too"
    )
    parser.add_argument(
        "--keep-unknown-calls",
        action="store_true",
        help="keep calls of tools that the harness does not have, as text",
    )
    parser.add_argument(
        "--inputs", metavar="FILE", help="JSON: the harness's inputs, for conversations that give none"
    )
    parser.add_argument(
        "--lineage",
        nargs="+",
        default=[],
        metavar="KEY",
        help="where a line says its origin, as in `session_id` or `meta.product`: `split` keeps together "
        "what shares one; default: `lineage`, or else each conversation is one of its own",
    )
    parser.add_argument(
        "--max-line", type=int, default=16, metavar="MB", help="the longest line that is read (default 16)"
    )
    parser.add_argument("--report", metavar="FILE", help="write the counts as JSON")
    parser.add_argument("--all", action="store_true", help=f"show more than {_PLACES} places of each reason")


def run(options: argparse.Namespace) -> int:
    from augmentors.logs.lifting import Lifting
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    if sentence := _misuse(options):
        return fail(sentence)
    try:
        terms = _terms(options)
        opened = open_harness(options.harness)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    counts = _lift(Lifting(opened.core, opened.surface, terms), options)
    if counts.lines == 0:
        return fail(f"there is no conversation in `{options.logs}`")
    if options.report:
        text = json.dumps(counts.as_data(), ensure_ascii=False, indent=2) + "\n"
        write_atomically(options.report, text.encode("utf-8"))
    _tell(counts, options)
    return 1 if counts.refused else 0


def _misuse(options: argparse.Namespace) -> str | None:
    """Why these options do not go together, in a sentence."""
    if not Path(options.logs).is_file():
        return f"there is no file `{options.logs}`"
    if not 0 <= options.limit <= 1:
        return "--limit is a share from 0 to 1"
    if options.max_line < 1:
        return "--max-line must be at least 1"
    for target in (options.output, options.refused, options.report):
        if target and not Path(target).parent.is_dir():
            return f"there is no folder `{Path(target).parent}`"
    if options.inputs and not Path(options.inputs).is_file():
        return f"there is no file `{options.inputs}`"
    written = (options.output, _aside(options), options.report)
    return clash(written, (options.logs, options.harness, options.inputs))


def _terms(options: argparse.Namespace) -> Terms:
    """Raises `HarnessFileError` for a file of inputs that is none."""
    from augmentors.logs.belonging import Terms
    from harness_dsl.protocol.json_text import BadJson, load
    from harness_dsl.syntax.opening import HarnessFileError

    inputs: Any = None
    if options.inputs:
        try:
            inputs = load(Path(options.inputs).read_text("utf-8"))
        except (BadJson, UnicodeDecodeError) as error:
            said = reason(error)
            raise HarnessFileError(f"{options.inputs}: {said}", 1) from None
        if not isinstance(inputs, dict):
            raise HarnessFileError(f"{options.inputs}: an object of inputs is expected", 1)
    lineage = tuple(options.lineage)
    return Terms(options.limit, options.any_prompt, options.keep_unknown_calls, inputs, lineage)


def _lift(lifting: Lifting, options: argparse.Namespace) -> Counts:
    """Writes transcripts and refused lines, each file whole or not at all."""
    from augmentors.logs.collecting import MEGABYTE, Counts, seen
    from augmentors.logs.lifting import Taken

    found: set[str] = set()
    counts, places = Counts(), _Places(None if options.all else _PLACES)
    aside = _aside(options)
    with _Target(options.output) as out, _Target(aside, may_be_empty=False) as refused:
        for one in seen(lifting, Path(options.logs), options.max_line * MEGABYTE, counts):
            _put(one, options.logs, out, refused, places)
            if isinstance(one.result, Taken):
                found |= one.result.transcript.lineage.keys()
    places.rest()
    for key in options.lineage:
        if counts.taken and key.rpartition(".")[2] not in found:
            print(f"{options.logs}: note: no line that was lifted has `{key}` (--lineage)", file=sys.stderr)
    return counts


def _aside(options: argparse.Namespace) -> str | None:
    """Where refused lines go."""
    if options.refused:
        return str(options.refused)
    return f"{options.output}.refused" if options.output and is_plain(options.output) else None


def _put(one: Seen, path: str, out: _Target, refused: _Target, places: _Places) -> None:
    from augmentors.lineage import lineage_of
    from augmentors.logs.collecting import aside
    from augmentors.logs.lifting import Refused

    if isinstance(one.result, Refused):
        places.say(path, one)
        if refused.path is not None:
            for piece in aside(Path(path), one):
                refused.write(piece)
        return
    transcript = one.result.transcript
    out.write(transcript.model_copy(update={"lineage": lineage_of(transcript)}).model_dump_json() + "\n")


class _Target:
    """A file that is there when all is written, or a device or pipe that is written to; None: standard
    output, or nowhere where nothing is to be seen. `may_be_empty`: whether nothing written leaves a file.
    """

    def __init__(self, path: str | None, may_be_empty: bool = True) -> None:
        self.path = path
        self._may_be_empty = may_be_empty
        self._written = False
        self._partial: Path | None = None
        self._file: TextIO | None = None
        if path is not None and is_plain(path):
            self._partial = Path(f"{path}.partial")
            self._file = self._partial.open("w", encoding="utf-8")
        elif path is not None:
            self._file = io.TextIOWrapper(open_as_it_is(path), encoding="utf-8")

    def write(self, text: str) -> None:
        self._written = True
        (self._file or sys.stdout).write(text)

    def __enter__(self) -> _Target:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._file is None or self.path is None:
            return
        if self._partial is None:
            self._file.close()
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if kind is None and (self._written or self._may_be_empty):
            self._partial.replace(self.path)
            return
        self._partial.unlink()
        if kind is None:
            Path(self.path).unlink(missing_ok=True)


class _Places:
    """Says the first places of each kind of reason, and how many there are more."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._said: dict[str, int] = {}

    def say(self, path: str, one: Seen) -> None:
        from augmentors.logs.lifting import Refused
        from augmentors.logs.saying import text

        assert isinstance(one.result, Refused)
        for refusal in one.result.reasons:
            count = self._said[refusal.kind] = self._said.get(refusal.kind, 0) + 1
            if self._most is None or count <= self._most:
                print(text(path, one.line, refusal), file=sys.stderr)

    def rest(self) -> None:
        if self._most is None:
            return
        more = {kind: count - self._most for kind, count in self._said.items() if count > self._most}
        if more:
            listed = ", ".join(f"{count} × {kind}" for kind, count in more.items())
            print(f"and more of the same: {listed}; --all shows them", file=sys.stderr)


def _tell(counts: Counts, options: argparse.Namespace) -> None:
    """The counts, on standard error."""
    shapes = ", ".join(f"{count} {shape}" for shape, count in counts.shapes.most_common())
    lines = f"{counts.lines} conversation{'' if counts.lines == 1 else 's'}"
    print(
        f"{counts.taken} of {lines} lifted{f' ({shapes})' if shapes else ''}, {counts.refused} refused "
        f"({counts.refusal_rate:.1%})",
        file=sys.stderr,
    )
    for kind, count in counts.reasons.most_common():
        print(f"  refused: {kind}: {count} line{'' if count == 1 else 's'}", file=sys.stderr)
    print(
        f"names in prose: {counts.mentions} resolved, {counts.unresolved} unresolved "
        f"({counts.unresolved_rate:.1%})",
        file=sys.stderr,
    )
    if counts.names:
        often = ", ".join(f"`{name}` {count}" for name, count in counts.names.most_common(5))
        print(f"  most often: {often}", file=sys.stderr)
    for note, count in counts.notes.most_common(5):
        print(f"  noted: {note}: {count}, first in {counts.first[note]}", file=sys.stderr)
    aside = _aside(options)
    if counts.refused and aside:
        print(f"refused lines are in {aside}", file=sys.stderr)
