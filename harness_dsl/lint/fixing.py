"""Fixes, put into the bytes of a file: everything else in it stays as it is, line ends too."""

from collections.abc import Iterable

from harness_dsl.diagnostics import Diagnostic, Fix


def fixes(found: Iterable[Diagnostic], path: str, unsafe: bool = False) -> list[Fix]:
    """The fixes in the file at `path`, in the order of the text; of two that overlap the first.
    `unsafe`: those that may change the meaning too.
    """
    wanted = {one.fix for one in found if one.fix is not None and (one.fix.safe or unsafe)}
    chosen: list[Fix] = []
    for fix in sorted(wanted, key=lambda fix: fix.span):
        if fix.span.path == path and (not chosen or fix.span.start >= chosen[-1].span.end):
            chosen.append(fix)
    return chosen


def fixed(data: bytes, fixes: list[Fix]) -> bytes:
    """UTF-8 `data` with `fixes`, whose spans count code points of the normalised text."""
    raw = data.decode("utf-8")
    origins = _origins(raw)
    for fix in reversed(fixes):
        start, end = origins[fix.span.start], origins[fix.span.end]
        raw = raw[:start] + fix.text + raw[end:]
    return raw.encode("utf-8")


def _origins(raw: str) -> list[int]:
    """Where each code point of the normalised text, and its end, stands in `raw`."""
    found: list[int] = []
    at = 1 if raw.startswith("\ufeff") else 0
    while at < len(raw):
        found.append(at)
        at += 2 if raw.startswith("\r\n", at) else 1
    return [*found, len(raw)]
