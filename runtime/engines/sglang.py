"""An engine over HTTP: SGLang's native `/generate`, with token ids in and the very sampled ids out.

The server is never imported. Format: https://docs.sglang.io, "Sampling Parameters", the native generate
endpoint.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics.system import install
from runtime.engines.base import EngineError, Generation, Sampling
from runtime.engines.sglang_format import BOUNDARY, read_generation, request_body

if TYPE_CHECKING:
    import aiohttp

ERROR_TEXT_LIMIT = 300
LONGEST_WAIT_S = 30.0


class _Retry(Exception):
    """The request may succeed when it is sent again, after `wait_s` if the server asked for that."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class SGLangEngine:
    """One SGLang server. Connection errors, 429 and 5xx are tried again, `attempts` times in all, with
    jitter.

    A request that takes longer than `timeout_s`, or whose task is cancelled, is aborted on the server.
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
    ) -> None:
        self._url = url.rstrip("/")
        self._timeout_s = timeout_s
        self._attempts = attempts
        self._backoff_s = backoff_s
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._max_connections = max_connections
        self._client: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._aborts: set[asyncio.Task[None]] = set()

    async def generate(
        self, ids: Sequence[int], sampling: Sampling, *, session: str | None = None
    ) -> Generation:
        """Continue `ids`. The server finds cached prefixes by itself, so `session` is not sent."""
        if not ids:
            raise ValueError("the prompt is empty")
        started = time.perf_counter()
        request_id = uuid.uuid4().hex
        body = request_body(ids, sampling, request_id)
        try:
            answer = await asyncio.wait_for(self._post("/generate", body), self._timeout_s)
        except TimeoutError as error:
            self._abort(request_id)
            raise EngineError(BOUNDARY, f"no answer within {self._timeout_s:g} s", retryable=True) from error
        except asyncio.CancelledError:
            self._abort(request_id)
            raise
        return read_generation(answer, sampling, time.perf_counter() - started)

    async def flush_cache(self) -> None:
        """Empty the server's prefix cache; needed after a weight update."""
        await asyncio.wait_for(self._post("/flush_cache", {}), self._timeout_s)

    async def abort(self, request_id: str) -> None:
        """Stop a request on the server."""
        await self._post("/abort_request", {"rid": request_id})

    async def healthy(self) -> bool:
        """Whether the server answers `/health` with 200 within 5 seconds."""
        import aiohttp

        try:
            async with asyncio.timeout(5), self._session().get(f"{self._url}/health") as response:
                return response.status == 200
        except (aiohttp.ClientError, TimeoutError):
            return False

    async def close(self) -> None:
        """Close the connections; aborts that are under way are sent first."""
        if self._aborts:
            await asyncio.wait(list(self._aborts), timeout=2.0)
        if self._client is not None and not self._client.closed:
            await self._client.close()
        self._client = None

    def _abort(self, request_id: str) -> None:
        task = asyncio.ensure_future(self._quiet_abort(request_id))
        self._aborts.add(task)
        task.add_done_callback(self._aborts.discard)

    async def _quiet_abort(self, request_id: str) -> None:
        # The caller already has its error; a server that cannot be told to stop changes nothing for it.
        try:
            async with asyncio.timeout(2.0):
                await self._send("/abort_request", {"rid": request_id})
        except (EngineError, _Retry, TimeoutError):
            return

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON answer (or None where it is none), tried again as the class says."""
        for attempt in range(1, self._attempts + 1):
            try:
                return await self._send(path, body)
            except _Retry as retry:
                if attempt == self._attempts:
                    raise EngineError(
                        BOUNDARY, f"{retry}, after {attempt} attempts", retryable=True
                    ) from retry
                ceiling = self._backoff_s * 2 ** (attempt - 1)
                wait = random.uniform(0, ceiling) if retry.wait_s is None else retry.wait_s
                await asyncio.sleep(min(wait, LONGEST_WAIT_S))
        raise ValueError("attempts must be at least 1")

    async def _send(self, path: str, body: dict[str, Any]) -> Any:
        import aiohttp

        try:
            async with self._session().post(self._url + path, json=body) as response:
                if response.status == 429 or response.status >= 500:
                    raise _Retry(await _message(response), _retry_after(response))
                if response.status >= 400:
                    raise EngineError(BOUNDARY, await _message(response))
                return await response.json(content_type=None) if path == "/generate" else None
        except aiohttp.ClientError as error:
            raise _Retry(f"{self._url} cannot be reached: {type(error).__name__}") from error
        except ValueError as error:
            raise EngineError(BOUNDARY, f"{path} did not answer with JSON") from error

    def _session(self) -> aiohttp.ClientSession:
        """A client of the running event loop: connections cannot move from one loop to another."""
        try:
            import aiohttp
        except ImportError as error:
            raise EngineError(BOUNDARY, f"it needs aiohttp: {install('serve')}") from error
        loop = asyncio.get_running_loop()
        if self._client is None or self._client.closed or self._loop is not loop:
            self._client = aiohttp.ClientSession(
                headers=self._headers,
                connector=aiohttp.TCPConnector(limit=self._max_connections),
                timeout=aiohttp.ClientTimeout(total=None),
            )
            self._loop = loop
        return self._client


async def _message(response: aiohttp.ClientResponse) -> str:
    text = (await response.text(errors="replace"))[:ERROR_TEXT_LIMIT].strip()
    return f"status {response.status}: {text}" if text else f"status {response.status}"


def _retry_after(response: aiohttp.ClientResponse) -> float | None:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdigit() else None
