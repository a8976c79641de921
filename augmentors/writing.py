"""In which writing prose is: Chinese characters, or Latin letters."""

import re
from collections.abc import Iterator
from typing import Literal

from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.texts import Literally, Template
from harness_dsl.ir.walk import parts

Writing = Literal["han", "latin"]

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_OTHER = re.compile(r"[\u0370-\u1fff\u3040-\u30ff\uac00-\ud7af]")
_FEW = 3


def writing(template: Template) -> Writing | None:
    """The writing of what stands in `template` between references; None: neither, or one of other scripts."""
    return _known.get(template, lambda: _writing(template))


_known: ByIdentity[Writing | None] = ByIdentity()


def _writing(template: Template) -> Writing | None:
    words = _words(template)
    han, latin = len(_HAN.findall(words)), len(_LATIN.findall(words))
    if _OTHER.search(words) or not han + latin:
        return None
    return "han" if han > latin else "latin"


def writings(template: Template) -> frozenset[Writing]:
    """The writings that sentences of `template` are in: a Latin name in a Chinese sentence makes none."""
    words = _words(template)
    han, latin = len(_HAN.findall(words)), len(_LATIN.findall(words))
    found: set[Writing] = set()
    if han and (han >= _FEW or not latin):
        found.add("han")
    if latin and (not han or (latin >= _FEW and latin * 4 >= han)):
        found.add("latin")
    return frozenset(found)


def _words(template: Template) -> str:
    return " ".join(_literals(template))


def _literals(template: Template) -> Iterator[str]:
    return (part.text for part in parts(template) if isinstance(part, Literally))
