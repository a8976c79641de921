"""Whether a conversation is one of a harness: its digests, its inputs, its prompt, its tools."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from augmentors.codebook import lengthened
from augmentors.logs.shapes import Found, Told
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId, kind, leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.types import StringType
from harness_dsl.ir.values import check_value
from harness_dsl.protocol.view import View


@dataclass(frozen=True)
class Terms:
    """Under which conditions conversations are taken.

    limit       the largest share of unresolved names among all in thinking and replies, from three on
    any_prompt  whether the system prompt may be another one than the harness's
    keep_unknown_calls  whether calls of tools that the harness does not have are kept, as text
    inputs      values of the harness's inputs where a conversation gives none
    lineage     where in a line its origin stands: keys, with dots between those of objects in objects
    """

    limit: float = 0.5
    any_prompt: bool = False
    keep_unknown_calls: bool = False
    inputs: Mapping[str, Any] | None = None
    lineage: tuple[str, ...] = ()


class Belonging:
    """Asks of conversations whether they are of one harness."""

    def __init__(self, core: Core, surface: Surface, terms: Terms) -> None:
        self.view = View(core, surface)
        self.core_digest = core_digest(core)
        self._surface_digest = surface_digest(core, surface)
        self._core = core
        self._terms = terms
        self._hidden = frozenset(surface.hidden)

    def wrong(self, told: Told, inputs: Mapping[str, Any]) -> Iterator[Found]:
        """Why `told`, with `inputs`, is not of this harness."""
        if told.core is not None and not _same_digest(told.core, self.core_digest):
            yield Found("other-harness", f"it is of the harness {told.core}, not {self.core_digest}")
            return
        if told.surface is not None and not _same_digest(told.surface, self._surface_digest):
            yield Found("other-surface", f"it was shown under the Surface {told.surface}")
            return
        missing = [*self._missing(inputs)]
        yield from (Found("missing-input", said) for said in missing)
        if not missing and not self._terms.any_prompt:
            yield from self._prompt(told, inputs)
        yield from self._tools(told)

    def inputs(self, told: Told) -> dict[str, Any]:
        """The inputs of `told`, by declared identifier."""
        given = told.inputs if isinstance(told.inputs, dict) else self._terms.inputs or {}
        empty = {leaf(node.id): "" for node in self._core.inputs if node.untrusted and _is_text(node.type)}
        return {**empty, **given} if told.core is None else dict(given)

    def _missing(self, inputs: Mapping[str, Any]) -> Iterator[str]:
        declared = {leaf(node.id): node for node in self._core.inputs}
        yield from (f"there is no input `{name}`" for name in inputs if name not in declared)
        for name, node in declared.items():
            if name not in inputs:
                # What nobody wrote yet is empty, and was not kept by some version of this tool.
                if not (node.untrusted and _is_text(node.type)):
                    yield f"input `{name}` is missing"
            elif (problem := check_value(inputs[name], node.type, self._core)) is not None:
                yield f"input `{name}`: {problem}"

    def _prompt(self, told: Told, inputs: Mapping[str, Any]) -> Iterator[Found]:
        for message, at in zip(told.messages[:1], told.places, strict=False):
            if message["role"] != "system":
                return
            wanted, there = self.view.quick.system_text(inputs), message["content"]
            if wanted.strip() != there.strip():
                yield Found("other-prompt", f"the system prompt differs: {_where(wanted, there)}", at)

    def _tools(self, told: Told) -> Iterator[Found]:
        counts = Counter(name for name, _ in told.tools)
        for name, at in told.tools:
            if counts[name] > 1:
                counts[name] = 0
                yield Found("repeated-tool", f"two tools are called `{name}`", at)
        for name, at in told.tools:
            if self.symbol(name) is None and not self._terms.keep_unknown_calls:
                yield Found("unknown-tool", f"the harness has no tool `{name}`{self.close(name)}", at)

    def symbol(self, name: str) -> SemanticId | None:
        """The tool that is shown as `name`; a distractor of the Surface is one, too."""
        found = self.view.naming.symbol("tool", name)
        return None if found in self._hidden else found

    def is_own(self, name: str) -> bool:
        """Whether `name` shows a tool of the harness."""
        found = self.symbol(name)
        return found is not None and kind(found) != "foreign"

    def close(self, name: str) -> str:
        """What may have been meant by `name`, to stand behind a sentence."""
        names = [self.view.naming.name(tool.id) for tool in self._core.tools]
        close = difflib.get_close_matches(name, names, 1)
        return f", only `{close[0]}`" if close else ""


def _is_text(type_: object) -> bool:
    return isinstance(type_, StringType)


def _same_digest(said: str, digest: str) -> bool:
    """Whether `said`, written in full or as in short rows, is `digest`."""
    try:
        return lengthened(said) == digest
    except ValueError:
        return False


def _where(wanted: str, there: str) -> str:
    """The first line in which two prompts differ."""
    for number, (old, new) in enumerate(zip(wanted.splitlines(), there.splitlines(), strict=False), 1):
        if old.rstrip() != new.rstrip():
            return f"line {number} is `{_cut(new)}`, and `{_cut(old)}` in the harness"
    return "one of them goes on"


def _cut(text: str) -> str:
    return f"{text[:40]}…" if len(text) > 41 else text
