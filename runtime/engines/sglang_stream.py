"""SGLang's stream of server-sent events, as pieces of one output."""

import time
from typing import Any

from runtime.engines.base import EngineError, Piece, Sampling
from runtime.engines.http_client import parsed
from runtime.engines.sglang_format import BOUNDARY, meta_of, output_of, read_generation

DONE = b"[DONE]"


class Pieces:
    """Reads the lines of one stream. Each event has the whole output so far, or, where the server was started
    with `--incremental-streaming-output`, what is new in it; how many tokens there are tells which.
    """

    def __init__(self, sampling: Sampling, vocabulary: int | None) -> None:
        self._sampling = sampling
        self._started = time.perf_counter()
        self._vocabulary = vocabulary
        self._ids: tuple[int, ...] = ()
        self._logprobs: tuple[float, ...] = ()
        self.ended = False

    def read(self, line: bytes) -> Piece | None:
        """The piece in `line`, if it has one. Raises `EngineError` for what is no part of an output."""
        if not line.startswith(b"data:"):
            # Comments that keep a connection open, and the empty lines between events.
            return None
        data = line.removeprefix(b"data:").strip()
        if data == DONE or self.ended:
            return None
        event = parsed(BOUNDARY, "/generate", data)
        meta = meta_of(event)
        ids, logprobs = output_of(event)
        before = len(self._ids)
        if meta.get("completion_tokens") == before + len(ids):
            ids, logprobs = self._ids + ids, self._logprobs + logprobs
        if ids[:before] != self._ids:
            raise EngineError(BOUNDARY, "the stream took back ids that it had sent")
        self._ids, self._logprobs = ids, logprobs
        if meta.get("finish_reason") is None:
            return self._piece(before)
        return self._last(event, before)

    def _piece(self, before: int) -> Piece | None:
        if len(self._ids) > self._sampling.max_tokens:
            raise EngineError(BOUNDARY, f"the stream has more than {self._sampling.max_tokens} ids")
        new = self._ids[before:]
        return Piece(new, self._logprobs[before:] if self._sampling.logprobs else ()) if new else None

    def _last(self, event: dict[str, Any], before: int) -> Piece:
        self.ended = True
        meta = {key: value for key, value in event["meta_info"].items() if key != "output_token_logprobs"}
        pairs = zip(self._logprobs, self._ids, strict=False)
        meta["output_token_logprobs"] = [[logprob, id_, None] for logprob, id_ in pairs]
        whole = read_generation(
            {"output_ids": list(self._ids), "meta_info": meta},
            self._sampling,
            time.perf_counter() - self._started,
            self._vocabulary,
        )
        return Piece(whole.ids[before:], whole.logprobs[before:], whole)
