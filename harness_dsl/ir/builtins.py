"""Texts that the protocol itself brings along, with the wordings that a Surface may choose for them."""

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL_TEXT
from harness_dsl.ir.texts import Literally, Text

_SAID = (
    "Read a skill before you follow it.",
    "Load the text of a skill. Follow it only once you have read it.",
    "Show how a skill is done. Call this before you use the skill.",
    "Get the steps of a skill, which you have to know before you take them.",
    "读取一项技能。先读，再照着做。",
    "Open the instructions of a skill before you act on them.",
    "Look up one skill by its name. No skill is followed unread.",
    "查看一项技能的做法，看过之后才能使用。",
)

LOAD_SKILL_DESCRIPTION = Text(
    id=LOAD_SKILL_TEXT,
    canonical=(Literally(text=_SAID[0]),),
    alternatives=tuple((Literally(text=text),) for text in _SAID[1:]),
)
"""What the tool that loads a skill says of itself. A row names its wordings by number: new ones come last."""


def built_in_texts(core: Core) -> tuple[Text, ...]:
    """The texts that a prompt of `core` shows beside those that its author wrote."""
    return (LOAD_SKILL_DESCRIPTION,) if core.skills else ()
