"""Rules that a harness can be given: each in two languages, with the predicate that says when it is kept.

Reviewed together: a prose asks for no more and no less than its predicate checks. Some are held out of
training.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from harness_dsl.ir.expressions import Affix, Binary, Constant, Expression, Matches, Not, Reply


@dataclass(frozen=True)
class BankedRule:
    """`check` holds for a reply that keeps the rule."""

    pool: Literal["train", "held-out"]
    zh: str
    en: str
    check: Expression


def _without(pattern: str) -> Expression:
    return Not(operand=Matches(subject=Reply(), pattern=pattern))


def _ends_with(text: str) -> Expression:
    return Affix(where="end", subject=Reply(), text=Constant(value=text))


RULES: Mapping[str, BankedRule] = {
    "no_exclamation_mark": BankedRule(
        "train", "回复里不用感叹号。", "Use no exclamation mark in a reply.", _without("[!！]")
    ),
    "no_question_mark": BankedRule(
        "held-out", "回复里不用问号。", "Use no question mark in a reply.", _without("[?？]")
    ),
    "no_brackets": BankedRule(
        "train", "回复里不用括号。", "Use no brackets in a reply.", _without("[()（）]")
    ),
    "no_quotation_marks": BankedRule(
        "held-out", "回复里不用引号。", "Use no quotation marks in a reply.", _without('["“”「」]')
    ),
    "no_line_break": BankedRule("train", "回复只写一行。", "Write every reply on one line.", _without("\\n")),
    "full_stop_last": BankedRule(
        "train",
        "每次回复以句号结尾。",
        "End every reply with a full stop.",
        Binary(operator="or", left=_ends_with("。"), right=_ends_with(".")),
    ),
    "thanks_last": BankedRule(
        "train", "每次回复以“谢谢”结尾。", "End every reply with “谢谢”.", _ends_with("谢谢")
    ),
    "good_day_last": BankedRule(
        "held-out", "每次回复以“祝好”结尾。", "End every reply with “祝好”.", _ends_with("祝好")
    ),
}
"""By name, which is the label of the rule."""
