"""How the tool documentation spells types, by its form."""

from dataclasses import dataclass
from typing import Literal

from harness_dsl.ir.surface import ToolDocs


@dataclass(frozen=True, slots=True)
class Spelling:
    """Words for types, and what stands around the parts of others. `times`: by the form of a `TimeType`."""

    text: str
    integer: str
    number: str
    boolean: str
    anything: str
    nothing: str
    times: dict[Literal["date", "time", "datetime"], str]
    list: tuple[str, str]
    map: tuple[str, str]
    between_fields: str
    bare_list: str
    bare_map: str

    def of_json(self, kind: str) -> str:
        """The word for a type of JSON Schema."""
        words = {
            "integer": self.integer,
            "number": self.number,
            "string": self.text,
            "boolean": self.boolean,
            "array": self.bare_list,
            "object": self.bare_map,
            "null": self.nothing,
        }
        return words.get(kind, self.anything)


PYTHON = Spelling(
    text="str",
    integer="int",
    number="float",
    boolean="bool",
    anything="any",
    nothing="None",
    times={"date": "date", "time": "time", "datetime": "datetime"},
    list=("list[", "]"),
    map=("dict[str, ", "]"),
    between_fields=", ",
    bare_list="list",
    bare_map="dict",
)

TYPESCRIPT = Spelling(
    text="string",
    integer="number /* integer */",
    number="number",
    boolean="boolean",
    anything="unknown",
    nothing="null",
    times={kind: f"string /* {kind} */" for kind in ("date", "time", "datetime")},
    list=("Array<", ">"),
    map=("Record<string, ", ">"),
    between_fields="; ",
    bare_list="Array<unknown>",
    bare_map="Record<string, unknown>",
)


def spelling(form: ToolDocs) -> Spelling:
    """The spelling of a form; JSON Schema has its own way, and does not ask."""
    return TYPESCRIPT if form == "typescript" else PYTHON
