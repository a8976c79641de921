"""What SARIF 2.1.0 demands of the objects that are written here, checked by hand: required properties, types,
allowed words, and that nothing else stands there.
"""

from collections.abc import Callable, Iterator
from typing import Any

Check = Callable[[Any], Iterator[str]]


def violations(document: Any) -> list[str]:
    """Each place that is not as the format wants it."""
    return list(_DOCUMENT(document))


def _word(*allowed: str) -> Check:
    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, str) or (allowed and value not in allowed):
            yield f" is {value!r}"

    return check


def _number(least: int) -> Check:
    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            yield f" is {value!r}"

    return check


def _uri(value: Any) -> Iterator[str]:
    legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%:"
    if not isinstance(value, str) or not value or any(char not in legal for char in value):
        yield f" is no URI: {value!r}"


def _list(item: Check, unique: bool = False) -> Check:
    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, list):
            yield " is no list"
            return
        if unique and any(one in value[:at] for at, one in enumerate(value)):
            yield " repeats an item"
        for at, one in enumerate(value):
            yield from (f"[{at}]{said}" for said in item(one))

    return check


def _object(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    known = {**required, **(optional or {})}

    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, dict):
            yield " is no object"
            return
        yield from (f" lacks {name}" for name in required if name not in value)
        for name, part in value.items():
            if name not in known:
                yield f" has an unknown {name}"
            else:
                yield from (f".{name}{said}" for said in known[name](part))

    return check


_MESSAGE = _object({"text": _word()})
_MULTIFORMAT = _object({"text": _word()}, {"markdown": _word()})
_REGION = _object(
    {"startLine": _number(1), "startColumn": _number(1), "endLine": _number(1), "endColumn": _number(1)}
)
_ARTIFACT = _object({"uri": _uri})
_PHYSICAL = _object({"artifactLocation": _ARTIFACT}, {"region": _REGION})
_LOCATION = _object({"physicalLocation": _PHYSICAL}, {"id": _number(0), "message": _MESSAGE})
_REPLACEMENT = _object({"deletedRegion": _REGION}, {"insertedContent": _object({"text": _word()})})
_CHANGE = _object({"artifactLocation": _ARTIFACT, "replacements": _list(_REPLACEMENT)})
_LEVEL = _word("none", "note", "warning", "error")
_RESULT = _object(
    {"message": _MESSAGE, "ruleId": _word(), "level": _LEVEL, "locations": _list(_LOCATION)},
    {
        "ruleIndex": _number(0),
        "relatedLocations": _list(_LOCATION, unique=True),
        "fixes": _list(_object({"artifactChanges": _list(_CHANGE, unique=True)}, {"description": _MESSAGE})),
        "suppressions": _list(
            _object(
                {"kind": _word("inSource", "external")},
                {
                    "status": _word("accepted", "underReview", "rejected"),
                    "justification": _word(),
                    "location": _LOCATION,
                },
            )
        ),
    },
)
_RULE = _object(
    {"id": _word()},
    {
        "name": _word(),
        "shortDescription": _MULTIFORMAT,
        "fullDescription": _MULTIFORMAT,
        "help": _MULTIFORMAT,
        "defaultConfiguration": _object({"level": _LEVEL}),
        "properties": _object({}, {"tags": _list(_word(), unique=True)}),
    },
)
_DRIVER = _object(
    {"name": _word()},
    {"version": _word(), "semanticVersion": _word(), "rules": _list(_RULE, unique=True)},
)
_RUN = _object(
    {"tool": _object({"driver": _DRIVER})},
    {
        "results": _list(_RESULT),
        "columnKind": _word("utf16CodeUnits", "unicodeCodePoints"),
        "newlineSequences": _list(_word(), unique=True),
    },
)
_DOCUMENT = _object({"version": _word("2.1.0"), "runs": _list(_RUN)}, {"$schema": _word()})
