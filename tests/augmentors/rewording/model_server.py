"""A server that answers chat completions as it is told, well or badly, and remembers what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What is sent for one question. `hang`: nothing before the server is closed. `cut`: not all of it."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False


@dataclass
class Asked:
    """One question as it came in."""

    path: str
    key: str | None
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """The text that shall be reworded."""
        found: str = json.loads(self.body["messages"][1]["content"])["text"]
        return found


Answer = Callable[[Asked, int], Reply]


def says(content: str) -> Reply:
    """An answer with that content."""
    return Reply(json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode())


def wordings(*texts: str) -> Reply:
    """An answer with these wordings, as it was asked for."""
    return says(json.dumps({"wordings": list(texts)}, ensure_ascii=False))


@dataclass
class Server:
    """`url` is the base address; `asked` grows with every question."""

    url: str
    asked: list[Asked]


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """A server on a free port, whose `answer` is given each question and its number, from 0."""
    asked: list[Asked] = []
    closed, lock = threading.Event(), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(asked)
                asked.append(Asked(self.path, self.headers.get("Authorization"), body))
            reply = answer(asked[number], number)
            if reply.hang:
                closed.wait(20)
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body) + 100 * reply.cut))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_address[1]}/v1", asked)
    finally:
        closed.set()
        server.shutdown()
        server.server_close()
        thread.join()
