"""The grammar as a reader wants it: EBNF (as in XML 1.0, section 6) of `harness.lark`."""

import re
from pathlib import Path

_RULE = re.compile(r"^[?!]?([a-z_]+):(.*)$")
_TERMINAL = re.compile(r"^(_?[A-Z_]+):\s*(.+)$")
_ALIAS = re.compile(r"->\s*[a-z_]+\s*$")
_WORD = re.compile(r'"[^"]*"|[A-Za-z_]+')
_HEAD = """# Grammar

Written by `make update-golden` from `grammar/harness.lark`. `A?` is at most one, `A*` any number, `A+` at
least one. A word in quotes is a keyword only where the rule has it; elsewhere it is a NAME. Space, line ends
and comments, from `#` to the end of the line, may stand between any two tokens and mean nothing. What every
rule means is in [language.md](language.md).
"""
_TOKENS = {
    "NAME": "a letter or `_`, then letters, digits, `_` and marks that combine with them (UAX 31), in NFC",
    "STRING": 'a text on one line in `"`, with the escapes `\\n \\t \\r \\" \\\\ \\uXXXX`',
    "RAW": 'a text on one line in `r"…"`, without escapes',
    "TEXT": 'any text in `\\"\\"\\"`, without escapes'.replace('\\"', '"'),
    "NUMBER": "digits, with `-` before and a fraction behind them at most",
    "DURATION": "a number with `ms`, `s` or `min` right behind it",
}


def grammar_page() -> str:
    """The page `docs/grammar.md`."""
    rules, words = _read((Path(__file__).resolve().parent / "harness.lark").read_text("utf-8"))
    lines = [_HEAD, "```ebnf"]
    for name, options in rules.items():
        shown = [_shown(option, words) for option in options]
        head = f"{name.strip('_')} ::= "
        joined = head + " | ".join(shown)
        lines.append(joined if len(joined) <= 110 else head + f"\n{' ' * 8}| ".join(shown))
    lines += [
        "```",
        "",
        "| token | is |",
        "|---|---|",
        *(f"| {name} | {is_} |" for name, is_ in _TOKENS.items()),
    ]
    return "\n".join(lines) + "\n"


def _read(text: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The options of each rule, and the text of each terminal that is a word or mark."""
    rules: dict[str, list[str]] = {}
    words: dict[str, str] = {}
    current: list[str] = []
    for line in text.split("\n"):
        rule, terminal = _RULE.match(line), _TERMINAL.match(line)
        if terminal is not None:
            if terminal[2].startswith('"'):
                words[terminal[1]] = terminal[2]
        elif rule is not None:
            current = rules.setdefault(rule[1], [])
            current.append(rule[2])
        elif line.lstrip().startswith("|"):
            current.append(line.strip().removeprefix("|"))
    return {name: _split(options) for name, options in rules.items()}, words


def _split(lines: list[str]) -> list[str]:
    """The options of a rule, on whatever lines they stand."""
    options: list[str] = []
    for line in lines:
        depth, start = 0, 0
        for at, char in enumerate(line):
            depth += (char == "(") - (char == ")")
            if char == "|" and depth == 0 and line[at - 1 : at + 2] != '"|"':
                options.append(line[start:at])
                start = at + 1
        options.append(line[start:])
    return [_ALIAS.sub("", option).strip() for option in options]


def _shown(option: str, words: dict[str, str]) -> str:
    def word(match: re.Match[str]) -> str:
        found = match[0]
        return found if found.startswith('"') else words.get(found, found.strip("_"))

    return _WORD.sub(word, option)
