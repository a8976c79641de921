"""What `harnessc render` says about a prompt: its pieces, its cost, and where it parts from another one."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness_dsl.cli.render_prompt import Prompt
    from harness_dsl.protocol.report import Divergence
    from harness_dsl.protocol.source_map import Rendered
    from harness_dsl.protocol.tokenizer import Tokenizer

EXCERPT = 32


def map_text(rendered: Rendered) -> str:
    """One line a piece: its characters, kind, source and text."""
    lines = [
        f"{span.start:>6}-{span.end:<6} {span.kind:<6}  {span.source}  "
        f"{json.dumps(rendered.text[span.start : span.end], ensure_ascii=False)}\n"
        for span in rendered.spans
    ]
    return "".join(lines)


def summary(prompt: Prompt, tokenizer: Tokenizer | None) -> list[str]:
    """Characters, bytes and tokens, these by source too, the most costly first."""
    from harness_dsl.protocol.report import token_counts

    text = prompt.rendered.text
    counted = f"{len(text)} characters, {len(text.encode())} bytes"
    if tokenizer is None:
        return [counted]
    counts = token_counts(prompt.rendered, tokenizer)
    top = sorted(counts.items(), key=lambda item: -item[1])
    return [
        f"{counted}, {sum(counts.values())} tokens",
        *(f"{count:>7} tokens  {source}" for source, count in top),
    ]


def parting(prompt: Prompt, other: Prompt, name: str, tokenizer: Tokenizer | None) -> list[str]:
    """Where `prompt` parts from `other`, which is called `name`: from there on no cached token serves."""
    from harness_dsl.protocol.report import divergence, token_counts

    parted = divergence(other.rendered, prompt.rendered, tokenizer)
    if parted is None:
        return [f"same prompt as {name}: every cached token stays"]
    first = f"byte {parted.bytes}"
    shared = f"shares {parted.bytes} bytes"
    if tokenizer is not None and parted.tokens is not None:
        total = sum(token_counts(prompt.rendered, tokenizer).values())
        shared += f" and {parted.tokens} of {total} tokens"
        first += f", token {parted.tokens}"
    at = f"line {parted.line}, column {parted.column}: {_owner_text(prompt, parted)}"
    return [
        f"{shared} with {name}; the first that differs is {first}, {at}",
        f"    here:  {_excerpt(prompt.rendered.text, parted.characters)}",
        f"    there: {_excerpt(other.rendered.text, parted.characters)}",
    ]


def _owner_text(prompt: Prompt, parted: Divergence) -> str:
    """The symbol that the first difference belongs to, and where it is declared."""
    owner = _owner(prompt, parted)
    if owner is None:
        return "the end"
    place = prompt.place(owner)
    said = owner if owner == parted.source else f"what stands before {owner}"
    return said + (f" ({place})" if place else "")


def _owner(prompt: Prompt, parted: Divergence) -> str | None:
    """The source of the first difference; of what comes next where the protocol wrote it. None: the end."""
    from harness_dsl.protocol.source_map import FIXED

    behind = (span.source for span in prompt.rendered.spans if span.end > parted.characters)
    return next((source for source in behind if source != FIXED), parted.source)


def _excerpt(text: str, start: int) -> str:
    more = "…" if len(text) > start + EXCERPT else ""
    return json.dumps(text[start : start + EXCERPT], ensure_ascii=False) + more


def data(prompt: Prompt, other: Prompt | None, tokenizer: Tokenizer | None) -> dict[str, Any]:
    """The same for programs. `spans` is the source map; `against` is null where both prompts are one."""
    from harness_dsl import __version__
    from harness_dsl.protocol.report import divergence, token_counts

    found: dict[str, Any] = {
        "version": __version__,
        "core_digest": prompt.core_digest,
        "surface_digest": prompt.surface_digest,
        "text": prompt.rendered.text,
        "spans": [asdict(span) for span in prompt.rendered.spans],
    }
    if tokenizer is not None:
        counts = token_counts(prompt.rendered, tokenizer)
        found["tokens"] = {"total": sum(counts.values()), "by_source": counts}
    if other is not None:
        parted = divergence(other.rendered, prompt.rendered, tokenizer)
        found["against"] = None if parted is None else _parted(parted, prompt)
    return found


def _parted(parted: Divergence, prompt: Prompt) -> dict[str, Any]:
    owner = _owner(prompt, parted)
    return {**asdict(parted), "symbol": owner, "place": None if owner is None else prompt.place(owner)}
