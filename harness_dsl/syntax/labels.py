"""Labels for items that have none, made of the first words of their text."""

import re
import unicodedata

from grammar.tables import WORDS
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of

_TAG = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]\w*")
LONGEST = 24


def proposed_label(item: t.ItemDecl, taken: set[str]) -> str:
    """A label for `item` that is none of `taken`."""
    words = _WORD.findall(_TAG.sub(" ", value_of(item.text.quote)))
    label = ""
    for word in words[:4]:
        longer = f"{label}_{word.lower()}".strip("_")
        if len(longer) > LONGEST:
            break
        label = longer
    label = unicodedata.normalize("NFC", label or (words[0].lower()[:LONGEST] if words else "item"))
    if label in WORDS or not label.isidentifier():
        label = "item"
    number, unique = 1, label
    while unique in taken:
        number += 1
        unique = f"{label}_{number}"
    return unique
