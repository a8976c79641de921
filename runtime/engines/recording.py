"""A small server that speaks SGLang's `/generate`, streamed or not, over any engine and keeps every request
body.

It shows what really goes over the wire: over a scripted engine in tests, or between a client and a server:

    python -m runtime.engines.recording --url http://127.0.0.1:30000 --log wire.jsonl --port 30001
"""

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from runtime.engines.base import Engine, EngineError, Generation, Grammar, GrammarKind, Sampling
from runtime.engines.sglang import SGLangEngine


class RecordingServer:
    """Answers `/generate` with `engine`. `requests` holds the bodies in order of arrival, `aborted` the ids
    of aborted requests; with `log` each body is also appended to that file as a line of JSON.

    `failures` are status codes that the next requests get instead of an answer: for tests of retries.
    `incremental` streams as SGLang does with `--incremental-streaming-output`. `context` is the length that
    the server says its model has, if any.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        log: Path | None = None,
        incremental: bool = False,
        context: int | None = None,
    ) -> None:
        self.requests: list[dict[str, Any]] = []
        self.aborted: list[str] = []
        self.flushes = 0
        self.failures: list[int] = []
        self.url = ""
        self._engine = engine
        self._log = log
        self._incremental = incremental
        self._context = context
        self.app = Starlette(
            routes=[
                Route("/generate", self._generate, methods=["POST"]),
                Route("/flush_cache", self._flush, methods=["GET", "POST"]),
                Route("/abort_request", self._abort, methods=["POST"]),
                Route("/health", self._health, methods=["GET"]),
                Route("/v1/models", self._models, methods=["GET"]),
            ]
        )

    @contextlib.asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncIterator["RecordingServer"]:
        """Serve on the loopback interface while the context lasts; `url` says where (port 0: any free
        one).
        """
        config = uvicorn.Config(self.app, host="127.0.0.1", port=port, log_level="warning", lifespan="off")
        server = _Server(config)
        task = asyncio.create_task(server.serve())
        try:
            while not server.started:
                if task.done():
                    raise EngineError("recording", f"cannot listen on port {port}")
                await asyncio.sleep(0.005)
            bound = server.servers[0].sockets[0].getsockname()
            self.url = f"http://{bound[0]}:{bound[1]}"
            yield self
        finally:
            server.should_exit = True
            server.force_exit = True
            await asyncio.wait([task])

    async def _generate(self, request: Request) -> Response:
        body = await request.json()
        self._record(body)
        if self.failures:
            status = self.failures.pop(0)
            return JSONResponse({"error": {"message": f"told to fail with {status}"}}, status_code=status)
        sampling = read_sampling(body)
        request_id = str(body.get("rid", ""))
        if body.get("stream"):
            events = self._events(body["input_ids"], sampling, request_id)
            return StreamingResponse(events, media_type="text/event-stream")
        try:
            generation = await self._engine.generate(body["input_ids"], sampling)
        except (EngineError, ValueError) as error:
            return JSONResponse({"error": {"message": str(error)}}, status_code=_status(error))
        return JSONResponse(answer_body(generation, request_id))

    async def _events(self, ids: list[int], sampling: Sampling, request_id: str) -> AsyncIterator[str]:
        """The pieces as server-sent events; a failure is one too, since the status has been sent."""
        sent: list[int] = []
        logprobs: list[float] = []
        try:
            async for piece in self._engine.stream(ids, sampling):
                sent += piece.ids
                logprobs += piece.logprobs
                start = len(sent) - len(piece.ids) if self._incremental else 0
                part = Generation(tuple(sent[start:]), "length", tuple(logprobs[start:]))
                yield _event(event_body(part, piece.generation, len(sent), request_id))
        except (EngineError, ValueError) as error:
            yield _event({"error": {"message": str(error), "code": _status(error)}})
        yield "data: [DONE]\n\n"

    def _record(self, body: dict[str, Any]) -> None:
        self.requests.append(body)
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(body, ensure_ascii=False) + "\n")

    async def _flush(self, _: Request) -> Response:
        self.flushes += 1
        return Response("Cache flushed.\n")

    async def _abort(self, request: Request) -> Response:
        self.aborted.append(str((await request.json()).get("rid", "")))
        return Response()

    async def _health(self, _: Request) -> Response:
        return Response()

    async def _models(self, _: Request) -> Response:
        if self._context is None:
            return Response(status_code=404)
        return JSONResponse({"object": "list", "data": [{"id": "model", "max_model_len": self._context}]})


class _Server(uvicorn.Server):
    """Leaves signals to the program that it runs in."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def read_sampling(body: dict[str, Any]) -> Sampling:
    """What a request body asks for."""
    parameters = body["sampling_params"]
    kinds: tuple[GrammarKind, ...] = get_args(GrammarKind)
    kind = next((kind for kind in kinds if parameters.get(kind)), None)
    return Sampling(
        max_tokens=parameters["max_new_tokens"],
        temperature=parameters.get("temperature", 1.0),
        top_p=parameters.get("top_p", 1.0),
        stop_ids=tuple(parameters.get("stop_token_ids") or ()),
        seed=parameters.get("sampling_seed"),
        logprobs=bool(body.get("return_logprob")),
        grammar=None if kind is None else Grammar(kind, parameters[kind]),
    )


def event_body(part: Generation, whole: Generation | None, count: int, request_id: str) -> dict[str, Any]:
    """One event of a stream: the ids of `part`, of `count` so far, and how it ended once it has."""
    body = answer_body(
        part if whole is None else replace(whole, ids=part.ids, logprobs=part.logprobs), request_id
    )
    body["meta_info"]["completion_tokens"] = count
    if whole is None:
        body["meta_info"]["finish_reason"] = None
    return body


def answer_body(generation: Generation, request_id: str) -> dict[str, Any]:
    """`generation` as SGLang answers; `text` is empty, since no tokenizer is at hand."""
    last = generation.ids[-1] if generation.ids else None
    finish = {
        "stop": {"type": "stop", "matched": last},
        "length": {"type": "length", "length": len(generation.ids)},
        "abort": {"type": "abort", "message": "aborted"},
    }[generation.stop_reason]
    meta: dict[str, Any] = {
        "id": request_id,
        "finish_reason": finish,
        "prompt_tokens": generation.prompt_tokens,
        "completion_tokens": len(generation.ids),
        "cached_tokens": generation.cached_tokens,
        "e2e_latency": generation.seconds,
    }
    if generation.logprobs:
        pairs = zip(generation.logprobs, generation.ids, strict=True)
        meta["output_token_logprobs"] = [[logprob, id_, None] for logprob, id_ in pairs]
    if generation.draft_acceptance is not None:
        meta["spec_accept_rate"] = generation.draft_acceptance
    return {"text": "", "output_ids": list(generation.ids), "meta_info": meta}


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"


def _status(error: Exception) -> int:
    return 503 if isinstance(error, EngineError) and error.retryable else 400


async def _record(url: str, log: Path, port: int) -> None:
    engine = SGLangEngine(url)
    try:
        async with RecordingServer(engine, log=log).listening(port) as server:
            print(f"recording {server.url} → {url} in {log}", flush=True)
            await asyncio.Event().wait()
    finally:
        await engine.close()


def main() -> int:
    """Record what goes to an SGLang server, until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m runtime.engines.recording", description=main.__doc__)
    parser.add_argument("--url", required=True, help="the SGLang server that answers")
    parser.add_argument("--log", type=Path, required=True, help="file that request bodies are appended to")
    parser.add_argument("--port", type=int, default=30001, help="where to listen (default 30001)")
    options = parser.parse_args()
    try:
        asyncio.run(_record(options.url, options.log, options.port))
    except KeyboardInterrupt:
        return 130
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
