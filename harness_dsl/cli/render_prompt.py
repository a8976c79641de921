"""Prompts for `harnessc render`: a harness, maybe under a variant, with values for its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness_dsl.ir.core import Core, TestCase
    from harness_dsl.protocol.source_map import Rendered
    from harness_dsl.protocol.tokenizer import Tokenizer
    from harness_dsl.syntax.opening import Opened


class RenderError(Exception):
    """What keeps a prompt from being shown, as its author reads it; `status` is the exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which prompt: of the harness at `path`, as it is or as row `variant` of `seed` shows it. `given` are
    values of inputs; the others come from the test called `test`, or from the first by name that has them.
    """

    path: str
    given: Mapping[str, Any] = field(default_factory=dict)
    test: str | None = None
    variant: int | None = None
    seed: int = 0
    policy: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """`places` says where in which file a symbol stands, as `file:line`; empty for compiled JSON."""

    rendered: Rendered
    core_digest: str
    surface_digest: str
    inputs: frozenset[str]
    places: Mapping[str, str]

    def place(self, source: str) -> str | None:
        """Where the symbol `source` stands, or the nearest one that it belongs to."""
        while source not in self.places and "/" in source:
            source = source.rpartition("/")[0]
        return self.places.get(source)


def prompt(wanted: Wanted) -> Prompt:
    """Raises `RenderError`."""
    from harness_dsl.ir.canonical import core_digest, surface_digest
    from harness_dsl.ir.ids import leaf
    from harness_dsl.protocol.framed import system_turn
    from harness_dsl.protocol.framing import CHATML
    from harness_dsl.protocol.view import View
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    try:
        opened = open_harness(wanted.path)
    except HarnessFileError as error:
        raise RenderError(str(error), error.status) from None
    core, surface = opened.core, opened.surface
    if wanted.variant is not None:
        from runtime.testing.events import VariantError
        from runtime.testing.variants import certified

        try:
            variant = certified(wanted.path, core, surface, wanted.policy, wanted.seed, wanted.variant)
        except VariantError as error:
            raise RenderError(str(error), 1) from None
        core, surface = variant.core, variant.surface
    view = View(core, surface)
    inputs = _inputs(core, wanted, view.renderer.inputs_of_prompt)
    return Prompt(
        system_turn(view, CHATML, inputs),
        core_digest(core),
        surface_digest(core, surface),
        frozenset(leaf(input_.id) for input_ in core.inputs),
        _places(opened),
    )


def _inputs(core: Core, wanted: Wanted, needed: tuple[str, ...]) -> dict[str, Any]:
    """Values of the inputs that the prompt needs, each of its declared type."""
    from harness_dsl.ir.ids import leaf
    from harness_dsl.ir.values import check_value

    inputs = dict(wanted.given)
    for test in _tests(core, wanted):
        for value in test.given:
            inputs.setdefault(leaf(value.input), value.value)
    missing = [f"`{name}`" for name in dict.fromkeys(needed) if name not in inputs]
    if missing:
        several = len(missing) > 1
        shows = f"{wanted.path}: the prompt shows the input{'s' if several else ''} {', '.join(missing)}"
        who = "no test" if wanted.test is None else f"the test `{wanted.test}` does not"
        gives = f"which {who} give{'s' if wanted.test is None else ''}"
        how = "give them" if several else "give it"
        raise RenderError(f"{shows}, {gives}; {how} with --inputs FILE or --input NAME=FILE", 2)
    for input_ in core.inputs:
        name = leaf(input_.id)
        if name not in wanted.given:
            continue
        if misfit := check_value(wanted.given[name], input_.type, core):
            raise RenderError(f"the input `{name}` does not fit its type: {misfit}", 1)
    return inputs


def _tests(core: Core, wanted: Wanted) -> tuple[TestCase, ...]:
    """The tests whose inputs count."""
    if wanted.test is None:
        return core.tests
    for test in core.tests:
        if wanted.test in (test.title, test.id, test.id.partition("/")[2]):
            return (test,)
    raise RenderError(f"{wanted.path} has no test `{wanted.test}`", 2)


def _places(opened: Opened) -> dict[str, str]:
    from harness_dsl.diagnostics.lines import Lines

    lines = {path: Lines(text) for path, text in opened.files.items()}
    return {
        symbol: f"{span.path}:{lines[span.path].place(span.start).line}"
        for symbol, span in opened.spans.items()
        if span.path in lines
    }


def fixture(path: str) -> Any:
    """The value in a YAML or JSON file. Raises `RenderError`."""
    from harness_dsl.syntax.fixtures import FixtureError, Fixtures

    file = Path(path)
    try:
        return Fixtures(path, str(file.parent)).load(file.name)
    except FixtureError as error:
        raise RenderError(str(error), 2) from None


def tokenizer(path: str) -> Tokenizer:
    """The tokenizer in a file or folder. Raises `RenderError`."""
    from harness_dsl.diagnostics.system import reason
    from harness_dsl.protocol.tokenizer import HFTokenizer

    folder = Path(path)
    if folder.is_dir() and not (folder / "tokenizer.json").is_file():
        how = "transformers writes one: `AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR)`"
        raise RenderError(f"`{path}` has no tokenizer.json; {how}", 2)
    try:
        return HFTokenizer.from_file(path)
    except OSError as error:
        raise RenderError(f"`{error.filename or path}`: {reason(error)}", 2) from None
    except ValueError as error:
        raise RenderError(f"`{path}`: {error}", 2) from None
