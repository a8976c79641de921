"""Moved limits between a Core and the JSON of a certificate."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from augmentors.certificates import LimitSetting
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId


def moved_limits(base: Core, core: Core) -> dict[SemanticId, LimitSetting]:
    """The limits of `core` that have another value in `base`."""
    before = {limit.id: limit.value for limit in base.limits}
    return {limit.id: _setting(limit.value) for limit in core.limits if before[limit.id] != limit.value}


def with_limits(base: Core, settings: Mapping[SemanticId, LimitSetting]) -> Core:
    """`base` with those limits moved; settings of unknown limits have no effect."""
    if not settings:
        return base
    limits = tuple(
        limit.model_copy(update={"value": value_of(settings[limit.id])}) if limit.id in settings else limit
        for limit in base.limits
    )
    return base.model_copy(update={"limits": limits})


def value_of(setting: LimitSetting) -> int | Decimal | str:
    """The value that a setting stands for; text that is no finite number stays text."""
    if not isinstance(setting, dict):
        return setting
    text = str(setting.get("decimal"))
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text
    return value if value.is_finite() else text


def _setting(value: int | Decimal | str) -> LimitSetting:
    return {"decimal": format(value, "f")} if isinstance(value, Decimal) else value
