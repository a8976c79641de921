"""What all Surfaces of one Core have in common: places for names and limits, and texts between them."""

import re
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Any

from harness_dsl.ir.core import Core
from harness_dsl.ir.evaluate import text_of
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.markers import escaped
from harness_dsl.protocol.source_map import FIXED, Piece, Rendered

Fragment = tuple[int, ...]
"""Places in a table: names as they are, names inside JSON, then fixed pieces. Negative: of one text alone."""

_KEPT = 4_096
_PLAIN = re.compile(r"[A-Za-z0-9_ .,:-]*")


class Sheet:
    """Fragments of one Core. They hold for every Surface, and for every value of the limits."""

    def __init__(self, core: Core) -> None:
        named = [*dict.fromkeys(symbols(core))]
        self._ids = [*named, *(limit.id for limit in core.limits)]
        self._defaults = [(id_, leaf(id_)) for id_ in named]
        self.width = len(self._ids)
        self.slots = {id_: at for at, id_ in enumerate(self._ids)}
        self._pieces: list[Piece] = []
        self._texts: list[str] = []
        self._places: dict[Piece, int] = {}
        self.plain: defaultdict[str, dict[SemanticId, Fragment]] = defaultdict(dict)
        """By form and id, what no Surface words or orders in another way."""
        self._fragments: OrderedDict[Hashable, tuple[Any, Fragment]] = OrderedDict()

    def names(self, core: Core, surface: Surface) -> list[str]:
        """What stands at each place of a name or a limit: as it is, and again inside JSON."""
        given = surface.names.get
        shown = [given(id_) or default for id_, default in self._defaults]
        shown += [text_of(limit.value) for limit in core.limits]
        # Names of these characters alone stand in JSON as they are.
        if _PLAIN.fullmatch("".join(shown)):
            return shown + shown
        return [*shown, *map(in_json, shown)]

    def texts(self, names: list[str], before: list[str]) -> list[str]:
        """The table of texts for what `names` gave; `before`: the table that was given before, or nothing."""
        if not before:
            return names + self._texts
        before += self._texts[len(before) - 2 * self.width :]
        return before

    def pieces(self, names: list[str], before: list[Piece]) -> list[Piece]:
        """The table of pieces, as `texts`."""
        if not before:
            before = [(name, id_, "symbol") for name, id_ in zip(names, self._ids * 2, strict=True)]
        before += self._pieces[len(before) - 2 * self.width :]
        return before

    def fixed(self, text: str) -> int:
        """The place of what the protocol itself writes."""
        return self.place((text, FIXED, "fixed"))

    def place(self, piece: Piece) -> int:
        """The place of a piece that is the same in all Surfaces."""
        at = self._places.get(piece)
        if at is None:
            at = self._places[piece] = 2 * self.width + len(self._pieces)
            self._pieces.append(piece)
            self._texts.append(piece[0])
        return at

    def fragment(self, rendered: Rendered, *, inside_json: bool = False) -> Fragment:
        """`rendered` with its names taken out. `inside_json`: what it holds is escaped for JSON already."""
        places = []
        for span in rendered.spans:
            slot = self.slots.get(span.source) if span.kind == "symbol" else None
            if slot is None:
                places.append(self.place((rendered.text[span.start : span.end], span.source, span.kind)))
            else:
                places.append(slot + self.width if inside_json else slot)
        return tuple(places)

    def known(self, key: Hashable) -> Fragment | None:
        """The fragment of `key`, if it was made already."""
        found = self._fragments.get(key)
        return None if found is None else found[1]

    def kept(self, key: Hashable, owners: Any, make: Callable[[], Fragment]) -> Fragment:
        """The fragment of `key`, made now if it is not known. `owners` is kept with it: objects whose `id`
        stands in the key.
        """
        known = self._fragments.get(key)
        if known is not None:
            return known[1]
        made = make()
        self._fragments[key] = (owners, made)
        while len(self._fragments) > _KEPT:
            self._fragments.popitem(last=False)
        return made


@remembered
def _sheets(core: Core) -> dict[tuple[SemanticId, ...], Sheet]:
    return {}


def sheet(core: Core) -> Sheet:
    """The sheet of `core` and of all that differ from it in the values of limits alone."""
    by_limits = _sheets(core)
    limits = tuple(limit.id for limit in core.limits)
    found = by_limits.get(limits)
    if found is None:
        found = by_limits[limits] = Sheet(core)
    return found


@lru_cache(maxsize=1 << 16)
def in_json(text: str) -> str:
    """`text` as it stands between the quotes of a JSON string that is shown."""
    return escaped(dump(text))[1:-1]


def joined(fragments: Iterable[Fragment], between: int) -> list[int]:
    """The fragments with `between` between them."""
    places: list[int] = []
    for fragment in fragments:
        if places:
            places.append(between)
        places += fragment
    return places
