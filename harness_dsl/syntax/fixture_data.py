"""The text of a fixture: YAML (which JSON is a part of), loaded safely, as plain JSON values.

Imported only for a harness that has fixtures: reading YAML takes longer to load than checking a file.
"""

import datetime
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from harness_dsl.syntax.fixtures import FixtureError

VALUES = 1_000_000


def parsed(data: bytes, relative: str) -> Any:
    """The data. Raises `FixtureError`, which names the fixture as `relative`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FixtureError(f"`{relative}` is not UTF-8") from None
    try:
        return _Json(relative).of(YAML(typ="safe", pure=True).load(text))
    except (YAMLError, ValueError, RecursionError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = f" in line {line + 1}" if line is not None else ""
        raise FixtureError(f"`{relative}` is no YAML{where}: {getattr(error, 'problem', error)}") from None


class _Json:
    """Makes plain JSON of what YAML gave. An alias counts each time it stands somewhere, so that a short file
    cannot become a huge value.
    """

    def __init__(self, relative: str) -> None:
        self.relative = relative
        self.values = 0

    def of(self, value: Any, depth: int = 0) -> Any:
        self.values += 1
        if self.values > VALUES:
            raise FixtureError(f"`{self.relative}` holds more than {VALUES:,} values, aliases written out")
        if depth > 60:
            raise FixtureError(f"`{self.relative}` is nested too deep")
        match value:
            case dict():
                wrong = [key for key in value if not isinstance(key, str)]
                if wrong:
                    raise FixtureError(f"`{self.relative}`: the key {wrong[0]!r} is no text; quote it")
                return {self.of(key, depth): self.of(item, depth + 1) for key, item in value.items()}
            case list():
                return [self.of(item, depth + 1) for item in value]
            case datetime.datetime() | datetime.date() | datetime.time():
                return value.isoformat()
            case str() if any("\ud800" <= char <= "\udfff" for char in value):
                raise FixtureError(
                    f"`{self.relative}` holds half of a surrogate pair, which no UTF-8 text has"
                )
            case None | bool() | int() | float() | str():
                return value
            case _:
                kind = type(value).__name__
                raise FixtureError(f"`{self.relative}` holds a {kind}, which is no JSON value")
