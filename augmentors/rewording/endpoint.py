"""A model behind an OpenAI-style endpoint: one question, one answer, bounded in time, size and tries."""

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics.system import reason

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

_MOST_BYTES = 4 << 20
_LONGEST_PAUSE = 30.0
_BUSY = frozenset((408, 425, 429, 500, 502, 503, 504, 529))


class EndpointError(Exception):
    """The endpoint cannot be used at all, or not now; the message is one line without the key."""


class AnswerError(Exception):
    """What came back answers nothing; the message is one line."""


@dataclass(frozen=True)
class Endpoint:
    """url    with or without `/chat/completions` at its end
    key    sent as a bearer token and shown nowhere
    tries  of one question: what is busy, hangs or breaks off is asked again after a pause that doubles
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    tries: int = 4
    pause: float = 0.5

    @property
    def address(self) -> str:
        """Where questions are sent."""
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


def session() -> "ClientSession":
    """Connections to endpoints; to be closed. Needs aiohttp, and a running loop."""
    from aiohttp import ClientSession

    return ClientSession()


async def ask(http: "ClientSession", endpoint: Endpoint, messages: list[dict[str, str]]) -> str:
    """What the model answers. Raises `EndpointError` and `AnswerError`."""
    failure = ""
    for attempt in range(endpoint.tries):
        try:
            return await _once(http, endpoint, messages)
        except _Again as error:
            failure = str(error)
            if attempt + 1 < endpoint.tries:
                await asyncio.sleep(_pause(endpoint, attempt, error.after))
    raise EndpointError(f"{endpoint.address}: {failure}, {endpoint.tries} times")


class _Again(Exception):
    """May go better in a while. `after`: seconds that the endpoint asks for."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


def _pause(endpoint: Endpoint, attempt: int, after: float | None) -> float:
    own = endpoint.pause * 2**attempt * random.uniform(0.75, 1.25)
    pause: float = min(max(own, after or 0.0), _LONGEST_PAUSE)
    return pause


async def _once(http: "ClientSession", endpoint: Endpoint, messages: list[dict[str, str]]) -> str:
    from aiohttp import ClientError, ClientTimeout, InvalidURL

    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    body = {"model": endpoint.model, "messages": messages, "temperature": 0.9}
    try:
        # A redirection would take the key along to another host.
        async with http.post(
            endpoint.address,
            json=body,
            headers=headers,
            timeout=ClientTimeout(total=endpoint.timeout),
            allow_redirects=False,
        ) as response:
            return _content(await _data(response, endpoint))
    except InvalidURL:
        raise EndpointError(f"`{endpoint.url}` is no address of an endpoint") from None
    except TimeoutError:
        raise _Again(f"no answer within {endpoint.timeout:g} s") from None
    except OSError as error:
        raise _Again(reason(error)) from None
    except ClientError as error:
        raise _Again(f"the connection broke off: {type(error).__name__}") from None
    except ValueError as error:
        raise EndpointError(f"{endpoint.address}: {error}") from None


async def _data(response: "ClientResponse", endpoint: Endpoint) -> Any:
    if response.status in _BUSY:
        raise _Again(f"status {response.status}", _seconds(response.headers.get("Retry-After")))
    if response.status != 200:
        raise EndpointError(
            f"{endpoint.address}: status {response.status}: {await _excerpt(response, endpoint)}"
        )
    data = await response.content.read(_MOST_BYTES + 1)
    while len(data) <= _MOST_BYTES and (more := await response.content.read(_MOST_BYTES)):
        data += more
    if len(data) > _MOST_BYTES:
        raise AnswerError("the answer is larger than 4 MB")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise AnswerError("the answer is no JSON") from None


async def _excerpt(response: "ClientResponse", endpoint: Endpoint) -> str:
    """The begin of what a refusal says, without the key, which some servers repeat."""
    text = (await response.content.read(2048)).decode("utf-8", errors="replace")
    text = " ".join(text.split())
    return (text.replace(endpoint.key, "…") if endpoint.key else text)[:200]


def _seconds(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value else None
    except ValueError:
        return None


def _content(data: Any) -> str:
    try:
        content = data["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise AnswerError("the answer has no `choices[0].message.content`") from None
    if not isinstance(content, str):
        raise AnswerError("the content of the answer is no text")
    return content
