"""What the text of a date, a time or a named format looks like. No pydantic: `check` asks it too.

Dates and times are those of RFC 3339. The formats are those of JSON Schema 2020-12 of which a mistake can be
told for sure; any other format says something to the reader and is not checked.
"""

import re

_CLOCK = r"\d\d:\d\d(:\d\d(\.\d+)?)?"
_OFFSET = r"([Zz]|[+-]\d\d:\d\d)"
_SHAPES = {
    "date": r"\d{4}-\d\d-\d\d",
    "time": rf"{_CLOCK}{_OFFSET}?",
    "datetime": rf"\d{{4}}-\d\d-\d\d[Tt ]{_CLOCK}{_OFFSET}",
}
TIMES = {"date": "a date", "time": "a time of day", "datetime": "a date and time with its offset"}
"""What each form is called."""

_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_TEXTS = {
    "email": r"[^@\s]+@[^@\s]+",
    "hostname": rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:\S+",
    "uuid": r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
}


def is_time(text: str, form: str) -> bool:
    """Whether `text` is a `date`, `time` or `datetime`; the last needs its offset from UTC."""
    import datetime

    if re.fullmatch(_SHAPES[form], text, re.ASCII) is None:
        return False
    try:
        getattr(datetime, form).fromisoformat(text)
    except ValueError:
        return False
    return True


def has_format(text: str, name: str) -> bool:
    """Whether `text` is of the format; true for a format that is not checked."""
    match name:
        case "date" | "time":
            return is_time(text, name)
        case "date-time":
            return is_time(text, "datetime")
        case "ipv4" | "ipv6":
            return _is_address(text, name)
        case _:
            return name not in _TEXTS or re.fullmatch(_TEXTS[name], text) is not None


FORMATS = ("date", "time", "date-time", "ipv4", "ipv6", *_TEXTS)
"""The formats that are checked."""


def _is_address(text: str, name: str) -> bool:
    import ipaddress

    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.version == int(name[-1]) and "%" not in text
