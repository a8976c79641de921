"""An engine over HTTP: SGLang's native `/generate`, with token ids in and the very sampled ids out.

The server is never imported. Format: https://docs.sglang.io, "Sampling Parameters", the native generate
endpoint.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runtime.engines.base import EngineError, Generation, Piece, Sampling
from runtime.engines.http_client import Http, Retry, parsed, retrying, until
from runtime.engines.sglang_format import BOUNDARY, read_generation, request_body
from runtime.engines.sglang_limits import ASKED, Limits
from runtime.engines.sglang_stream import Pieces

if TYPE_CHECKING:
    import aiohttp

LIMITLESS = 1 << 31


class SGLangEngine:
    """One SGLang server, or a router before several. Connection errors, 429 and 5xx are tried again,
    `attempts` times in all, with jitter; a stream is not, once its first bytes are here.

    A request that takes longer than `timeout_s` in all, or whose task is cancelled, is aborted on the server.
    `vocabulary` is how many ids the model has: SGLang ends its whole process at an id beyond them.
    """

    name = "sglang"

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float = 120.0,
        attempts: int = 3,
        backoff_s: float = 0.25,
        api_key: str | None = None,
        max_connections: int = 256,
        vocabulary: int | None = None,
    ) -> None:
        self._http = Http(BOUNDARY, url, api_key=api_key, max_connections=max_connections)
        self._timeout_s = timeout_s
        self._attempts = attempts
        self._backoff_s = backoff_s
        self._vocabulary = vocabulary
        self._limits: Limits | None = None
        self._aborts: set[asyncio.Task[None]] = set()

    async def generate(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> Generation:
        """Continue `ids`. The server finds cached prefixes by itself, so `session` is not sent."""
        self._check(ids, sampling)
        started = time.perf_counter()
        sent: list[str] = []

        async def send() -> bytes:
            sent.append(uuid.uuid4().hex)
            return await self._http.post("/generate", request_body(ids, fitted, sent[-1]))

        try:
            async with asyncio.timeout(self._timeout_s):
                fitted = await self._fitted(ids, sampling)
                answer = await retrying(BOUNDARY, send, attempts=self._attempts, backoff_s=self._backoff_s)
        except TimeoutError as error:
            self._abort(sent)
            raise self._late() from error
        except asyncio.CancelledError:
            self._abort(sent)
            raise
        seconds = time.perf_counter() - started
        return read_generation(parsed(BOUNDARY, "/generate", answer), fitted, seconds, self._vocabulary)

    async def stream(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> AsyncIterator[Piece]:
        """Continue `ids`, in pieces as the server sends them."""
        self._check(ids, sampling)
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        sent: list[str] = []
        try:
            async with contextlib.AsyncExitStack() as stack:
                fitted = await until(deadline, self._fitted(ids, sampling))
                pieces = Pieces(fitted, self._vocabulary)
                response = await until(deadline, self._opened(stack, ids, fitted, sent))
                lines = self._http.lines(response)
                while not pieces.ended:
                    piece = pieces.read(await until(deadline, _next(lines)))
                    if piece is not None:
                        yield piece
        except Retry as retry:
            raise EngineError(BOUNDARY, str(retry), retryable=True) from retry
        except TimeoutError as error:
            self._abort(sent)
            raise self._late() from error
        except (asyncio.CancelledError, GeneratorExit):
            self._abort(sent)
            raise

    async def flush_cache(self) -> None:
        """Empty the server's prefix cache; needed after a weight update."""
        await self._quickly("/flush_cache", {})

    async def abort(self, request_id: str) -> None:
        """Stop a request on the server."""
        await self._quickly("/abort_request", {"rid": request_id})

    async def healthy(self) -> bool:
        """Whether the server answers `/health` with 200 within 5 seconds."""
        return await self._http.healthy()

    async def close(self) -> None:
        """Close the connections; aborts that are under way are sent first."""
        if self._aborts:
            await asyncio.wait(list(self._aborts), timeout=2.0)
        await self._http.close()

    def _check(self, ids: Sequence[int], sampling: Sampling) -> None:
        if not ids:
            raise ValueError("the prompt is empty")
        if sampling.max_tokens < 1:
            raise ValueError("max_tokens must be at least 1")
        limit = self._vocabulary or LIMITLESS
        if min(ids) < 0 or max(ids) >= limit:
            raise ValueError(f"the prompt has an id outside the vocabulary of {limit}")

    async def _fitted(self, ids: Sequence[int], sampling: Sampling) -> Sampling:
        """`sampling` cut to the room that is left in the server's context."""
        limits = await self._known_limits()
        if len(ids) > limits.prompt:
            raise ValueError(f"the prompt has {len(ids)} tokens, the model takes {limits.prompt}")
        room = limits.total - len(ids)
        return sampling if sampling.max_tokens <= room else replace(sampling, max_tokens=room)

    async def _known_limits(self) -> Limits:
        """What the server says, asked once; none where it does not say."""
        if self._limits is not None:
            return self._limits
        for path, read in ASKED:
            try:
                async with asyncio.timeout(5):
                    found = read(parsed(BOUNDARY, path, await self._http.get(path)))
            except EngineError:
                continue
            except (Retry, TimeoutError):
                # The request itself will tell what is wrong with the server.
                return Limits()
            if found is not None:
                self._limits = found
                return found
        self._limits = Limits()
        return self._limits

    async def _opened(
        self, stack: contextlib.AsyncExitStack, ids: Sequence[int], sampling: Sampling, sent: list[str]
    ) -> aiohttp.ClientResponse:
        """The answer to a streamed request, which `stack` closes."""

        async def send() -> aiohttp.ClientResponse:
            sent.append(uuid.uuid4().hex)
            body = request_body(ids, sampling, sent[-1], stream=True)
            return await stack.enter_async_context(self._http.opened("POST", "/generate", body))

        return await retrying(BOUNDARY, send, attempts=self._attempts, backoff_s=self._backoff_s)

    async def _quickly(self, path: str, body: dict[str, str]) -> None:
        try:
            async with asyncio.timeout(self._timeout_s):
                await retrying(
                    BOUNDARY,
                    lambda: self._http.post(path, body),
                    attempts=self._attempts,
                    backoff_s=self._backoff_s,
                )
        except TimeoutError as error:
            raise self._late() from error

    def _late(self) -> EngineError:
        return EngineError(BOUNDARY, f"no answer within {self._timeout_s:g} s", retryable=True)

    def _abort(self, sent: Sequence[str]) -> None:
        """Stop what was sent, without waiting for it."""
        for request_id in sent:
            task = asyncio.ensure_future(self._quiet_abort(request_id))
            self._aborts.add(task)
            task.add_done_callback(self._aborts.discard)

    async def _quiet_abort(self, request_id: str) -> None:
        # The caller already has its error; a server that cannot be told to stop changes nothing for it.
        with contextlib.suppress(EngineError, Retry, TimeoutError):
            async with asyncio.timeout(2.0):
                await self._http.post("/abort_request", {"rid": request_id})


async def _next(lines: AsyncIterator[bytes]) -> bytes:
    try:
        return await anext(lines)
    except StopAsyncIteration as error:
        raise EngineError(BOUNDARY, "the stream ended before the output", retryable=True) from error
