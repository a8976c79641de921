"""A tokenizer for runs without a model: each byte of UTF-8 is a token, beside the markers of chat and
calls.
"""

from functools import cache
from typing import Any

from harness_dsl.protocol import HFTokenizer

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")


@cache
def byte_tokenizer() -> HFTokenizer:
    """The tokenizer; `eos` is `<|im_end|>`, `pad` is `<|endoftext|>`."""
    vocabulary = {char: index for index, char in enumerate(_alphabet())}
    added: list[dict[str, Any]] = [
        {
            "id": len(vocabulary) + index,
            "content": text,
            "special": text in SPECIAL,
            "normalized": False,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
        }
        for index, text in enumerate((*SPECIAL, *MARKERS))
    ]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    specification = {
        "version": "1.0",
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": None,
        "decoder": byte_level,
        "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
    }
    return HFTokenizer(specification, {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"})


def _alphabet() -> list[str]:
    """A printable character for each byte, as byte-level BPE writes them (GPT-2)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    shown = {byte: chr(byte) for byte in printable} | {b: chr(256 + at) for at, b in enumerate(others)}
    return [shown[byte] for byte in range(256)]
