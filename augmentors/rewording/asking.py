"""What a model is asked when it shall reword a text, and what of its answer may stand in a bank."""

import json
import re
from collections.abc import Iterable

from augmentors.rewording.checks import refusals
from augmentors.rewording.editing import New
from augmentors.rewording.endpoint import AnswerError
from augmentors.rewording.prose import NotProse, read, spell
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import kind
from harness_dsl.ir.texts import Template, Text

_LANGUAGES = {"zh": "Chinese", "en": "English"}
_ROLES = {
    "description": "a description of a tool, a parameter or a type",
    "when": "the line that says when a skill is used",
    "step": "a step of a skill",
    "rule": "a rule of the system prompt",
    "section": "a section of the system prompt",
    "message": "what a hook tells the model when it acts",
}
_TASK = """\
You reword one text of the prompt of an assistant, so that it asks for exactly the same in other words.
Keep, letter by letter: every tag in double braces such as {{ tool.get_quote }}, everything between backticks,
addresses, and words in quotation marks. Use each tag exactly as often as the text does, and no other.
Keep every number with its unit, every negation, and the force of every demand: what must be done, should be,
may be, is limited by "only", "at most" or "at least", or comes before or after something else.
Add nothing, leave nothing out, keep about the length, and do not explain.
Answer with one JSON object and nothing else: {"wordings": ["...", "..."]}"""
_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
"""Control characters, and halves of characters, which JSON can write and no file can hold."""
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?```\s*$", re.DOTALL)


def question(text: Text, count: int, language: str | None, known: Iterable[str]) -> list[dict[str, str]]:
    """The messages that ask for `count` wordings of `text`. `known`: those that are there already."""
    asked = {
        "what it is": _ROLES.get(kind(text.id), "a text"),
        "text": spell(text.canonical),
        "wordings": count,
        "language": _LANGUAGES.get(language, language) if language else "that of the text",
    }
    there = list(known)
    if there:
        asked["not these"] = there
    return [
        {"role": "system", "content": _TASK},
        {"role": "user", "content": json.dumps(asked, ensure_ascii=False, indent=1)},
    ]


def answered(content: str) -> list[str]:
    """The wordings that a model's answer gives. Raises `AnswerError`."""
    fenced = _FENCE.match(content)
    try:
        data = json.loads(fenced[1] if fenced else content)
    except (ValueError, RecursionError):
        raise AnswerError("the content of the answer is no JSON object") from None
    wordings = data.get("wordings") if isinstance(data, dict) else None
    if not isinstance(wordings, list) or not all(isinstance(one, str) for one in wordings):
        raise AnswerError("the answer has no list of texts under `wordings`")
    return [text for one in wordings if (text := _UNSHOWN.sub(" ", one).strip())]


def judged(
    wordings: Iterable[str], text: Text, core: Core, by: str, language: str | None, known: Iterable[Template]
) -> list[New]:
    """Each wording as it goes into the bank: proposed, or rejected with the reason; none that is there."""
    seen, found = [text.canonical, *text.alternatives, *known], []
    for wording in dict.fromkeys(wordings):
        try:
            template = read(wording, core, text.canonical)
        except NotProse as error:
            first = error.misprints[0]
            found.append(New(wording, "rejected", by, language, f"{first.code}: {first.message}"))
            continue
        if template in seen:
            continue
        seen.append(template)
        refused = next(refusals(text.canonical, template, language), None)
        reason = f"{refused.code}: {refused.message}" if refused else ""
        found.append(New(wording, "rejected" if refused else "proposed", by, language, reason))
    return found
