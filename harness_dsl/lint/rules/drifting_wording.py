"""HD411"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.checks.alternatives import text_id
from harness_dsl.syntax.references import Target, target_of

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SPELLED = {
    "1": "one|a|an|single|once|一", "2": "two|twice|二|两", "3": "three|三", "4": "four|四", "5": "five|五",
    "6": "six|六", "7": "seven|七", "8": "eight|八", "9": "nine|九", "10": "ten|十",
}  # fmt: skip
_HARMLESS = re.compile(
    r"([\u4e00-\u9fff])[不没]\1|不错|不仅|不但|对不起|不同|差不多|不好意思|不断|非常|无论|无非|没问题|未来|特别|个别"
    r"|不管|不论|级别|别人|区别|分别|类别|性别|识别|别的|告别|not only|no matter",
    re.IGNORECASE,
)
"""Words with a negation in them that deny nothing, and questions such as `有没有`."""
_NEGATION = re.compile(
    r"\b(?:not|never|no|cannot|nor|without|none|nothing|nobody|neither)\b|n['’]t\b|[不别勿没无未莫禁]",
    re.IGNORECASE,
)
_LIMITING = re.compile(
    r"\b(?:avoid|refrain|only|unless|except|forbid|prohibit|refus|declin|stop|instead|rather|before|until|omit"
    r"|leave|skip|free of|fail|reject|exclud|just|keep|most|least|within|up to|limit|under|over)"
    r"|[只仅除避拒免停忌杜先才]|最多|至多|至少|以内|以上",
    re.IGNORECASE,
)


class DriftingWording(Rule):
    """Wordings of one text may be shown in each other's place, so they have to mean the same. “Never
    promise a date” has lost its sense where the “never” is gone, and no checker of variants would see it:
    what a wording means is your word. Numbers and negations are what goes missing most easily.
    """

    code = "HD411"
    enforces = ("two-names", "checkable-rules")
    bad = '''
prompt system {
  section rules """Never promise a delivery date."""
}

alternatives {
  section.rules """Promise a delivery date."""
}
'''
    good = '''
prompt system {
  section rules """Never promise a delivery date."""
}

alternatives {
  section.rules """Do not promise a delivery date."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for entry in analysis.symbols.alternatives:
            target = target_of(entry.target, analysis.symbols)
            if not isinstance(entry, t.OtherWordings) or not isinstance(target, Target):
                continue
            canonical = analysis.canonical.get(text_id(target, analysis) or "")
            if canonical is None:
                continue
            meant = _words(analysis.template(canonical).parts)
            for text in entry.texts:
                said = _drift(meant, _words(analysis.template(text).parts))
                if said:
                    yield Diagnostic(
                        self.code,
                        said,
                        analysis.report.span(text),
                        "Say what the other wording says, or allow it with a reason.",
                        (Label(analysis.report.span(canonical), "the canonical text"),),
                    )


def _drift(meant: str, said: str) -> str:
    """What `said` lacks or has too many, against `meant`."""
    for one, other, verb in ((meant, said, "lacks"), (said, meant, "adds")):
        for figure in dict.fromkeys(_NUMBER.findall(one)):
            if not _counts(figure, other):
                return f"this wording {verb} the number {figure}"
        if _NEGATION.search(one) and not _NEGATION.search(other) and not _LIMITING.search(other):
            return f"this wording {verb} a negation"
    return ""


def _counts(figure: str, text: str) -> bool:
    if figure in _NUMBER.findall(text):
        return True
    spelled = _SPELLED.get(figure, "")
    return any(
        re.search(rf"\b{word}\b" if word.isascii() else word, text, re.IGNORECASE)
        for word in spelled.split("|")
        if word
    )


def _words(parts: list[t.PartNode]) -> str:
    """What is written out in a text, in all its branches."""
    found: list[str] = []
    for part in parts:
        match part:
            case t.Chunk():
                found.append(part.text)
            case t.IfPart():
                found += [_words(part.then), _words(part.otherwise)]
            case t.ForPart():
                found.append(_words(part.body))
            case t.Shown():
                continue
    return _HARMLESS.sub(" ", " ".join(found))
