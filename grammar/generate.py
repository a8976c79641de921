"""Writes `tables.py` from `harness.lark`: `python -m grammar.generate`.

The parser tables are computed by lark here and never at run time: importing lark and building the tables
would cost more than checking a file does.
"""

import logging
from pathlib import Path
from typing import Any

STARTS = ("file", "template_expression", "template_tag")
HERE = Path(__file__).resolve().parent


class Conflict(Exception):
    """The grammar is ambiguous for one token of look-ahead."""


class _Conflicts(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "Shift/Reduce" in record.getMessage():
            self.found.append(record.getMessage())


def tables_source() -> str:
    """The text of `tables.py`. Raises `Conflict` where lark would silently prefer to shift."""
    import lark
    from lark.lexer import PatternStr
    from lark.utils import logger

    def build(debug: bool) -> Any:
        text = (HERE / "harness.lark").read_text("utf-8")
        return lark.Lark(text, parser="lalr", start=list(STARTS), maybe_placeholders=False, debug=debug)

    conflicts = _Conflicts()
    logger.addHandler(conflicts)
    level = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        build(debug=True)
    finally:
        logger.setLevel(level)
        logger.removeHandler(conflicts)
    if conflicts.found:
        raise Conflict("\n".join(conflicts.found))
    built = build(debug=False)
    words, marks, patterns = {}, {}, {}
    for terminal in built.terminals:
        value = terminal.pattern.value
        if not isinstance(terminal.pattern, PatternStr):
            patterns[terminal.name] = value
        elif value.isidentifier():
            words[value] = terminal.name
        else:
            marks[value] = terminal.name
    return _module(built.parser.parser._parse_table, words, marks, patterns)


def _module(table: Any, words: dict[str, str], marks: dict[str, str], patterns: dict[str, str]) -> str:
    number = _numbered(table)
    rules: dict[Any, int] = {}
    rows = []
    for state in number:
        row = {}
        for symbol, argument in _moves(table, state):
            shift = type(argument) is int
            row[symbol] = number[argument] + 1 if shift else -1 - rules.setdefault(argument, len(rules))
        rows.append(row)
    starts = {s: (number[table.start_states[s]], number[table.end_states[s]]) for s in STARTS}
    lines = [
        '"""Parser tables, written by `python -m grammar.generate` from `harness.lark`."""',
        "",
        "# ruff: noqa",
        "# fmt: off",
        f"STARTS: dict[str, tuple[int, int]] = {starts}",
        f"WORDS: dict[str, str] = {dict(sorted(words.items()))}",
        f"MARKS: dict[str, str] = {dict(sorted(marks.items()))}",
        f"PATTERNS: dict[str, str] = {dict(sorted(patterns.items()))}",
        "RULES: tuple[tuple[str, str, int, bool, tuple[int, ...], tuple[int, ...]], ...] = (",
        *(f"    {_rule(rule)}," for rule in rules),
        ")",
        "TABLE: tuple[str, ...] = (",
        *(f"    {' '.join(f'{symbol} {number}' for symbol, number in row.items())!r}," for row in rows),
        ")",
    ]
    return "\n".join(lines) + "\n"


def _moves(table: Any, state: int) -> list[tuple[str, Any]]:
    """(symbol, following state or rule to reduce by), sorted."""
    return sorted(
        ((str(symbol), argument) for symbol, (_, argument) in table.states[state].items()),
        key=lambda move: move[0],
    )


def _numbered(table: Any) -> dict[int, int]:
    """The states by the order in which they are reached: lark's own numbers change from run to run."""
    number: dict[int, int] = {}
    waiting = [table.start_states[start] for start in STARTS]
    while waiting:
        state = waiting.pop(0)
        if state not in number:
            number[state] = len(number)
            waiting += [argument for _, argument in _moves(table, state) if type(argument) is int]
    return number


def _rule(rule: Any) -> tuple[str, str, int, bool, tuple[int, ...], tuple[int, ...]]:
    """(origin, name of the node, length, "a single child stands for it", kept children, children spliced
    in).
    """
    kept, spliced = [], []
    for index, symbol in enumerate(rule.expansion):
        if symbol.is_term:
            if not symbol.filter_out:
                kept.append(index)
            continue
        kept.append(index)
        if symbol.name.startswith("_"):
            spliced.append(index)
    origin = str(rule.origin.name)
    single = bool(rule.options.expand1) and rule.alias is None
    return origin, str(rule.alias or origin), len(rule.expansion), single, tuple(kept), tuple(spliced)


if __name__ == "__main__":
    (HERE / "tables.py").write_text(tables_source(), "utf-8")
