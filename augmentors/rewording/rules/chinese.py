"""How rules for Chinese are written down."""

import re
from collections.abc import Iterable

from augmentors.rewording.rule import Role, Rule

HAN = r"\u4e00-\u9fff"
WHO = "观众|客户|用户|学员|学生|顾客|买家|有人"
HEAD = r"(?:^|(?<=[，；：、]))"


def rule(
    name: str,
    group: str,
    pattern: str,
    becomes: str,
    *examples: tuple[str, str],
    roles: Iterable[Role] | None = None,
    unless: str | None = None,
    again: bool = False,
) -> Rule:
    return Rule(
        name=f"zh.{name}",
        language="zh",
        group=group,
        pattern=re.compile(pattern),
        becomes=becomes,
        examples=examples,
        roles=frozenset(roles) if roles is not None else None,
        unless=re.compile(unless) if unless is not None else None,
        again=again,
    )
