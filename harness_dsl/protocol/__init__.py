"""One renderer and one parser for training and serving: (Core, Surface, conversation) ⇄ tokens."""

from harness_dsl.protocol.framing import CHATML, Framing
from harness_dsl.protocol.protocol import Protocol
from harness_dsl.protocol.source_map import Rendered, SourceSpan
from harness_dsl.protocol.tokenizer import HFTokenizer, Tokenizer
from harness_dsl.protocol.tokens import Segment, Tokens, TokenSpan
from harness_dsl.protocol.transport import Lifted, LiftReport, lift, lower, without_harness

__all__ = [
    "CHATML",
    "Framing",
    "HFTokenizer",
    "LiftReport",
    "Lifted",
    "Protocol",
    "Rendered",
    "Segment",
    "SourceSpan",
    "TokenSpan",
    "Tokenizer",
    "Tokens",
    "lift",
    "lower",
    "without_harness",
]
