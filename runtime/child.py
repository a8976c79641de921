"""A process in which code of a project runs: what it tells line by line, and how it ended.

It has no standard input but what it is sent, and what it prints goes to standard error, up to a limit.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from codecs import getincrementaldecoder
from pathlib import Path
from typing import IO

PRINTED = 64 * 1024
"""Bytes of what code of a project prints that are passed on, of each process."""

_ROOT = str(Path(__file__).resolve().parents[1])


class Child:
    """A process that runs `main` of a module, with `arguments`, and writes lines to standard output."""

    def __init__(self, module: str, *arguments: str, listens: bool = False) -> None:
        command = f"import sys; sys.path.append({_ROOT!r}); from {module} import main; main(*sys.argv[1:])"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", command, *arguments],
            stdin=subprocess.PIPE if listens else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None and self._process.stderr is not None
        self._how = ""
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        self._printing = threading.Thread(target=_pass_on, args=(self._process.stderr,), daemon=True)
        self._printing.start()

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)

    def send(self, data: bytes) -> None:
        """Sends `data`, once all that was sent before has been read. Never waits for that: a process that
        hangs reads nothing.
        """
        threading.Thread(target=self._send, args=(data,), daemon=True).start()

    def _send(self, data: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        # It may have ended; whoever waits for what it tells learns that.
        with contextlib.suppress(OSError, ValueError):
            pipe.write(data)
            pipe.flush()

    def line(self, timeout_s: float) -> bytes | None:
        """The next line; None when the process has ended. Raises `TimeoutError`."""
        deadline = time.monotonic() + timeout_s
        line: bytes | None = b""
        while line == b"":
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            ended = self._process.poll() is not None
            try:
                line = self._lines.get(timeout=min(left, 0.5))
            except queue.Empty:
                # A process that it left behind may hold the pipe open, so that no end of file comes.
                line = None if ended else b""
        return line

    def end(self, patience_s: float = 0.0) -> str:
        """Ends the process, which has so long to end by itself, and what it started; says how it ended."""
        if self._how == "":
            by_itself = self._waited(patience_s)
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
            status = self._process.wait()
            self._printing.join(2.0)
            self._how = _status_text(status) if by_itself else "stopped"
        return self._how

    def _waited(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


def _status_text(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"


def _pass_on(pipe: IO[bytes]) -> None:
    """Prints what comes from `pipe` on standard error, up to a limit; reads the rest and drops it."""
    left, decoder = PRINTED, getincrementaldecoder("utf-8")("replace")
    while chunk := pipe.read1(8192):  # type: ignore[attr-defined]  # pipes of Popen are buffered readers
        if left >= 0:
            sys.stderr.write(decoder.decode(chunk[:left]))
            if len(chunk) > left:
                sys.stderr.write(f"\n(what more is printed is left out, after {PRINTED} bytes)\n")
            sys.stderr.flush()
        left -= len(chunk)
