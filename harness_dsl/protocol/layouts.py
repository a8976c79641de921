"""How items of a list and messages of hooks are set: what stands before, between and behind their texts.

list     1. Look it up.        prose     (1) Look it up. (2) Say it.        table     | # | step |
         2. Say it.                                                                   | --- | --- |
                                                                                      | 1 | Look it up. |
                                                                                      | 2 | Say it. |
"""

from collections.abc import Sequence

from harness_dsl.ir.surface import Layout, Surface
from harness_dsl.ir.transcript import HookNote

_ENDS = frozenset(".!?:;…。！？：；")
_CLOSING = " \"'”’」』)）]`"
_FULL = frozenset("。！？：；")
"""Stops that are as wide as a letter and need no space behind them."""


def laid_out(layout: Layout, in_order: bool, texts: Sequence[str]) -> list[str]:
    """What stands before each of `texts`, and at last what stands behind them all.

    The texts themselves stay as they are. Where one of them would break a layout, it is a list.
    """
    if not texts or not fits(layout, texts):
        layout = "list"
    match layout:
        case "list":
            return _listed(in_order, len(texts))
        case "prose":
            return _told(in_order, texts)
        case "table":
            return _tabled(in_order, len(texts))


def fits(layout: Layout, texts: Sequence[str]) -> bool:
    """Whether no text would break the layout: a line feed both prose and table, a bar the cell of a table."""
    if layout == "list":
        return True
    return not any("\n" in text or (layout == "table" and "|" in text) for text in texts)


def _listed(in_order: bool, count: int) -> list[str]:
    bullets = [f"{number}. " if in_order else "- " for number in range(1, count + 1)]
    return [("\n" if at else "") + bullet for at, bullet in enumerate(bullets)] + [""]


def _told(in_order: bool, texts: Sequence[str]) -> list[str]:
    """One paragraph of sentences; in order they keep their numbers."""
    around = []
    behind = ""
    for number, text in enumerate(texts, start=1):
        space = "" if number == 1 or behind == "。" or texts[number - 2][-1:] in _FULL else " "
        around.append(behind + space + (f"({number}) " if in_order else ""))
        behind = _stop(text)
    return [*around, behind]


def _stop(text: str) -> str:
    """What ends the sentence `text` if it does not do so itself."""
    last = text.rstrip(_CLOSING)[-1:]
    if not last or last in _ENDS:
        return ""
    return "。" if "\u3000" <= last <= "\u9fff" else "."


def _tabled(in_order: bool, count: int) -> list[str]:
    head = "| # | step |\n| --- | --- |\n" if in_order else "| rule |\n| --- |\n"
    rows = [f"| {number} | " if in_order else "| " for number in range(1, count + 1)]
    return [head + rows[0], *(f" |\n{row}" for row in rows[1:]), " |"]


def set_off(note: HookNote, surface: Surface) -> tuple[str, str]:
    """What stands before and behind the message of a hook that the model reads."""
    match surface.feedback.get(note.hook, "plain"):
        case "plain":
            return "", ""
        case "prefixed":
            return f"[{note.action}] ", ""
        case "tagged":
            return f"<{note.action}>\n", f"\n</{note.action}>"
