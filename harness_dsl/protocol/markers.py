"""The markers of thinking, calls and results, and how text that looks like one is kept from being one.

Where the tokenizer has a marker as an added token, text never yields it (`untrusted`). Other tokenizers spell
it out, and then the same text anywhere else would be the marker. So JSON escapes it, which every reader of
JSON undoes, and other run-time text gets a space behind each `<`.
"""

import re
import unicodedata
from collections.abc import Callable

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"
CALL_OPEN, CALL_CLOSE = "<tool_call>", "</tool_call>"
RESULT_OPEN, RESULT_CLOSE = "<tool_response>", "</tool_response>"
MARKERS = (THINK_OPEN, THINK_CLOSE, CALL_OPEN, CALL_CLOSE, RESULT_OPEN, RESULT_CLOSE)

MARKER = re.compile("|".join(map(re.escape, MARKERS)))
_SURROGATE = re.compile("[\ud800-\udfff]")
_LESS_THAN = re.compile("[<\ufe64\uff1c]")


def encodable(text: str) -> str:
    """`text` with each lone surrogate, which has no UTF-8 form, as U+FFFD: of the same length."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def escaped(json_text: str) -> str:
    r"""JSON text that no normaliser finds a marker in: `<` is written `\u003c`, which means the same."""
    return _replaced(json_text, MARKERS, lambda char: f"\\u{ord(char):04x}")


def neutral(text: str, spelled: tuple[str, ...]) -> str:
    """Text that no normaliser finds one of `spelled` in: a space stands behind each `<`."""
    return _replaced(text, spelled, lambda char: char + " ")


def occurrences(text: str, markers: tuple[str, ...]) -> int:
    """How often a normaliser could find one of `markers` in `text`."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(char for char in folded if not unicodedata.category(char).startswith("C"))
    return sum(plain.count(marker) for marker in markers)


def _replaced(text: str, markers: tuple[str, ...], replacement: Callable[[str], str]) -> str:
    if not _LESS_THAN.search(text):
        return text
    if not occurrences(text, markers):
        return text
    return _LESS_THAN.sub(lambda found: replacement(found[0]), text)
