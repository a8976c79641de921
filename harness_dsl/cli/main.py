"""`harnessc`: finds the command, imports it alone, and turns what goes wrong into an exit status.

0: fine. 1: findings. 2: wrong usage, or something outside the files. `--help` imports the standard library
only.
"""

import gc
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from types import ModuleType
    from typing import NoReturn

COMMANDS = {
    "check": "find mistakes in harness files",
    "fmt": "lay harness files out in the canonical way",
    "compile": "write the canonical IR of a harness as JSON",
    "import": "write a harness from tools, benchmark items, Agent Skills or hook settings of others",
    "diff": "say what an edit changes, and how much it matters",
    "guard": "check what is staged, and the version that its edits ask for",
    "render": "print exactly what the model sees",
    "augment": "draw certified variants of a harness",
    "verify": "check the certificates of variants",
    "lift": "take over recorded conversations as transcripts of a harness",
    "split": "split conversations or rows into sets that share no origin",
    "leakage": "say what an evaluation set shares with a training set",
    "reword": "propose and review other wordings of a harness",
    "variants": "show variants of a harness side by side",
    "test": "run the tests of a harness on an engine",
    "train": "train a model on variants of a harness",
    "eval": "measure a model on a harness, its variants and edits",
    "serve": "serve a harness over HTTP, with hot swap",
    "explain": "explain a diagnostic code, or an operator that draws variants",
}


QUICK = ("check", "fmt")
"""The commands that run at every save. Their only arguments without a dash are paths."""


def available() -> dict[str, str]:
    """The commands whose module is installed."""
    folder = os.path.dirname(__file__)
    there = set(os.listdir(folder))
    return {name: about for name, about in COMMANDS.items() if f"{module_of(name)}.py" in there}


def module_of(name: str) -> str:
    """The module of a command; one that is a word of Python has a `_` behind it."""
    return f"{name}_" if name == "import" else name


def usage() -> str:
    commands = available()
    widest = max(map(len, commands), default=0)
    lines = [f"  {name:<{widest}}  {about}" for name, about in commands.items()]
    return "\n".join(
        [
            "usage: harnessc COMMAND [OPTIONS]",
            "",
            "Write, check, vary, train for and serve the harness around a language model.",
            "",
            "commands:",
            *lines,
            "",
            "`harnessc COMMAND --help` explains a command; `harnessc --version` prints the version.",
            "exit status: 0 fine; 1 findings: a mistake in a file, a failed test, a row that does not hold;",
            "2 nothing could be done: wrong usage, or a file or package is missing; 130 interrupted",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; returns the exit status. Without `arguments`: those of the process."""
    if arguments is not None:
        return _guarded(arguments)
    words = sys.argv[1:]
    if not words or words[0] not in QUICK:
        return _guarded(words)
    # What these make lives until the end and has few circles: looking for some again and again, and taking it
    # all apart at the end, would be a tenth of their time.
    gc.set_threshold(100_000, 50, 100)
    status = _guarded(words)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(status)


def _guarded(words: list[str]) -> int:
    """Runs a command, and puts into words what goes wrong."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show 元 must not turn a finding into a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("harnessc: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the output is gone; a second failure at exit must not print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as error:
        return _missing(error)
    except OSError as error:
        from harness_dsl.diagnostics.system import reason

        return fail(f"{error.filename or 'input or output'}: {reason(error)}")


def fail(sentence: str) -> int:
    """Says in one sentence why a command cannot run; returns 2."""
    print(f"harnessc: {sentence}", file=sys.stderr)
    return 2


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if words else 2
    if words[0] == "--version":
        from harness_dsl import __version__

        print(f"harnessc {__version__}")
        return 0
    if "" in words:
        # A shell variable that is not set must not mean "this whole folder".
        return fail("one of the arguments is empty")
    name = words[0]
    if name == "check":
        from harness_dsl.cli.remembered import unchanged

        status = unchanged(words[1:])
        if status is not None:
            return status
    commands = available()
    if name not in commands:
        return fail(_unknown(name, list(commands)))
    return _run(name, words[1:])


def _unknown(name: str, commands: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, commands, n=1)
    advice = f"did you mean `{close[0]}`?" if close else "`harnessc --help` lists the commands"
    return f"there is no command `{name}`; {advice}"


def _run(name: str, words: list[str]) -> int:
    import importlib

    module = importlib.import_module(f"harness_dsl.cli.{module_of(name)}")
    plain = name in QUICK and words and not any(word.startswith("-") for word in words)
    options = only_paths(module, words) if plain else _parsed(name, module, words)
    status: int = options if isinstance(options, int) else module.run(options)
    return status


def only_paths(module: "ModuleType", paths: list[str]) -> "Namespace":
    """The options of a quick command that is given paths alone: loading argparse takes longer than that."""
    from types import SimpleNamespace

    options = SimpleNamespace()

    class Defaults:
        def add_argument(self, *names: str, action: str = "", default: object = None, **_: object) -> None:
            name = names[-1].lstrip("-").replace("-", "_")
            setattr(options, name, False if action == "store_true" else default)

    module.add_arguments(Defaults())
    options.paths = paths
    return options  # type: ignore[return-value]  # has the attributes of the Namespace that argparse makes


def _parsed(name: str, module: "ModuleType", words: list[str]) -> "Namespace | int":
    """The options in `words`, or the exit status."""
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> "NoReturn":
            print(f"harnessc {name}: {message}; see `harnessc {name} --help`", file=sys.stderr)
            raise SystemExit(2)

    parser = Parser(
        prog=f"harnessc {name}",
        description=module.__doc__,
        epilog=getattr(module, "EXAMPLES", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    try:
        return parser.parse_args(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2


EXTRAS = {
    "train": (
        "torch",
        "transformers",
        "trl",
        "accelerate",
        "datasets",
        "peft",
        "scipy",
        "matplotlib",
        "numpy",
    ),
    "parquet": ("pyarrow",),
    "serve": ("starlette", "uvicorn", "aiohttp"),
    "lsp": ("pygls",),
    "scale": ("ray",),
}


def _missing(error: ModuleNotFoundError) -> int:
    top = (error.name or "").split(".")[0]
    for extra, modules in EXTRAS.items():
        if top in modules:
            from harness_dsl.diagnostics.system import install

            return fail(f"this needs `{top}`: {install(extra)}")
    if top in ("harness_dsl", "grammar", "runtime", "trainer", "augmentors"):
        raise error
    return fail(f"this needs the Python package `{top}`, which is not installed")


if __name__ == "__main__":
    raise SystemExit(main())
