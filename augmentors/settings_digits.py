"""Feedback, layouts and unsaid defaults of a variant as digits: one for each place where they may differ."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from augmentors.digits import Digits, written
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.listing import defaulted, item_lists, messages
from harness_dsl.ir.surface import Feedback, Layout, Surface

_FEEDBACK: tuple[str, ...] = get_args(Feedback)
_LAYOUTS: tuple[str, ...] = get_args(Layout)


def settings_written(core: Core, baseline: Surface, surface: Surface) -> str:
    """What differs from `baseline`; empty if nothing does."""
    if _settings(surface) == _settings(baseline):
        return ""
    changed = set(surface.unsaid) ^ set(baseline.unsaid)
    return written(
        [
            *_digits(sorted(messages(core)), _FEEDBACK, baseline.feedback, surface.feedback),
            *_digits(sorted(item_lists(core)), _LAYOUTS, baseline.layouts, surface.layouts),
            *((int(id_ in changed), 2) for id_ in sorted(defaulted(core))),
        ]
    )


def settings_read(core: Core, baseline: Surface, text: str) -> dict[str, Any]:
    """The fields of the Surface that `text` says; empty: those of `baseline`. Raises `BadDigits`."""
    if not text:
        return {}
    digits = Digits(text)
    feedback = _read(digits, sorted(messages(core)), _FEEDBACK, baseline.feedback)
    layouts = _read(digits, sorted(item_lists(core)), _LAYOUTS, baseline.layouts)
    changed = {id_ for id_ in sorted(defaulted(core)) if digits.next(2)}
    digits.end()
    unsaid = tuple(sorted(changed.symmetric_difference(baseline.unsaid))) if changed else baseline.unsaid
    return {"feedback": feedback, "layouts": layouts, "unsaid": unsaid}


def _settings(surface: Surface) -> tuple[object, ...]:
    return surface.feedback, surface.layouts, surface.unsaid


def _digits(
    ids: Iterable[SemanticId],
    options: Sequence[str],
    before: Mapping[SemanticId, str],
    now: Mapping[SemanticId, str],
) -> Iterator[tuple[int, int]]:
    """For each id 0 (as before), 1 (not said) or the place of what is said."""
    for id_ in ids:
        said = now.get(id_)
        if said == before.get(id_):
            yield 0, len(options) + 2
        else:
            yield 1 if said is None else options.index(said) + 2, len(options) + 2


def _read(
    digits: Digits, ids: Iterable[SemanticId], options: Sequence[str], before: Mapping[SemanticId, str]
) -> dict[SemanticId, str]:
    now = dict(before)
    for id_ in ids:
        place = digits.next(len(options) + 2)
        if place == 1:
            now.pop(id_, None)
        elif place:
            now[id_] = options[place - 2]
    return now
