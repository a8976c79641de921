"""Serve a harness over HTTP: viewers' messages in, replies out, and the harness swapped while it runs."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics.system import install

if TYPE_CHECKING:
    from runtime.engines.base import Engine
    from runtime.load import Loaded
    from runtime.rooms import Rooms

HELP = "serve a harness over HTTP, with hot swap"

EXAMPLES = """\
POST /v1/rooms/NAME/danmaku  {"text": "…"}  the reply, its calls, and the version that gave it
GET  /v1/rooms/NAME                         what was said and done in the room
POST /admin/harness                         activate compiled JSON; every room takes it at its next turn
GET  /healthz, /readyz

  export TOKEN=something-secret
  harnessc serve shop.harness --model DIR --room room.yaml --admin-token-env TOKEN
  curl -d '{"text": "3号链接多少钱？"}' http://127.0.0.1:8100/v1/rooms/a/danmaku

  harnessc serve shop.harness --model DIR --room room.yaml --engine sglang --url http://127.0.0.1:30000
  harnessc serve shop.harness --model DIR --room room.yaml --engine sglang --launch --tp 2 --page-size 16

  harnessc compile edited.harness |
    curl -H "Authorization: Bearer $TOKEN" --data-binary @- http://127.0.0.1:8100/admin/harness
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", type=Path, help="a harness file, or its compiled JSON")
    parser.add_argument(
        "--model", metavar="DIR", type=Path, required=True, help="the model; only its tokenizer for sglang"
    )
    parser.add_argument("--engine", choices=("embedded", "sglang"), default="embedded")
    parser.add_argument(
        "--url", help="where the SGLang server, or its router, listens (with --engine sglang)"
    )
    parser.add_argument(
        "--launch",
        metavar="FLAG",
        nargs=argparse.REMAINDER,
        help="start the SGLang server too, and stop it at the end; all that follows are SGLang's own flags",
    )
    parser.add_argument(
        "--sglang-python",
        metavar="PATH",
        default=sys.executable,
        help="the Python that has SGLang installed (with --launch; default: this one)",
    )
    parser.add_argument(
        "--engine-key-env", metavar="VAR", help="environment variable with the API key of the SGLang server"
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to bind to (default: loopback)")
    parser.add_argument("--port", type=int, default=8100, help="the port to listen on (default 8100; 0: any)")
    parser.add_argument("--room", metavar="FILE", help="fixture with the value of the input `room`")
    parser.add_argument(
        "--input", metavar="NAME=FILE", action="append", default=[], help="fixture of another input"
    )
    parser.add_argument(
        "--admin-token-env",
        metavar="VAR",
        help="environment variable with the token that activates a harness; without it none can be activated",
    )
    parser.add_argument("--max-tokens", type=int, default=512, help="longest model output (default 512)")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 is greedy (default)")
    parser.add_argument(
        "--constrain",
        action="store_true",
        help="let the model call shown tools alone, with arguments of their types (a grammar does it)",
    )
    parser.add_argument("--max-rooms", type=int, default=1000, help="rooms kept at once (default 1000)")


def run(args: argparse.Namespace) -> int:
    """0: stopped. 1: the harness has a mistake. 2: usage or environment."""
    from runtime.engines.base import EngineError
    from runtime.load import LoadError, load_harness

    problem = _wrong_usage(args)
    if problem is not None:
        return _usage(problem)
    try:
        token, key = _secret(args.admin_token_env), _secret(args.engine_key_env)
    except KeyError as error:
        return _usage(f"the environment variable {error.args[0]} is not set")
    with contextlib.ExitStack() as until_the_end:
        try:
            loaded = load_harness(args.path)
            rooms = _rooms(args, loaded, _inputs(args), lambda: _engine(args, key, until_the_end))
        except ImportError:
            return _usage(f"it needs starlette, uvicorn and aiohttp: {install('serve')}")
        except LoadError as error:
            print(error, file=sys.stderr)
            return error.status
        except (EngineError, ValueError) as error:
            return _usage(str(error))
        for tool in loaded.unreachable():
            print(f"harnessc serve: {tool} has no implementation here; its calls will fail", file=sys.stderr)
        return _serve(args, rooms, token)


def _serve(args: argparse.Namespace, rooms: Rooms, token: str | None) -> int:
    try:
        import uvicorn

        from runtime.server import create_app
    except ImportError:
        return _usage(f"it needs starlette, uvicorn and aiohttp: {install('serve')}")
    app = create_app(rooms, admin_token=token)
    try:
        uvicorn.run(app, host=args.host, port=args.port, log_level="info")
    except SystemExit:
        # uvicorn has said why it cannot listen.
        return 2
    return 0


def _wrong_usage(args: argparse.Namespace) -> str | None:
    if args.url is not None and args.launch is not None:
        return "--url names a server that runs, --launch starts one: give one of them"
    if (args.engine == "sglang") != (args.url is not None or args.launch is not None):
        return "--engine sglang goes with --url URL or --launch"
    if not 0 <= args.port <= 65535:
        return "--port is from 0 to 65535"
    if args.max_tokens < 1 or args.max_rooms < 1:
        return "--max-tokens and --max-rooms must be at least 1"
    if args.temperature < 0:
        return "--temperature must not be negative"
    wrong = [pair for pair in args.input if not all(pair.partition("="))]
    return f"--input takes NAME=FILE, not `{wrong[0]}`" if wrong else None


def _inputs(args: argparse.Namespace) -> dict[str, Any]:
    """The input values by name. Raises `ValueError` for a fixture that cannot be used."""
    from harness_dsl.syntax.fixtures import FixtureError, Fixtures

    files = dict(pair.split("=", 1) for pair in args.input)
    if args.room:
        files["room"] = args.room
    values: dict[str, Any] = {}
    for name, file in files.items():
        path = Path(file).resolve()
        try:
            values[name] = Fixtures(str(path), str(path.parent)).load(path.name)
        except FixtureError as error:
            raise ValueError(f"{file}: {error}") from error
    return values


def _secret(variable: str | None) -> str | None:
    """What the environment variable holds. Raises `KeyError` where it holds nothing."""
    if variable is None:
        return None
    if not os.environ.get(variable):
        raise KeyError(variable)
    return os.environ[variable]


def _rooms(
    args: argparse.Namespace, loaded: Loaded, inputs: dict[str, Any], engine: Callable[[], Engine]
) -> Rooms:
    from runtime.engines.base import Sampling
    from runtime.model_files import load_tokenizer
    from runtime.rooms import Rooms
    from runtime.session import checked_inputs
    from runtime.version import Versions

    checked_inputs(loaded.core, inputs)
    versions = Versions(load_tokenizer(args.model), loaded.tools, loaded.hooks, constrained=args.constrain)
    # Before the model is loaded, which takes long: a function that does not fit its tool is said at once.
    versions.of(loaded.core, loaded.surface)
    return Rooms(
        versions,
        engine(),
        loaded.core,
        loaded.surface,
        inputs,
        sampling=Sampling(max_tokens=args.max_tokens, temperature=args.temperature),
        max_rooms=args.max_rooms,
    )


def _engine(args: argparse.Namespace, key: str | None, until_the_end: contextlib.ExitStack) -> Engine:
    if args.engine == "sglang":
        from runtime.engines.sglang import SGLangEngine
        from runtime.model_files import vocabulary_size

        url = args.url
        if args.launch is not None:
            from runtime.engines.sglang_launch import Launch, launched

            launch = Launch(model=args.model, flags=tuple(args.launch), python=args.sglang_python)
            server = until_the_end.enter_context(launched(launch))
            url, key = server.url, server.api_key or key
        return SGLangEngine(url, api_key=key, vocabulary=vocabulary_size(args.model))
    from runtime.engines.embedded import EmbeddedEngine
    from runtime.engines.embedded_model import quiet_loading

    quiet_loading()
    return EmbeddedEngine.load(args.model)


def _usage(sentence: str) -> int:
    print(f"harnessc serve: {sentence}", file=sys.stderr)
    return 2
