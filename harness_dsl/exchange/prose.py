"""Foreign text as quoted text of the language that says exactly the same, character for character."""

import re

from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.tree import Quote

_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_TEMPLATE = re.compile(r"\{{2,}%?|\{%")
_BLOCK = re.compile(rf'\{{*"{{3,}}|\{{{{2,}}%?|\{{%|\{{*[{_CONTROL}]+|^[^\S\n]+$', re.MULTILINE)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LONE = re.compile(r"[\ud800-\udfff]")


def quoted(text: str) -> str:
    """`text` as a `"…"` string that is no template."""
    return '"' + "".join(_ESCAPES.get(c) or _character(c) for c in text) + '"'


def literal(text: str) -> str:
    """`text` as a template tag that prints it."""
    return f"{{{{ {quoted(text)} }}}}"


def without_surrogates(text: str) -> str:
    """`text` with halves of surrogate pairs, which have no UTF-8 form, as U+FFFD."""
    return _LONE.sub("\ufffd", text)


def line(text: str) -> str:
    """A template that says `text`, as a string on one line."""
    return quoted(_TEMPLATE.sub(lambda match: literal(match[0]), text))


def paragraph(text: str, indent: str) -> str:
    """A template that says `text`, as a text block whose lines stand behind `indent`."""
    shown = _BLOCK.sub(lambda match: literal(match[0]), text)
    if "\n" not in shown and not shown.startswith('"') and not shown.endswith('"'):
        block = f'"""{shown}"""'
    else:
        lines = (indent + part if part else "" for part in shown.split("\n"))
        block = '"""\n' + "\n".join(lines) + f'\n{indent}"""'
    return block if value_of(Quote(0, len(block), "TEXT", block)) == shown else line(text)


def short(text: str, indent: str) -> str:
    """A description beside a name: a string if it is one line, else a text block."""
    return paragraph(text, indent) if "\n" in text.strip("\n") else line(text)


def _character(character: str) -> str:
    if character.isprintable() or character == "\u3000":
        return character
    code = ord(character)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    return character
