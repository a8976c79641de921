"""Imports in the canonical layout: right after the header, sorted by path."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of


def with_sorted_imports(file: t.File) -> str | None:
    """The text of `file` with its imports in their place, each with its comments; None if they are there."""
    imports = [decl for decl in file.decls if isinstance(decl, t.ImportDecl)]
    ordered = sorted(imports, key=lambda decl: (value_of(decl.target), decl.name.text))
    if not imports or not isinstance(file.decls[0], t.Header) or file.decls[1 : len(imports) + 1] == ordered:
        return None
    top = _end(file, file.decls[0])
    pieces = {decl: (_start(file, decl), _end(file, decl)) for decl in imports}
    rest, at = "", top
    for start, end in sorted(pieces.values()):
        rest += file.text[at:start]
        at = end
    rest += file.text[at:]
    lines = [file.text[start:end] for start, end in (pieces[decl] for decl in ordered)]
    return "\n".join([file.text[:top], *lines, rest])


def _start(file: t.File, decl: t.Decl) -> int:
    """Where the comments on the lines right above `decl` begin."""
    start = decl.start
    for comment in reversed(file.comments):
        between = file.text[comment.end : start]
        if comment.own_line and between.strip() == "" and between.count("\n") == 1:
            start = comment.start
    return start


def _end(file: t.File, decl: t.Decl) -> int:
    """Where `decl` ends, or the comment that ends its line."""
    after = next(token.start for token in file.tokens if token.start >= decl.end)
    for comment in file.comments:
        if decl.end <= comment.start < after:
            return decl.end if comment.own_line else comment.end
    return decl.end
