"""A server that answers with bytes of our choice, to see what an engine makes of them."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

HANG = b""


@dataclass
class Liar:
    """Answers `/generate` with `replies` in turn, the last one for ever, each byte for byte as given; `HANG`
    answers nothing. `piece` bytes are sent at a time. Every other path is a 404.
    """

    replies: list[bytes]
    piece: int = 1 << 20
    pause_s: float = 0.0
    url: str = ""
    asked: int = 0
    aborted: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Liar"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}"
        async with server:
            yield self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Whoever is lied to goes away whenever it likes, and so does the test.
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            found = re.search(rb"(?i)content-length: *(\d+)", head)
            body = await reader.readexactly(int(found[1]) if found else 0)
            await self._answer(head.split(b" ")[1].decode(), body, reader, writer)
        writer.close()

    async def _answer(
        self, path: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if path == "/abort_request":
            self.aborted.append(json.loads(body)["rid"])
        if path != "/generate":
            writer.write(http(b"", status="404 Not Found"))
            return
        reply = self.replies[min(self.asked, len(self.replies) - 1)]
        self.asked += 1
        if reply == HANG:
            await reader.read()
        for at in range(0, len(reply), self.piece):
            writer.write(reply[at : at + self.piece])
            await writer.drain()
            await asyncio.sleep(self.pause_s)


def http(body: bytes, *, status: str = "200 OK", kind: str = "application/json", more: str = "") -> bytes:
    """A whole HTTP answer."""
    fixed = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    return f"HTTP/1.1 {status}\r\n{fixed}{more}\r\n".encode() + body


def cut(answer: bytes, missing: int) -> bytes:
    """`answer` whose connection ends early."""
    return answer[:-missing]


def generated(ids: list[Any], **changes: Any) -> dict[str, Any]:
    """An honest answer, with `changes` to its facts."""
    finish = {"type": "length", "length": len(ids)}
    meta = {"finish_reason": finish, "prompt_tokens": 5, "completion_tokens": len(ids), "cached_tokens": 0}
    return {"text": "好", "output_ids": ids, "meta_info": meta | changes}


def events(*bodies: dict[str, Any], done: bool = True) -> bytes:
    """A stream of server-sent events, with characters of several bytes in it."""
    lines = [f"data: {json.dumps(body, ensure_ascii=False)}\n\n" for body in bodies]
    text = ": 心跳\n\n" + "".join(lines) + ("data: [DONE]\n\n" if done else "")
    return http(text.encode(), kind="text/event-stream")
