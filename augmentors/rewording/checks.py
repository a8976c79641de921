"""What a wording must keep of the canonical text: references, numbers, negations, force, length, language.

The checks read words, not meanings. What they refuse may still be right; a reviewer can allow it in the bank
with a reason, all but a lost reference.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from augmentors.rewording.figures import missing
from augmentors.rewording.force import ONLY, forces, negations, orders, softly_only
from augmentors.rewording.prose import spell
from augmentors.writing import Writing, writing, writings
from harness_dsl.ir.spelling import spell_expression
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Reference, Template
from harness_dsl.ir.verify_texts import mentions
from harness_dsl.ir.walk import parts

REFERENCES, NUMBERS, NEGATIONS, FORCE, LENGTH, LANGUAGE = (
    "HD410", "HD723", "HD724", "HD725", "HD726", "HD727",
)  # fmt: skip

_VERBATIM = re.compile(r"`([^`\n]+)`|(https?://[^\s）)，。；]+)|\b([A-Za-z]+(?:_[A-Za-z0-9]+)+)\b")
_QUOTED = re.compile(
    r"“([^”\n]{1,40})”|‘([^’\n]{2,40})’|「([^」\n]{1,40})」|(?<![\w\"])\"([^\"\n]{1,40})\"(?!\w)"
)
_SLACK = 14
_RATIO = 2.5
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9_'’]+")


@dataclass(frozen=True)
class Refusal:
    """Why a wording may not stand for the canonical text."""

    code: str
    message: str
    help: str


def refusals(canonical: Template, wording: Template, language: str | None = None) -> Iterator[Refusal]:
    """What `wording` has lost or has too many. `language`: the one it is said to be in, if it is said."""
    yield from _references(canonical, wording)
    meant, said = words(canonical), words(wording)
    yield from _numbers(meant, said)
    yield from _negations(meant, said)
    yield from _force(meant, said)
    yield from _length(meant, said)
    yield from _language(canonical, wording, language)


def words(template: Template) -> str:
    """What is written out in a template, in all its branches; each reference is one mark."""
    return "".join(part.text if isinstance(part, Literally) else "\ufffc" for part in parts(template))


def _references(canonical: Template, wording: Template) -> Iterator[Refusal]:
    wanted, got = _referred(canonical), _referred(wording)
    help_ = "Refer to the same symbols, values and limits as the canonical text, each as often."
    for verb, some in (("lacks", wanted - got), ("adds", got - wanted)):
        if some:
            listed = ", ".join(f"`{one}`" for one in sorted(some))
            yield Refusal(REFERENCES, f"this wording {verb} {listed}", help_)
    if wanted == got and mentions(canonical) != mentions(wording):
        yield Refusal(
            REFERENCES, "this wording mentions the same under other conditions", "Keep each in its branch."
        )
    meant, said = words(canonical), words(wording)
    help_ = "Keep names, addresses and quoted words letter by letter."
    for text in dict.fromkeys(_verbatim(meant)):
        if text not in said:
            yield Refusal(REFERENCES, f"this wording lacks the literal `{text}`", help_)
    for text in dict.fromkeys(_named(said)):
        if text not in meant:
            yield Refusal(REFERENCES, f"this wording adds the literal `{text}`", help_)


def _referred(template: Template) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in parts(template):
        match part:
            case Reference():
                found[spell((part,))] += 1
            case Interpolation():
                found[f"{{{{ {spell_expression(part.value)} }}}}"] += 1
            case If():
                found[f"{{% if {spell_expression(part.condition)} %}}"] += 1
            case For():
                found[f"{{% for {part.variable} in {spell_expression(part.values)} %}}"] += 1
            case Literally():
                continue
    return found


def _named(text: str) -> Iterator[str]:
    """What stands for itself: code, addresses, identifiers."""
    for match in _VERBATIM.finditer(text):
        yield next(filter(None, match.groups()))


def _verbatim(text: str) -> Iterator[str]:
    yield from _named(text)
    for match in _QUOTED.finditer(text):
        quoted = next(filter(None, match.groups()))
        if "\ufffc" not in quoted:
            yield quoted


def _numbers(meant: str, said: str) -> Iterator[Refusal]:
    lost, new = missing(meant, said), missing(said, meant)
    if lost or new:
        message = _lacks_and_adds([f"the number {one}" for one in lost], [f"the number {one}" for one in new])
        yield Refusal(NUMBERS, message, "Say the same numbers of the same things.")


def _lacks_and_adds(lost: list[str], new: list[str]) -> str:
    said = [f"{verb} {', '.join(some)}" for verb, some in (("lacks", lost), ("adds", new)) if some]
    return f"this wording {' and '.join(said)}"


def _negations(meant: str, said: str) -> Iterator[Refusal]:
    wanted, got = negations(meant), negations(said)
    if wanted != got:
        verb = "lacks" if wanted > got else "adds"
        yield Refusal(
            NEGATIONS,
            f"this wording {verb} a negation: {got} where the canonical text has {wanted}",
            "Deny what the canonical text denies, and nothing else.",
        )


def _force(meant: str, said: str) -> Iterator[Refusal]:
    wanted, got = forces(meant), forces(said)
    lost = sorted(wanted - got - ({ONLY} if softly_only(said) else set()))
    new = sorted(got - wanted - ({ONLY} if softly_only(meant) else set()))
    if lost or new:
        help_ = "Demand, advise, allow and limit what the canonical text does."
        yield Refusal(FORCE, _lacks_and_adds(lost, new), help_)
    for message in orders(meant, said):
        yield Refusal(FORCE, message, "Keep the order that the canonical text asks for.")


def _length(meant: str, said: str) -> Iterator[Refusal]:
    wanted, got = _weight(meant), _weight(said)
    if got > wanted * _RATIO + _SLACK or wanted > got * _RATIO + _SLACK:
        verb = "longer" if got > wanted else "shorter"
        yield Refusal(
            LENGTH, f"this wording is much {verb} than the canonical text", "Say all of it, and no more."
        )


def _weight(text: str) -> float:
    """About how much is said: a Chinese character, or two thirds of a word, is one."""
    return len(_HAN.findall(text)) + 1.5 * len(_WORD.findall(text)) + 2 * text.count("\ufffc")


_TAGS: dict[str, Writing] = {"zh": "han", "en": "latin"}


def _language(canonical: Template, wording: Template, language: str | None) -> Iterator[Refusal]:
    """Without a language, a wording is in that of the canonical text."""
    found = writing(wording)
    if language is None:
        meant, said_in = writings(canonical), writings(wording)
        if meant and said_in and meant != said_in:
            said = "this wording is in another language than the canonical text"
            yield Refusal(LANGUAGE, said, f"Say so with `language: {'zh' if found == 'han' else 'en'}`.")
        return
    wanted = _TAGS.get(language.split("-")[0].lower())
    if wanted is not None and found is not None and found != wanted:
        said = f"this wording is not in the language `{language}`"
        yield Refusal(LANGUAGE, said, "Say which language it is in.")
