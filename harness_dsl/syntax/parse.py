"""Text to tree, with one diagnostic for every independent mistake."""

from grammar.driver import HEIGHT, Parsed, Unexpected
from grammar.driver import parse as drive
from grammar.lexer import DECLARATIONS, END, Lexed, LexicalProblem, Token, lex, next_declaration
from grammar.tables import MARKS, WORDS
from harness_dsl.diagnostics import Diagnostic, Fix, Label, Span
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.diagnostics.suggest import close_names, question
from harness_dsl.syntax import tree
from harness_dsl.syntax.build import build
from harness_dsl.syntax.source import normal

_SHOWN = {
    **{name: f"`{text}`" for text, name in (MARKS | WORDS).items()},
    "NAME": "a name",
    "STRING": "a string",
    "TEXT": "a text block",
    "RAW": 'r"…"',
    "NUMBER": "a number",
    "DURATION": "a duration such as `800ms`",
    END: "the end of the file",
}
_WIDE = dict(zip("，：（）｛｝［］＝？｜．“”〈〉", ',:(){}[]=?|.""<>', strict=True))


def parse(text: str, path: str) -> tuple[tree.File, list[Diagnostic]]:
    """The tree of `text` and its syntax mistakes. Never raises; what cannot be saved is left out of the
    tree.
    """
    text = normal(text)
    lexed, parsed, _ = _best(text)
    if parsed.too_high is not None:
        return tree.File(path, text, given_up=True), [too_high(path, *parsed.too_high)]
    comments = [_comment(token) for token in lexed.comments]
    file = tree.File(
        path, text, parsed.root or [], comments, parsed.lost, lexed.tokens, given_up=parsed.given_up
    )
    return file, _diagnostics(text, path, lexed, parsed)


def declarations_at(text: str, base: int) -> list[tree.Decl]:
    """The declarations that `parse` finds in `text`, with offsets that begin at `base`."""
    text = normal(text)
    tokens = lex(text, close=_best(text)[2]).tokens
    for token in tokens:
        token.start += base
        token.end += base
    decls: list[tree.Decl] = drive(tokens, "file", build).root or []
    return decls


def _best(text: str) -> tuple[Lexed, Parsed, frozenset[int]]:
    """Tokens, tree, and where a text block was closed by guess."""
    lexed = lex(text)
    parsed = drive(lexed.tokens, "file", build)
    suspect = _runaway(text, lexed, parsed)
    if suspect is None:
        return lexed, parsed, frozenset()
    close = frozenset({suspect})
    lexed = lex(text, close=close)
    return lexed, drive(lexed.tokens, "file", build), close


def _runaway(text: str, lexed: Lexed, parsed: Parsed) -> int | None:
    """Where a text block opens that has swallowed the next declaration, if that explains the first
    mistake.
    """
    if not (parsed.problems or lexed.problems):
        return None
    places = [problem.token.start for problem in parsed.problems]
    first = min(places + [problem.start for problem in lexed.problems])
    for token in lexed.tokens:
        if token.start > first:
            return None
        if token.kind == "TEXT" and next_declaration(text, token.start, token.end) < token.end:
            return token.start
    return None


def too_high(path: str, start: int, end: int) -> Diagnostic:
    """The node at `start` is nested too deep."""
    return Diagnostic(
        "HD117",
        f"this is nested more than {HEIGHT} deep",
        Span(path, start, min(end, start + 40)),
        "Name a part of it.",
    )


def _comment(token: Token) -> tree.Comment:
    return tree.Comment(token.start, token.end, token.text, token.indent >= 0)


def _diagnostics(text: str, path: str, lexed: Lexed, parsed: Parsed) -> list[Diagnostic]:
    """One a line: what follows on a line that is already wrong is most often its consequence."""
    lines = Lines(text)
    taken: set[int] = set()
    found: list[Diagnostic] = []
    for problem in lexed.problems:
        line = lines.place(problem.start).line
        if line not in taken:
            taken.add(line)
            found.append(_lexical(text, path, problem))
        if problem.kind == "unterminated_text":
            taken.add(lines.place(next_declaration(text, problem.start, len(text))).line)
    for unexpected in parsed.problems:
        diagnostic = _syntactic(path, unexpected)
        places = {unexpected.token.start, diagnostic.span.start}
        on = {lines.place(offset).line for offset in places}
        if not on & taken:
            taken |= on
            found.append(diagnostic)
    return sorted(found, key=lambda diagnostic: diagnostic.span.start)


def _lexical(text: str, path: str, problem: LexicalProblem) -> Diagnostic:
    span = Span(path, problem.start, problem.end)
    if problem.kind == "unterminated_text":
        return Diagnostic(
            "HD104", "this text block is never closed", span, 'Close it with `"""` on a line of its own.'
        )
    if problem.kind == "unterminated_string":
        return Diagnostic(
            "HD102",
            "this string does not end on its line",
            span,
            'Close it with `"`, or use a text block `"""…"""` for several lines.',
        )
    if problem.kind == "bad_number":
        return Diagnostic(
            "HD115",
            f"`{text[problem.start : problem.end][:40]}` is no number",
            span,
            "Write for example `12` or `1.5`, and `800ms`, `2s` or `1min` for a duration.",
        )
    character = text[problem.start]
    help_, fix = "Put it inside quotes, or remove it.", None
    if character in _WIDE:
        help_ = f"Write `{_WIDE[character]}` instead."
        fix = Fix(f"write `{_WIDE[character]}`", span, _WIDE[character], safe=False)
    message = f"`{character}` (U+{ord(character):04X}) has no place here"
    return Diagnostic("HD105", message, span, help_, fix=fix)


def _syntactic(path: str, problem: Unexpected) -> Diagnostic:
    token = problem.token
    opener = problem.opener
    ends = token.kind == END
    if opener is not None and (ends or (token.indent == 0 and token.text in DECLARATIONS)):
        where = "the file ends" if ends else f"`{token.text}` begins a new declaration"
        return Diagnostic(
            "HD103",
            f"this `{opener.text}` is never closed",
            Span(path, opener.start, opener.end),
            f"Add `{ {'(': ')', '{': '}', '[': ']'}[opener.text] }`.",
            (Label(Span(path, token.start, token.end), f"{where} while it is open"),),
        )
    shown = "the file ends here" if ends else f"unexpected {_quoted(token)}"
    span = Span(path, token.start, token.end)
    close = _close(problem)
    fix = Fix(f"write `{close[0]}`", span, close[0], safe=False) if len(close) == 1 else None
    return Diagnostic("HD101", shown, span, _help(problem, close), fix=fix)


def _quoted(token: Token) -> str:
    if token.kind == "TEXT":
        return "text block"
    return f"`{token.text}`" if len(token.text) <= 40 else f"`{token.text[:39]}…`"


def _close(problem: Unexpected) -> list[str]:
    """Words that could stand there and look like what does."""
    words = [_SHOWN[name].strip("`") for name in problem.expected if name in WORDS.values()]
    return close_names(problem.token.text, words) if problem.token.text.isidentifier() else []


def _help(problem: Unexpected, close: list[str]) -> str:
    asked = question(close)
    if asked:
        return asked[0].upper() + asked[1:]
    expected = sorted({_SHOWN.get(name, name) for name in problem.expected})
    if not expected:
        return ""
    if len(expected) > 8:
        return "Write one of " + ", ".join(expected[:8]) + ", …"
    return (
        "Write "
        + (expected[0] if len(expected) == 1 else ", ".join(expected[:-1]) + " or " + expected[-1])
        + "."
    )
