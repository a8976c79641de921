"""Grammars of the embedded engine: compiled by xgrammar once for each text, so once for each Surface that
it was made from, and matched token by token.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics.system import install
from runtime.engines.base import EngineError, Grammar
from runtime.engines.embedded_model import BOUNDARY

if TYPE_CHECKING:
    from torch import Tensor


class Matcher:
    """Where one output stands in its grammar."""

    def __init__(self, compiled: Any, stop_ids: Sequence[int], vocabulary: int) -> None:
        import xgrammar

        # Without stop ids of its own, xgrammar ends at those of the tokenizer.
        self._matcher = xgrammar.GrammarMatcher(compiled, override_stop_tokens=list(stop_ids) or None)
        self._bits = xgrammar.allocate_token_bitmask(1, vocabulary)
        self._apply = xgrammar.apply_token_bitmask_inplace

    @property
    def ended(self) -> bool:
        """Whether nothing may follow any more."""
        return bool(self._matcher.is_terminated())

    def masked(self, logits: Tensor) -> Tensor:
        """`logits` (vocabulary) on the CPU, with minus infinity where an id is barred."""
        kept = logits.float().cpu().clone()
        self._matcher.fill_next_token_bitmask(self._bits)
        self._apply(kept, self._bits[0])
        return kept

    def accept(self, chosen: int) -> None:
        """The output went on with `chosen`, which was not barred."""
        if not self._matcher.accept_token(chosen):
            raise ValueError(f"the grammar does not take the id {chosen} that it allowed")


class Grammars:
    """Compiled grammars over the tokenizer in `directory`; the `limit` latest are kept. Safe to share by
    threads.

    `compiled` counts how often one had to be compiled.
    """

    def __init__(self, directory: Path, vocabulary: int, *, limit: int = 64) -> None:
        self._directory = directory
        self._vocabulary = vocabulary
        self._limit = limit
        self._known: OrderedDict[Grammar, Any] = OrderedDict()
        self._compiler: Any = None
        self._lock = threading.Lock()
        self.compiled = 0

    def matcher(self, grammar: Grammar, stop_ids: Sequence[int]) -> Matcher:
        """A matcher at the start of `grammar`.

        Raises `EngineError` for a grammar that cannot be compiled, a tokenizer that cannot be read, and
        without xgrammar.
        """
        with self._lock:
            compiled = self._known.get(grammar)
            if compiled is None:
                compiled = self._known[grammar] = self._compile(grammar)
                self.compiled += 1
            self._known.move_to_end(grammar)
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
        return Matcher(compiled, stop_ids, self._vocabulary)

    def _compile(self, grammar: Grammar) -> Any:
        compiler = self._made()
        compilers = {
            "json_schema": compiler.compile_json_schema,
            "regex": compiler.compile_regex,
            "ebnf": compiler.compile_grammar,
            "structural_tag": compiler.compile_structural_tag,
        }
        try:
            return compilers[grammar.kind](grammar.text)
        except Exception as error:
            # xgrammar raises its own kinds of error, and bare ones from its C++ part.
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise EngineError(BOUNDARY, f"the grammar cannot be compiled: {reason[:300]}") from error

    def _made(self) -> Any:
        if self._compiler is not None:
            return self._compiler
        try:
            import xgrammar
            from transformers import PreTrainedTokenizerFast
        except ImportError as error:
            raise EngineError(BOUNDARY, f"a grammar needs xgrammar: {install('grammar')}") from error
        try:
            # Where it is missing, transformers makes a tokenizer of its own that knows no word.
            (self._directory / "tokenizer.json").stat()
            loader: Any = PreTrainedTokenizerFast
            tokenizer = loader.from_pretrained(str(self._directory), local_files_only=True)
            info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=self._vocabulary)
        except Exception as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise EngineError(
                BOUNDARY, f"{self._directory} has no tokenizer for grammars: {reason[:300]}"
            ) from error
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        return self._compiler
