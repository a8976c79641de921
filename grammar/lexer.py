"""Text to tokens. A word is marked with the keyword it could be; the parser decides which it is."""

import re
from typing import Literal, NamedTuple

from grammar.tables import MARKS, PATTERNS, WORDS

END = "$END"
DECLARATIONS = frozenset(
    (
        "harness",
        "module",
        "import",
        "use",
        "override",
        "type",
        "input",
        "tool",
        "reply",
        "strategy",
        "hook",
        "prompt",
        "limits",
        "alternatives",
        "moved",
        "surface",
        "test",
        "fixed",
    )
)
"""Words that begin a declaration."""


class Token:
    """`kind`: its terminal, NAME for every word. `keyword`: the terminal of the keyword it could be, or "".

    `indent`: the space before it if it is the first of its line, else -1. `start`, `end`: code points.
    """

    __slots__ = ("end", "indent", "keyword", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int, indent: int, keyword: str = "") -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.indent = indent
        self.keyword = keyword

    def __repr__(self) -> str:
        return f"Token({self.kind}, {self.text!r}, {self.start})"


class LexicalProblem(NamedTuple):
    kind: Literal["unterminated_text", "unterminated_string", "bad_number", "unknown_character"]
    start: int
    end: int


class Lexed:
    """`tokens` end in END. `comments` are kept apart."""

    __slots__ = ("comments", "problems", "tokens")

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.comments: list[Token] = []
        self.problems: list[LexicalProblem] = []


_ORDER = ("SPACE", "NAME", "TEXT", "RAW", "STRING", "DURATION", "NUMBER", "COMMENT")
_SCANNER = re.compile(
    "|".join(
        [
            f"(?P<RAW>{PATTERNS['RAW']})",
            *(f"(?P<{name}>{PATTERNS[name]})" for name in _ORDER if name != "RAW"),
            "(?P<MARK>" + "|".join(re.escape(m) for m in sorted(MARKS, key=len, reverse=True)) + ")",
            '(?P<OPEN_TEXT>""")',
            r'(?P<OPEN_STRING>"(?:\\.|[^"\\\n])*)',
            r"(?P<BAD_NUMBER>-?\d\w*)",
            r"(?P<OTHER>[\s\S])",
        ]
    )
)
_DECLARATION_LINE = re.compile(
    r"^(?:fixed +)?"
    r"(?:type|input|tool|(?:reply|strategy) +skill|hook|prompt|limits|alternatives|surface|test|moved)"
    r"\b[^\n]*(?:[{(=:]|->)",
    re.MULTILINE,
)


def lex(text: str, start: int = 0, end: int | None = None, close: frozenset[int] = frozenset()) -> Lexed:
    """Tokens of `text[start:end]`; line ends must be line feeds.

    A text block that opens at an offset in `close` ends before the first line that looks like a
    declaration: the parser asks for this when the block seems to have lost its closing delimiter.
    """
    lexed = Lexed()
    limit = len(text) if end is None else end
    position = start
    while position < limit:
        position = _run(text, position, limit, close, lexed)
    lexed.tokens.append(Token(END, "", limit, limit, 0))
    return lexed


def _run(text: str, position: int, limit: int, close: frozenset[int], lexed: Lexed) -> int:
    """Lexes until the end, or until a text block that must be closed by guess; returns where to go on."""
    tokens, comments = lexed.tokens, lexed.comments
    indent = 0
    words = WORDS.get
    for match in _SCANNER.finditer(text, position, limit):
        kind = match.lastgroup
        begin, stop = match.span()
        if kind == "SPACE":
            line = text.rfind("\n", begin, stop) + 1
            if line or begin == 0:
                indent = stop - line
            continue
        if kind == "NAME":
            word = match.group()
            tokens.append(Token("NAME", word, begin, stop, indent, words(word, "")))
        elif kind == "MARK":
            mark = match.group()
            tokens.append(Token(MARKS[mark], mark, begin, stop, indent))
        elif kind == "COMMENT":
            comments.append(Token("COMMENT", match.group(), begin, stop, indent))
            continue
        elif kind == "OPEN_TEXT" or (kind == "TEXT" and begin in close):
            stop = next_declaration(text, begin, limit)
            lexed.problems.append(LexicalProblem("unterminated_text", begin, begin + 3))
            tokens.append(Token("TEXT", text[begin:stop].rstrip() + '"""', begin, stop, indent))
            return stop
        elif kind == "OPEN_STRING":
            lexed.problems.append(LexicalProblem("unterminated_string", begin, begin + 1))
            tokens.append(Token("STRING", match.group().rstrip().rstrip("\\") + '"', begin, stop, indent))
        elif kind == "BAD_NUMBER":
            lexed.problems.append(LexicalProblem("bad_number", begin, stop))
            tokens.append(Token("NUMBER", "0", begin, stop, indent))
        elif kind == "OTHER":
            lexed.problems.append(LexicalProblem("unknown_character", begin, stop))
            continue
        else:
            assert kind is not None
            tokens.append(Token(kind, match.group(), begin, stop, indent))
        indent = -1
    return limit


def next_declaration(text: str, start: int, limit: int) -> int:
    """Where the first line after `start` begins that looks like a declaration; `limit` if there is none."""
    match = _DECLARATION_LINE.search(text, text.find("\n", start, limit) + 1 or limit, limit)
    return match.start() if match else limit
