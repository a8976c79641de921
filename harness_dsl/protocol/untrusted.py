"""The twin of a tokenizer that cannot produce an added token.

Splitting or escaping is not enough: added tokens match across normalisation (`＜` under NFKC), tokens that
are not marked special match in any text, and a vocabulary that also holds them may find them as ordinary
pieces. So the twin's specification does not contain them: neither as added tokens nor in the vocabulary nor
in a merge.
"""

from collections.abc import Mapping
from typing import Any


def without_added_tokens(specification: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a `tokenizer.json` without its added tokens; all other ids stay."""
    added = specification.get("added_tokens") or []
    ids = {token["id"] for token in added}
    twin = {**specification, "added_tokens": [], "post_processor": None, "truncation": None, "padding": None}
    twin["model"] = _without(specification["model"], ids)
    return twin


def _without(model: Mapping[str, Any], ids: set[int]) -> dict[str, Any]:
    vocabulary = model["vocab"]
    if isinstance(vocabulary, list):
        return _unigram(model, ids)
    removed = {token for token, id_ in vocabulary.items() if id_ in ids}
    twin = {**model, "vocab": {token: id_ for token, id_ in vocabulary.items() if token not in removed}}
    if twin.get("unk_token") in removed:
        twin["unk_token"] = None if model.get("type") == "BPE" else twin["unk_token"]
    if "merges" in model:
        twin["merges"] = [merge for merge in model["merges"] if removed.isdisjoint(_parts(merge))]
    if model.get("type") in ("WordLevel", "WordPiece") and model.get("unk_token") in removed:
        # These models need their unknown token; its id is filtered from what they encode.
        twin["vocab"][model["unk_token"]] = vocabulary[model["unk_token"]]
    return twin


def _unigram(model: Mapping[str, Any], ids: set[int]) -> dict[str, Any]:
    """Unigram ids are positions, so a removed piece leaves one that no text can contain, with the same score:
    the score of unknown text follows from the lowest."""
    pieces = [
        [f"\ud7ff\uffff{index}\uffff", piece[1]] if index in ids else piece
        for index, piece in enumerate(model["vocab"])
    ]
    return {**model, "vocab": pieces}


def _parts(merge: Any) -> tuple[str, str, str]:
    left, right = merge.split(" ", 1) if isinstance(merge, str) else merge
    return left, right, left + right
