"""HTTP to an inference server: one client for each event loop, bounded answers, no redirects, bounded
retries.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from harness_dsl.diagnostics.system import install
from runtime.engines.base import EngineError

if TYPE_CHECKING:
    import aiohttp

ERROR_TEXT_LIMIT = 300
LONGEST_WAIT_S = 30.0
CONNECT_S = 10.0
# Ids and log-probabilities of a hundred thousand tokens take a tenth of this.
ANSWER_BYTES = 64 * 1024 * 1024

T = TypeVar("T")


class Retry(Exception):
    """The request may succeed when it is sent again, after `wait_s` if the server asked for that."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class Http:
    """The server at `url`. `boundary` names it in errors.

    Connection errors, 429 and 5xx are `Retry`; every other status but 200 is an `EngineError`.
    """

    def __init__(self, boundary: str, url: str, *, api_key: str | None, max_connections: int) -> None:
        self._boundary = boundary
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._max_connections = max_connections
        self._client: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, path: str, body: dict[str, Any]) -> bytes:
        """The whole answer."""
        async with self.opened("POST", path, body) as response:
            return await self._whole(response, path)

    async def get(self, path: str) -> bytes:
        """The whole answer."""
        async with self.opened("GET", path) as response:
            return await self._whole(response, path)

    @contextlib.asynccontextmanager
    async def opened(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """An answer whose status is 200, not read yet. Leaving early closes its connection."""
        session = self._session()
        with self._translated():
            async with session.request(
                method, self._url + path, json=body, allow_redirects=False
            ) as response:
                if response.status == 429 or response.status >= 500:
                    raise Retry(await _message(response), _retry_after(response))
                if response.status != 200:
                    raise EngineError(self._boundary, await _message(response))
                yield response

    async def lines(self, response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
        """The lines of an answer as they come, however the bytes are cut. Raises `Retry` where the connection
        breaks, `EngineError` for an endless line.
        """
        waiting = b""
        with self._translated():
            async for chunk in response.content.iter_any():
                *whole, waiting = (waiting + chunk).split(b"\n")
                for line in whole:
                    yield line.removesuffix(b"\r")
                if len(waiting) > ANSWER_BYTES:
                    raise self._too_long()
        if waiting:
            yield waiting

    async def healthy(self) -> bool:
        """Whether the server answers `/health` with 200 within 5 seconds."""
        try:
            async with asyncio.timeout(5), self.opened("GET", "/health"):
                return True
        except (Retry, EngineError, TimeoutError):
            return False

    async def close(self) -> None:
        """Close the connections; idempotent."""
        if self._client is not None and not self._client.closed:
            await self._client.close()
        self._client = None

    async def _whole(self, response: aiohttp.ClientResponse, path: str) -> bytes:
        read = bytearray()
        async for chunk in response.content.iter_any():
            read += chunk
            if len(read) > ANSWER_BYTES:
                raise self._too_long()
        return bytes(read)

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """What the client raises, as `Retry`."""
        import aiohttp

        try:
            yield
        except aiohttp.ClientPayloadError as error:
            raise Retry(f"{self._url} broke off its answer") from error
        except aiohttp.ClientError as error:
            raise Retry(f"{self._url} cannot be reached: {type(error).__name__}") from error

    def _too_long(self) -> EngineError:
        return EngineError(self._boundary, f"the answer has more than {ANSWER_BYTES} bytes")

    def _session(self) -> aiohttp.ClientSession:
        """A client of the running event loop: connections cannot move from one loop to another."""
        try:
            import aiohttp
        except ImportError as error:
            raise EngineError(self._boundary, f"it needs aiohttp: {install('serve')}") from error
        loop = asyncio.get_running_loop()
        if self._client is None or self._client.closed or self._loop is not loop:
            self._client = aiohttp.ClientSession(
                headers=self._headers,
                connector=aiohttp.TCPConnector(limit=self._max_connections),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
            )
            self._loop = loop
        return self._client


async def retrying(boundary: str, send: Callable[[], Awaitable[T]], *, attempts: int, backoff_s: float) -> T:
    """What `send` gives, tried `attempts` times in all, with growing random waits between.

    Raises `EngineError` when the last attempt is a `Retry` too.
    """
    for attempt in range(1, attempts + 1):
        try:
            return await send()
        except Retry as retry:
            if attempt == attempts:
                raise EngineError(boundary, f"{retry}, after {attempt} attempts", retryable=True) from retry
            drawn = random.uniform(0, backoff_s * 2 ** (attempt - 1))
            await asyncio.sleep(min(drawn if retry.wait_s is None else retry.wait_s, LONGEST_WAIT_S))
    raise ValueError("attempts must be at least 1")


async def until(deadline: float, awaitable: Awaitable[T]) -> T:
    """`awaitable`, or `TimeoutError` at `deadline` of the event loop's clock.

    `asyncio.wait_for` of Python 3.11 drops a cancellation that arrives with the result.
    """
    async with asyncio.timeout_at(deadline):
        return await awaitable


def parsed(boundary: str, path: str, text: bytes) -> Any:
    """`text` as JSON. Raises `EngineError`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EngineError(boundary, f"{path} did not answer with JSON") from error


async def _message(response: aiohttp.ClientResponse) -> str:
    start = await response.content.read(4 * ERROR_TEXT_LIMIT)
    text = start.decode("utf-8", "replace")[:ERROR_TEXT_LIMIT].strip()
    return f"status {response.status}: {text}" if text else f"status {response.status}"


def _retry_after(response: aiohttp.ClientResponse) -> float | None:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdigit() else None
