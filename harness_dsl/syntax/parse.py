"""Text to tree, with one diagnostic for every independent mistake."""

from bisect import bisect_left

from grammar.driver import HEIGHT, MISTAKES, Parsed, Unexpected
from grammar.driver import parse as drive
from grammar.lexer import DECLARATIONS, END, Lexed, LexicalProblem, Token, lex, next_declaration
from grammar.tables import MARKS, WORDS
from harness_dsl.diagnostics import Diagnostic, Fix, Label, Span
from harness_dsl.diagnostics.lines import Lines
from harness_dsl.diagnostics.suggest import close_names, question
from harness_dsl.syntax import tree
from harness_dsl.syntax.build import build
from harness_dsl.syntax.conflicts import conflict
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


RUNAWAYS = 12
"""So many text blocks without an end are looked for, each of which costs a parse."""

_SEPARATORS = (",", ";")
_NO_SEPARATOR = "Remove it: nothing separates these parts, or they stand on lines of their own."


def parse(text: str, path: str) -> tuple[tree.File, list[Diagnostic]]:
    """The tree of `text` and its syntax mistakes. Never raises; what cannot be saved is left out of the
    tree.
    """
    text = normal(text)
    merging = conflict(text, path)
    if merging is not None:
        return tree.File(path, text, given_up=True), [merging]
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
    close: frozenset[int] = frozenset()
    while True:
        lexed = lex(text, close=close)
        parsed = drive(lexed.tokens, "file", build)
        after = next_declaration(text, max(close), len(text)) if close else -1
        suspect = _runaway(text, lexed, parsed, after) if len(close) < RUNAWAYS else None
        if suspect is None:
            return lexed, parsed, close
        close |= {suspect}


def _runaway(text: str, lexed: Lexed, parsed: Parsed, after: int) -> int | None:
    """Where, `after` an offset, a text block opens that has swallowed a declaration, if that explains the
    mistake that follows it: what is taken for code behind such a block is the text of another one.
    """
    places = sorted([one.token.start for one in parsed.problems] + [one.start for one in lexed.problems])
    for token in lexed.tokens:
        if token.kind != "TEXT" or token.start <= after:
            continue
        at = bisect_left(places, token.start)
        if at == len(places):
            return None
        swallowed = next_declaration(text, token.start, token.end) < token.end
        if swallowed and places[at] < next_declaration(text, token.end, len(text)):
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
    cut: set[int] = set()  # where a text was ended by guess, and what it stands in is left open
    found: list[Diagnostic] = []
    for problem in lexed.problems:
        line = lines.place(problem.start).line
        if line not in taken:
            taken.add(line)
            found.append(_lexical(text, path, problem))
        if problem.kind == "unterminated_text":
            cut.add(next_declaration(text, problem.start, len(text)))
    for unexpected in parsed.problems:
        # What is wrong with a bracket that is never closed is on its own line.
        diagnostic = _syntactic(text, path, unexpected)
        line = lines.place(diagnostic.span.start).line
        if line not in taken and unexpected.token.start not in cut:
            taken.add(line)
            found.append(diagnostic)
    found.sort(key=lambda diagnostic: diagnostic.span.start)
    return _given_up(path, found, parsed) if parsed.given_up else found


def _given_up(path: str, found: list[Diagnostic], parsed: Parsed) -> list[Diagnostic]:
    """Says at the first and at the last finding that there may be more."""
    last = parsed.problems[-1].token
    stopped = f"reading stopped here, after {MISTAKES:,} mistakes"
    found[-1] = found[-1]._replace(help=f"{found[-1].help} R{stopped[1:]}.".lstrip())
    labels = (*found[0].labels, Label(Span(path, last.start, last.end), stopped))
    return [found[0]._replace(labels=labels), *found[1:]]


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


def _syntactic(text: str, path: str, problem: Unexpected) -> Diagnostic:
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
    count = text[opener.end : token.start].strip() if opener is not None and token.text == "]" else ""
    if problem.expected == ("RANGE",) and count.isdecimal():
        both = Fix(f"write `..{count}`", Span(path, token.start, token.start), f"..{count}", safe=False)
        return Diagnostic("HD101", shown, span, f"Write `[{count}..{count}]` for lists of {count}.", fix=both)
    close = _close(problem)
    fix = Fix(f"write `{close[0]}`", span, close[0], safe=False) if len(close) == 1 else None
    if token.text in _SEPARATORS:
        return Diagnostic("HD101", shown, span, _NO_SEPARATOR, fix=Fix("remove it", span, "", safe=False))
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
