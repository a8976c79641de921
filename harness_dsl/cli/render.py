"""Print exactly what the model sees of a harness: its system prompt, what it costs and where it comes from.

The harness is a `.harness` file or the JSON that `harnessc compile` writes. Inputs that the prompt names are
taken from --inputs, else from the first test that gives them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse

    from harness_dsl.ir.core import Core
    from harness_dsl.ir.surface import Surface
    from harness_dsl.protocol.source_map import Rendered
    from harness_dsl.protocol.tokenizer import Tokenizer

HELP = "print exactly what the model sees"


class RenderError(Exception):
    """What keeps a prompt from being shown, as its author reads it; `status` is the exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Prompt:
    rendered: Rendered
    core_digest: str
    surface_digest: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a .harness file, or compiled JSON")
    parser.add_argument("--inputs", metavar="FILE", help="YAML or JSON object: a value for each input")
    parser.add_argument("--tokenizer", metavar="DIR", help="count tokens: a tokenizer.json, or its folder")
    parser.add_argument("--source-map", action="store_true", help="list what every piece comes from")
    parser.add_argument("--against", metavar="OTHER", help="say how much of OTHER's prompt stays a prefix")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is printed")


def run(options: argparse.Namespace) -> int:
    try:
        tokenizer = _tokenizer(options.tokenizer) if options.tokenizer else None
        inputs = _inputs_file(options.inputs) if options.inputs else {}
        prompt = _prompt(options.path, inputs)
        other = _prompt(options.against, inputs) if options.against else None
    except RenderError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    if options.format == "json":
        print(json.dumps(_data(prompt, other, tokenizer), ensure_ascii=False, indent=2))
        return 0
    print(_map_text(prompt.rendered) if options.source_map else prompt.rendered.text, end="")
    for line in _summary(prompt, other, options.against, tokenizer):
        print(line, file=sys.stderr)
    return 0


def _prompt(path: str, given: dict[str, Any]) -> Prompt:
    from harness_dsl.ir.canonical import core_digest, surface_digest
    from harness_dsl.protocol.framed import system_turn
    from harness_dsl.protocol.framing import CHATML
    from harness_dsl.protocol.view import View

    core, surface = _harness(path)
    view = View(core, surface)
    inputs = _inputs(core, given, view.renderer.inputs_of_prompt, path)
    rendered = system_turn(view, CHATML, inputs)
    return Prompt(rendered, core_digest(core), surface_digest(core, surface))


def _harness(path: str) -> tuple[Core, Surface]:
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    try:
        opened = open_harness(path)
    except HarnessFileError as error:
        raise RenderError(str(error), error.status) from None
    return opened.core, opened.surface


def _inputs(core: Core, given: dict[str, Any], needed: tuple[str, ...], path: str) -> dict[str, Any]:
    """Values of the inputs that the prompt needs, each of its declared type."""
    from harness_dsl.ir.ids import leaf
    from harness_dsl.ir.values import check_value

    inputs = dict(given)
    for test in core.tests:
        for value in test.given:
            inputs.setdefault(leaf(value.input), value.value)
    types = {leaf(input_.id): input_.type for input_ in core.inputs}
    for name in needed:
        if name not in inputs:
            problem = f"{path}: the prompt shows the input `{name}`, which no test gives"
            raise RenderError(f"{problem}; give it with --inputs FILE", 2)
    for name in given:
        if name not in types:
            continue
        if misfit := check_value(given[name], types[name], core):
            raise RenderError(f"the input `{name}` does not fit its type: {misfit}", 1)
    return inputs


def _inputs_file(path: str) -> dict[str, Any]:
    from harness_dsl.syntax.fixtures import FixtureError, Fixtures

    file = Path(path)
    try:
        data = Fixtures(path, str(file.parent)).load(file.name)
    except FixtureError as error:
        raise RenderError(str(error), 2) from None
    if not isinstance(data, dict):
        raise RenderError(f"`{path}` is no object: it gives a value for each input by name", 2)
    return data


def _tokenizer(path: str) -> Tokenizer:
    from harness_dsl.protocol.tokenizer import HFTokenizer

    try:
        return HFTokenizer.from_file(path)
    except OSError as error:
        raise RenderError(f"`{error.filename or path}`: {error.strerror or error}", 2) from None
    except ValueError as error:
        raise RenderError(f"`{path}`: {error}", 2) from None


def _map_text(rendered: Rendered) -> str:
    """One line a piece: its characters, kind, source and text."""
    lines = [
        f"{span.start:>6}-{span.end:<6} {span.kind:<6}  {span.source}  "
        f"{json.dumps(rendered.text[span.start : span.end], ensure_ascii=False)}\n"
        for span in rendered.spans
    ]
    return "".join(lines)


def _summary(prompt: Prompt, other: Prompt | None, against: str, tokenizer: Tokenizer | None) -> list[str]:
    from harness_dsl.protocol.report import divergence, token_counts

    text = prompt.rendered.text
    counted = f"{len(text)} characters, {len(text.encode())} bytes"
    if tokenizer is not None:
        counts = token_counts(prompt.rendered, tokenizer)
        counted += f", {sum(counts.values())} tokens"
    lines = [counted]
    if tokenizer is not None:
        top = sorted(counts.items(), key=lambda item: -item[1])
        lines += [f"{count:>7} tokens  {source}" for source, count in top]
    if other is not None:
        parted = divergence(other.rendered, prompt.rendered, tokenizer)
        lines.append(
            f"same prompt as {against}: every cached token stays"
            if parted is None
            else f"shares {parted.bytes} bytes"
            + (f" ({parted.tokens} tokens)" if parted.tokens is not None else "")
            + f" with {against}; the first that differs is byte {parted.bytes}, line {parted.line}, "
            f"column {parted.column}: {parted.source or 'the end'}"
        )
    return lines


def _data(prompt: Prompt, other: Prompt | None, tokenizer: Tokenizer | None) -> dict[str, Any]:
    from harness_dsl import __version__
    from harness_dsl.protocol.report import divergence, token_counts

    data: dict[str, Any] = {
        "version": __version__,
        "core_digest": prompt.core_digest,
        "surface_digest": prompt.surface_digest,
        "text": prompt.rendered.text,
        "spans": [asdict(span) for span in prompt.rendered.spans],
    }
    if tokenizer is not None:
        counts = token_counts(prompt.rendered, tokenizer)
        data["tokens"] = {"total": sum(counts.values()), "by_source": counts}
    if other is not None:
        parted = divergence(other.rendered, prompt.rendered, tokenizer)
        data["against"] = None if parted is None else asdict(parted)
    return data
