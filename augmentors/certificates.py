"""What a variant claims about itself; written out in full, one JSON object."""

import json
from typing import Any, Literal

from pydantic import Field, ValidationError

from augmentors.adapters.refactorings import Refactored
from augmentors.footprint import Footprint
from augmentors.levels import Level
from harness_dsl import __version__
from harness_dsl.ir.fault_plan import Fault
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.surface import Surface

DRAWS = 2
"""How operators draw: an earlier one gave other rows for the same seed."""

LimitSetting = int | str | dict[Literal["decimal"], str]


class Applied(Node):
    """One operator of a variant: its parameters where they are not the default, and the ids it changed."""

    operator: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    changed: tuple[SemanticId, ...] = ()


class Certificate(Node):
    """A variant and its claim.

    draws          how its operators drew (`DRAWS`), which is 1 where a row does not say
    base_core      digest of the Core that was varied
    core           digest of the Core of this variant; another one only if it was refactored or limits moved
    refactorings   what gave the Core another shape, in order; all else speaks of that shape, apart from the
                   footprint, which is in ids of the Core that was varied
    limits         the moved limits: an integer, a word, or a decimal as `{"decimal": "1.5"}`
    faults         what calls of the row's conversation meet, sorted by tool and call
    surface        how it is shown, with its digest
    operators      what was applied, in order; the random stream of each is that of (seed, row, operator)
    observations   what each of them claims to keep
    level          of the weakest part
    bank           digest of the banked wordings that it was drawn with, beside the declared ones
    footprint      what the task of this row needs; None: not known, so everything
    """

    schema_version: Literal["1.0"] = "1.0"
    tool_version: str = __version__
    draws: int = 1
    seed: int
    row: int
    base_core: str
    core: str
    refactorings: tuple[Refactored, ...] = ()
    limits: dict[SemanticId, LimitSetting] = Field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    surface: Surface
    surface_digest: str
    operators: tuple[Applied, ...] = ()
    observations: tuple[str, ...] = ()
    level: Level = "structural"
    bank: str | None = None
    footprint: Footprint | None = None


class BadRow(Exception):
    """A line of a rows file is no certificate; the message says where and why."""


def to_line(certificate: Certificate, extra: dict[str, Any] | None = None) -> str:
    """One JSON line, without what is empty; `extra` keys (messages, say) stand beside the certificate's."""
    data = _without_empty(certificate.model_dump(mode="json"))
    data["surface"] = _without_empty(data["surface"])
    return json.dumps(data | (extra or {}), ensure_ascii=False, separators=(",", ":")) + "\n"


def from_line(line: str) -> Certificate:
    """The inverse of `to_line`; keys beside the certificate's are left out. Raises `BadRow`."""
    return from_data(object_of(line))


def object_of(line: str, once: bool = False) -> dict[str, Any]:
    """The JSON object that a line holds. Raises `BadRow`, with `once` for a key that stands twice, too."""
    try:
        data = json.loads(line, object_pairs_hook=_once if once else None)
    except json.JSONDecodeError as error:
        raise BadRow(f"no JSON at column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise BadRow("the row is nested too deep") from None
    if not isinstance(data, dict):
        raise BadRow("a row must be a JSON object")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        key = next(key for at, (key, _) in enumerate(pairs) if key in dict(pairs[:at]))
        raise BadRow(f"`{key}` stands there twice")
    return found


def from_data(data: dict[str, Any]) -> Certificate:
    """The certificate in an object that `to_line` wrote. Raises `BadRow`."""
    version = data.get("schema_version")
    if version != "1.0":
        raise BadRow(f"schema version {version!r} is not known here: write the rows again with this tool")
    try:
        return Certificate.model_validate({key: data[key] for key in Certificate.model_fields if key in data})
    except ValidationError as error:
        raise BadRow(first_of(error)) from None


def first_of(error: ValidationError) -> str:
    """The first thing that a validation finds wrong, in one line."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"`{where}`: {first['msg']}"


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    """Only what has an empty default is left out, so that a reader of another version sees the same."""
    return {key: value for key, value in data.items() if value not in (None, {}, [])}
