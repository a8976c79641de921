"""Small tokenizers of the kinds that differ: what is normalised, what is added, how spaces are written."""

from functools import cache
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from harness_dsl.protocol import HFTokenizer

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
PLAIN = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
CORPUS = (
    "The price is 89 yuan, and the name of the tool is get_quote.",
    '{"name": "get_quote", "arguments": {"link_id": 3, "quantity": 1}}',
    "3号链接多少钱？亲，有货的！",
    "system user assistant im_start im_end tool_call tool_response think < > | / _",
)


def _finished(tokenizer: Tokenizer, special: tuple[str, ...], plain: tuple[str, ...]) -> HFTokenizer:
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in special])
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=True) for text in plain])
    return HFTokenizer(specification(tokenizer), {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"})


def specification(tokenizer: Tokenizer) -> dict[str, Any]:
    import json

    data: dict[str, Any] = json.loads(tokenizer.to_str())
    return data


def byte_level(plain: tuple[str, ...] = PLAIN, normalizer: Any = None) -> HFTokenizer:
    """Byte-level BPE, as Qwen and SmolLM have it: lossless (without a normaliser)."""
    tokenizer = Tokenizer(models.BPE())
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=420, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return _finished(tokenizer, SPECIAL, plain)


def vocabulary_with_markers() -> HFTokenizer:
    """Byte-level BPE whose ordinary vocabulary holds the added tokens too, and finds them without merging."""
    tokenizer = Tokenizer(models.BPE())
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [*SPECIAL, *PLAIN, *alphabet]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    return _finished(tokenizer, SPECIAL, PLAIN)


def sentence_piece(scheme: str = "always") -> HFTokenizer:
    """Unigram with Metaspace and byte fallback, as Llama 2 and Gemma have it."""
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    letters = sorted({letter for text in CORPUS for letter in text.replace(" ", "▁")})
    pieces = [("<unk>", 0.0), *((byte, -10.0) for byte in bytes_), *((letter, -5.0) for letter in letters)]
    pieces += [("▁get_quote", -6.0), ("▁price", -6.0), ("▁▁", -6.0), ("name", -6.0), ("<tool_call>", -1.0)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=False)
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            *([decoders.Strip(" ", 1, 0)] if scheme == "always" else []),
        ]
    )
    return _finished(tokenizer, (*SPECIAL, "<unk>"), PLAIN)


@cache
def all_tokenizers() -> dict[str, HFTokenizer]:
    return {
        "byte_level": byte_level(),
        "markers_spelled": byte_level(plain=()),
        "markers_spelled_nfkc": byte_level(plain=(), normalizer=normalizers.NFKC()),
        "nfkc": byte_level(normalizer=normalizers.NFKC()),
        "lower_case": byte_level(normalizer=normalizers.Lowercase()),
        "vocabulary_with_markers": vocabulary_with_markers(),
        "sentence_piece": sentence_piece(),
        "sentence_piece_never": sentence_piece("never"),
    }


LOSSLESS = (
    "byte_level",
    "markers_spelled",
    "vocabulary_with_markers",
    "sentence_piece",
    "sentence_piece_never",
)
