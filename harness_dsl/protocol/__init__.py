"""One renderer and one parser for training and serving: (Core, Surface, conversation) ⇄ tokens."""

from harness_dsl.protocol.framing import CHATML, Framing
from harness_dsl.protocol.protocol import Protocol
from harness_dsl.protocol.source_map import Rendered, SourceSpan
from harness_dsl.protocol.tokenizer import HFTokenizer, Tokenizer
from harness_dsl.protocol.tokens import Segment, Tokens, TokenSpan

__all__ = [
    "CHATML",
    "Framing",
    "HFTokenizer",
    "Protocol",
    "Rendered",
    "Segment",
    "SourceSpan",
    "TokenSpan",
    "Tokenizer",
    "Tokens",
]
