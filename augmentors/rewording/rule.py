"""What a rewriting rule is: a pattern in one sentence, what it becomes, and examples that are its tests.

In a sentence every reference is one letter of `TOOL`, `SKILL` or `OTHER`, and every literal (code, an
address, quoted words) one of `LITERAL`, so that no rule can change them.
"""

import re
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
Role = Literal["description", "when", "step", "rule", "section", "message"]

TOOL, SKILL, OTHER, LITERAL = "\ue000-\ue3ff", "\ue400-\ue7ff", "\ue800-\uebff", "\uec00-\uf8ff"
_BEGUN = re.compile(r"[A-Z\ue000-\uf8ff]")
_LOUD = re.compile(r"\b[A-Z]{2,}\b")
"""Shouted words lose their stress in other words."""
ASKING: frozenset[Role] = frozenset(("step", "rule", "section", "message"))
"""Texts that tell the model what to do; the others describe something."""


@dataclass(frozen=True)
class Rule:
    """`group`: of rules with one, a sentence takes one only, or they would take each other back. `roles`: the
    texts it fits; None: all. `examples`: a sentence before and after; T, S, O and L stand for a tool, a
    skill, another reference and a literal.
    """

    name: str
    language: Language
    group: str
    pattern: re.Pattern[str]
    becomes: str
    examples: tuple[tuple[str, str], ...]
    roles: frozenset[Role] | None = None
    unless: re.Pattern[str] | None = None
    again: bool = False

    def apply(self, sentence: str) -> str:
        """`sentence` rewritten at the first place where the rule fits; at every place if `again`."""
        if self.unless is not None and self.unless.search(sentence):
            return sentence
        if self.language == "en" and self.pattern.pattern.startswith("^") and not _BEGUN.match(sentence):
            return sentence
        changed = self.pattern.sub(self._written, sentence, count=0 if self.again else 1)
        return _capital(changed, sentence) if self.language == "en" else changed

    def _written(self, match: re.Match[str]) -> str:
        if _LOUD.search(match[0]):
            return match[0]
        text = match.expand(self.becomes)
        if self.language == "zh":
            return text
        # `^` stands before a word that no longer begins the sentence.
        text = re.sub(r"\^(\w)", lambda first: first[1].lower(), text)
        return text[:1].upper() + text[1:] if match[0][:1].isupper() else text


def _capital(text: str, like: str) -> str:
    """`text` beginning with a capital, if `like` does."""
    return text[:1].upper() + text[1:] if like[:1].isupper() else text
