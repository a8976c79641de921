"""The tiny model's tokenizer: a byte-level BPE whose vocabulary is written down instead of learned.

Text is cut into pieces (an identifier at its underscores, Han text into words or characters, numbers into
groups of up to three digits, punctuation into runs). A piece of the vocabulary is one token; any other falls
back to letter pairs and then bytes, so every Unicode text survives encode and decode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainer.tiny import words

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")

PIECES = "|".join(
    (
        r'\n?\{"name": "',
        r'", "arguments": \{"',
        r"[ _]?[A-Z]?[a-z]+",
        r"[ _]?[A-Z]+",
        r"\d{1,3}(?=(?:\d{3})*(?!\d))",
        *sorted(words.HAN_WORDS, key=len, reverse=True),
        r"[\u4e00-\u9fff]",
        r"[^A-Za-z0-9\u4e00-\u9fff]+",
    )
)


def byte_alphabet() -> dict[int, str]:
    """The printable character that stands for each byte, as in GPT-2."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in table:
            table[byte] = chr(256 + len(table) - len(printable))
    return table


def vocabulary() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Token ids by byte-level spelling, and the merges (letter pairs) of the fallback."""
    alphabet = byte_alphabet()

    def spell(text: str) -> str:
        return "".join(alphabet[byte] for byte in text.encode())

    merges = [(pair[0], pair[1]) for pair in words.LETTER_PAIRS]
    whole = [
        *words.PUNCTUATION,
        *words.LETTER_PAIRS,
        *words.IDENTIFIER_WORDS,
        *("_" + word for word in words.IDENTIFIER_WORDS),
        *words.ENGLISH_WORDS,
        *(" " + word for word in words.ENGLISH_WORDS),
        *words.HAN_WORDS,
        *words.HAN,
        *(str(number) for number in range(1000)),
    ]
    tokens = dict.fromkeys([*(alphabet[byte] for byte in range(256)), *map(spell, whole)])
    ids = {token: index for index, token in enumerate([*SPECIAL, *MARKERS, *tokens])}
    return ids, merges


def build() -> PreTrainedTokenizerFast:
    """A fresh tokenizer; `pad` is `<|endoftext|>` and `eos` is `<|im_end|>`."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    ids, merges = vocabulary()
    core = Tokenizer(models.BPE(vocab=ids, merges=merges, ignore_merges=True))
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    core.add_tokens([AddedToken(text, special=False, normalized=False) for text in MARKERS])
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        clean_up_tokenization_spaces=False,
        model_max_length=4096,
    )
