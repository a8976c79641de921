"""The laws of the formatter, on texts that are made by chance and by a seed."""

import random
from collections.abc import Callable
from typing import Any

from grammar.lexer import Token, lex
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.parse import parse
from tests.language.layouts import scrambled
from tests.language.printing import Printer
from tests.language.writable import writable, writable_surface
from tests.strategies.choices import Choices
from tests.strategies.cores import core
from tests.strategies.surfaces import surface

Formatter = Callable[[str], str]


class Dice(Choices):
    """Choices by a seed, without hypothesis."""

    def __init__(self, seed: int) -> None:
        # The only strategy that is drawn from asks for texts of one pattern.
        super().__init__(lambda strategy: "AB12")
        self.random = random.Random(seed)

    def between(self, low: int, high: int) -> int:
        return self.random.randint(low, high)


def program(seed: int) -> str:
    """A harness in a layout of its own, with comments in places of a random kind."""
    dice = Dice(seed)
    made = writable(core(dice))
    text, _ = scrambled(Printer(made, writable_surface(surface(dice, made))).source(), seed)
    return text


def fmt(text: str) -> str:
    formatted, found = format_text(text, "x")
    assert formatted is not None, found
    return formatted


def quotes(text: str) -> list[str]:
    return [token.text for token in lex(text).tokens if token.kind in ("STRING", "TEXT", "RAW")]


def comments(text: str) -> list[str]:
    return [token.text for token in lex(text).comments]


def meaning(text: str) -> Any:
    """The tree of `text` without places; None where it cannot be parsed."""
    file, found = parse(text, "x")
    return None if found else _shape(file.decls)


def _shape(node: Any) -> Any:
    if isinstance(node, t.Node):
        fields = [name for name in node.__match_args__ if name not in ("start", "end")]
        return type(node).__name__, [_shape(getattr(node, name)) for name in fields]
    if isinstance(node, list | tuple):
        return [_shape(part) for part in node]
    if isinstance(node, dict):
        return {key: _shape(part) for key, part in node.items()}
    return node.text if isinstance(node, Token) else node


def broken_laws(text: str, formatter: Formatter) -> set[str]:
    """The laws that `formatter` breaks on `text`, a file that compiles."""
    once = formatter(text)
    broken = set()
    try:
        if formatter(once) != once:
            broken.add("idempotent")
    except AssertionError:
        broken.add("parses")
        return broken
    if meaning(once) != meaning(text):
        broken.add("tree")
    old, new = compile_text(text), compile_text(once)
    if old.core is None or (old.core, old.surface) != (new.core, new.surface):
        broken.add("core")
    if quotes(text) != quotes(once):
        broken.add("quotes")
    if comments(text) != comments(once):
        broken.add("comments")
    return broken
