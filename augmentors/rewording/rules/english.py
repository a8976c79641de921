"""How rules for English are written down."""

import re
from collections.abc import Iterable

from augmentors.rewording.rule import Role, Rule


def rule(
    name: str,
    group: str,
    pattern: str,
    becomes: str,
    *examples: tuple[str, str],
    roles: Iterable[Role] | None = None,
    unless: re.Pattern[str] | None = None,
    again: bool = False,
) -> Rule:
    return Rule(
        name=f"en.{name}",
        language="en",
        group=group,
        pattern=re.compile(pattern, re.IGNORECASE),
        becomes=becomes,
        examples=examples,
        roles=frozenset(roles) if roles is not None else None,
        unless=unless,
        again=again,
    )


def words(group: str, *pairs: tuple[str, str, str], roles: Iterable[Role] | None = None) -> list[Rule]:
    """Words for words: what stands there, what becomes of it, and a sentence with the first in it."""
    rules = []
    for old, new, sentence in pairs:
        first = re.sub(r"[^a-z]+", "-", old.lower()).strip("-")
        pattern = rf"\b{re.escape(old)}\b"
        after = re.sub(pattern, new, sentence, count=1, flags=re.IGNORECASE)
        after = after[0].upper() + after[1:]
        rules.append(rule(first, group, pattern, new, (sentence, after), roles=roles))
    return rules
