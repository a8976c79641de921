"""What the protocol asks of a tokenizer, and the implementation over the `tokenizers` library."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from harness_dsl.protocol.markers import encodable
from harness_dsl.protocol.untrusted import without_added_tokens


@dataclass(frozen=True, slots=True)
class Encoding:
    """Ids, and for each the code points [start, end) of the text that it stands for."""

    ids: Sequence[int]
    offsets: Sequence[tuple[int, int]]


class Tokenizer(Protocol):
    """`added_tokens` maps the text of every added token, special or not, to its id."""

    @property
    def added_tokens(self) -> Mapping[str, int]: ...

    @property
    def eos_id(self) -> int | None: ...

    @property
    def pad_id(self) -> int | None: ...

    def encode(self, text: str) -> list[int]:
        """Ids of trusted text: an added token's text becomes its id. Nothing is put before or after."""
        ...

    def encode_untrusted(self, text: str) -> Encoding:
        """Ids of text that nobody vouches for: never the id of an added token, special or not."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; added tokens keep theirs."""
        ...


class HFTokenizer:
    """A `tokenizer.json`. Untrusted text is encoded by a twin of it that has no added tokens at all."""

    def __init__(self, specification: Mapping[str, Any], config: Mapping[str, Any] | None = None) -> None:
        """`specification` is the content of `tokenizer.json`, `config` that of `tokenizer_config.json`.

        Raises `ValueError` if the library refuses the specification.
        """
        from tokenizers import Tokenizer as Backend

        try:
            self._trusted = Backend.from_str(json.dumps(specification))
            self._untrusted = Backend.from_str(json.dumps(without_added_tokens(specification)))
        except Exception as error:  # the library raises bare `Exception`, and `KeyError`s come from the twin
            raise ValueError(f"not a usable tokenizer.json: {error}") from error
        for backend in (self._trusted, self._untrusted):
            backend.no_truncation()
            backend.no_padding()
        self._added = {
            token.content: id_ for id_, token in sorted(self._trusted.get_added_tokens_decoder().items())
        }
        self._added_ids = frozenset(self._added.values())
        self._eos = self._special(config or {}, "eos_token")
        self._pad = self._special(config or {}, "pad_token")

    @classmethod
    def from_file(cls, path: str | Path) -> "HFTokenizer":
        """Load a `tokenizer.json`, or the directory that holds one (and maybe a `tokenizer_config.json`).

        Raises `OSError` if it cannot be read, `ValueError` if it is no tokenizer.
        """
        path = Path(path)
        file = path / "tokenizer.json" if path.is_dir() else path
        settings = file.with_name("tokenizer_config.json")
        specification = _object(file, "tokenizer.json")
        return cls(specification, _object(settings, settings.name) if settings.is_file() else None)

    @property
    def added_tokens(self) -> Mapping[str, int]:
        return self._added

    @property
    def eos_id(self) -> int | None:
        return self._eos

    @property
    def pad_id(self) -> int | None:
        return self._pad

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._trusted.encode(encodable(text), add_special_tokens=False).ids
        return ids

    def encode_untrusted(self, text: str) -> Encoding:
        encoding = self._untrusted.encode(encodable(text), add_special_tokens=False)
        if self._added_ids.isdisjoint(encoding.ids):
            return Encoding(encoding.ids, encoding.offsets)
        # Only a vocabulary whose unknown token is itself an added token comes here; such text has no
        # lossless form.
        kept = [
            (id_, offset)
            for id_, offset in zip(encoding.ids, encoding.offsets, strict=True)
            if id_ not in self._added_ids
        ]
        return Encoding([id_ for id_, _ in kept], [offset for _, offset in kept])

    def decode(self, ids: Sequence[int]) -> str:
        text: str = self._trusted.decode(list(ids), skip_special_tokens=False)
        return text

    def _special(self, config: Mapping[str, Any], key: str) -> int | None:
        named = config.get(key)
        content = named.get("content") if isinstance(named, Mapping) else named
        return self._trusted.token_to_id(content) if isinstance(content, str) else None


def _object(file: Path, name: str) -> dict[str, Any]:
    """The JSON object in `file`, which is to be a `name`. Raises `OSError` and `ValueError`."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a usable {name}: {error}") from error
    if not isinstance(data, dict):
        raise ValueError(f"not a usable {name}: it is no object")
    return data
