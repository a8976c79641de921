"""What a rendered prompt consists of and costs, and where two prompts part."""

from dataclasses import dataclass

from harness_dsl.protocol.encoding import encode_rendered
from harness_dsl.protocol.source_map import Rendered, SourceSpan
from harness_dsl.protocol.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two prompts part: up to here an engine's prefix cache still serves.

    `characters`, `bytes` (UTF-8) and, with a tokenizer, `tokens` are shared. `line` and `column` (in code
    points) count from 1. `source` is what the first differing character of the new prompt comes from; None:
    the new prompt ends there.
    """

    characters: int
    bytes: int
    line: int
    column: int
    source: str | None
    tokens: int | None = None


def token_counts(rendered: Rendered, tokenizer: Tokenizer) -> dict[str, int]:
    """Tokens by source, in the order of first appearance; a token belongs to its first character."""
    counts: dict[str, int] = {}
    for run in encode_rendered(rendered, tokenizer).labels:
        counts[run.source] = counts.get(run.source, 0) + run.length
    return counts


def divergence(old: Rendered, new: Rendered, tokenizer: Tokenizer | None = None) -> Divergence | None:
    """The first place where `new` differs from `old`; None: nowhere."""
    if old.text == new.text:
        return None
    shared = _shared(old.text, new.text)
    before = new.text[:shared]
    tokens = None
    if tokenizer is not None:
        tokens = _shared(encode_rendered(old, tokenizer).ids, encode_rendered(new, tokenizer).ids)
    at = span_at(new, shared)
    return Divergence(
        characters=shared,
        bytes=len(before.encode()),
        line=before.count("\n") + 1,
        column=shared - (before.rfind("\n") + 1) + 1,
        source=at.source if at else None,
        tokens=tokens,
    )


def span_at(rendered: Rendered, character: int) -> SourceSpan | None:
    """The span that holds `character`; None behind the end."""
    return next((span for span in rendered.spans if span.start <= character < span.end), None)


def _shared(old: str | tuple[int, ...], new: str | tuple[int, ...]) -> int:
    """The length of the longest common prefix."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[:middle] == new[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
