"""Rewords a text by rules: offline, and always the same for the same seed."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from augmentors.rewording.checks import Refusal, refusals
from augmentors.rewording.rule import LITERAL, OTHER, SKILL, TOOL, Role, Rule
from augmentors.rewording.rules import RULES
from harness_dsl.ir.ids import SemanticId, kind
from harness_dsl.ir.texts import Literally, Part, Reference, Template, Text

_TRIES = 12
_MOST_IN_A_SENTENCE = 2
_LEFT_OUT = 0.25
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KEPT = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`|https?://[^\s)）]+|<[^<>\n]{1,80}>|\*\*[^*\n]+\*\*|[A-Za-z0-9_]*_[A-Za-z0-9_]+"
    r"|“[^”\ue000-\uf8ff\n]*”|「[^」\n]*」|\"[^\"\n]*\"",
    re.DOTALL,
)
_SENTENCE = re.compile(
    r"((?<=[。！？])(?![”」’）])\s*(?=.)|(?<=[a-z0-9)\ue000-\uf8ff][.!?])\s+(?=[A-Z\u4e00-\u9fff\ue000-\uf8ff])"
    r"|\s*\n(?=\s*\n)\s*\n|\n(?=\s*(?:[-*+•#>|]|\d+[.)、]\s)))"
)
"""Between sentences and between lines of a list; a Chinese sentence needs no space behind it."""
_LETTER = re.compile(r"([\ue000-\uf8ff])")
_MARK = re.compile(r"^(?:[-*+•]|\d+[.)、])\s+|^\s+")
_NO_PROSE = re.compile(r"^(?:#|\||>|\s{4,}\S|---)")


@dataclass(frozen=True)
class Rewording:
    """Another wording of a text, and the rules that made it. `refused`: why it may not stand there."""

    template: Template
    rules: tuple[str, ...]
    refused: tuple[Refusal, ...]


def role_of(id_: SemanticId) -> Role:
    """What a text does in a harness, by its id."""
    found = kind(id_)
    match found:
        case "description" | "when" | "step" | "rule" | "section" | "message":
            return found
        case _:
            raise ValueError(f"`{id_}` is the id of no text")


def rewordings(text: Text, seed: int, count: int) -> Iterator[Rewording]:
    """At most `count` wordings of `text` that pass the checks, and those that do not pass, as they come."""
    sheet = _Sheet.of(text.canonical)
    rng = random.Random(int.from_bytes(sha256(f"{seed}/{text.id}".encode()).digest()[:8]))
    fitting = [*map(_fitting(role_of(text.id)), sheet.sentences)]
    seen = {"".join(sheet.sentences)}
    passed = 0
    for _ in range(_TRIES * count if any(fitting) else 0):
        if passed == count:
            return
        sentences, used = _rewritten(sheet.sentences, fitting, rng)
        written = "".join(sentences)
        if not used or written in seen:
            continue
        seen.add(written)
        template = sheet.template(written)
        refused = tuple(refusals(text.canonical, template))
        passed += not refused
        yield Rewording(template, used, refused)


def _fitting(role: Role) -> Callable[[str], list[Rule]]:
    """Which rules change a sentence of a text with that role."""
    rules = [rule for rule in RULES if rule.roles is None or role in rule.roles]

    def of(sentence: str) -> list[Rule]:
        if not _is_prose(sentence):
            return []
        language = "zh" if _HAN.search(sentence) else "en"
        return [rule for rule in rules if rule.language == language and _apply(rule, sentence) != sentence]

    return of


def _rewritten(
    sentences: Sequence[str], fitting: Sequence[Sequence[Rule]], rng: random.Random
) -> tuple[list[str], tuple[str, ...]]:
    """Each sentence after a rule or two, and the names of all rules that changed something."""
    found, used = [], []
    for sentence, rules in zip(sentences, fitting, strict=True):
        groups: set[str] = set()
        for rule in rng.sample(rules, len(rules)):
            if len(groups) == _MOST_IN_A_SENTENCE:
                break
            if rule.group in groups or rng.random() < _LEFT_OUT:
                continue
            changed = _apply(rule, sentence)
            if changed != sentence:
                sentence = changed
                groups.add(rule.group)
                used.append(rule.name)
        found.append(sentence)
    return found, tuple(dict.fromkeys(used))


def _apply(rule: Rule, sentence: str) -> str:
    """`sentence` after `rule`; a mark of a list and the white space around are no part of it."""
    mark = _MARK.match(sentence)
    head = mark[0] if mark else ""
    body = sentence[len(head) :]
    bare = body.rstrip()
    if head.strip() and rule.group == "politeness":
        return sentence  # one polite line of a list would stand out
    return head + rule.apply(bare) + body[len(bare) :]


def _is_prose(sentence: str) -> bool:
    return bool(sentence.strip()) and not _NO_PROSE.match(sentence)


@dataclass(frozen=True)
class _Sheet:
    """A template as sentences in which each reference and literal is one letter."""

    sentences: tuple[str, ...]
    meant: dict[str, Part]

    @classmethod
    def of(cls, template: Template) -> "_Sheet":
        meant: dict[str, Part] = {}
        if any(_LETTER.search(part.text) for part in template if isinstance(part, Literally)):
            return cls((), {})  # letters of its own would be taken for ours
        letters = "".join(cls._letters(part, meant) for part in template)
        kept = _KEPT.sub(lambda match: cls._new(LITERAL, Literally(text=match[0]), meant), letters)
        return cls(tuple(piece for piece in _SENTENCE.split(kept) if piece), meant)

    @classmethod
    def _letters(cls, part: Part, meant: dict[str, Part]) -> str:
        if isinstance(part, Literally):
            return part.text
        if isinstance(part, Reference) and part.target.count("/") == 1:
            space = {"tool": TOOL, "skill": SKILL, "builtin": TOOL}.get(part.target.split("/")[0], OTHER)
            return cls._new(space, part, meant)
        return cls._new(OTHER, part, meant)

    @staticmethod
    def _new(space: str, part: Part, meant: dict[str, Part]) -> str:
        first = ord(space[0])
        while chr(first) in meant:
            first += 1
        meant[chr(first)] = part
        return chr(first)

    def template(self, written: str) -> Template:
        """The template that `written` stands for."""
        parts: list[Part] = []
        for part in self._parts(written):
            if isinstance(part, Literally) and parts and isinstance(parts[-1], Literally):
                parts[-1] = Literally(text=parts[-1].text + part.text)
            else:
                parts.append(part)
        return tuple(parts)

    def _parts(self, written: str) -> Iterator[Part]:
        """Quoted words may have references in them, which are letters there, too."""
        for piece in filter(None, _LETTER.split(written)):
            part = self.meant.get(piece)
            if part is None:
                yield Literally(text=piece)
            elif isinstance(part, Literally):
                yield from self._parts(part.text)
            else:
                yield part
