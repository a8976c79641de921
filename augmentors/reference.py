"""The reference page of every operator, generated from its module, its class and its parameters."""

import json
import re
import sys
from inspect import cleandoc
from pathlib import Path
from typing import Any

from augmentors.base import PROMISES, Operator
from augmentors.levels import FOUNDED
from augmentors.registry import BEFORE, OPERATORS

REGENERATE = "harnessc explain --operators docs/operators"
INDEX = "README.md"

_WRITTEN = f"Written by `{REGENERATE}`."
_KINDS = {
    "preserving": "`preserving`: changes how a harness is shown, and nothing a run could tell apart",
    "task-relative": "`task-relative`: changes what stands beside the symbols that the task needs",
    "capability": "`capability`: changes what the harness can do; expectations are computed anew",
    "environment": "`environment`: changes what happens to tools on the way; the harness and the task stay",
    "oracle-changing": "`oracle-changing`: changes what a right answer is; expectations are computed anew",
    "refactoring": "`refactoring`: gives the harness another shape, and brings an adapter to the old one",
}
_CHECKED = """The promises are laws that tests hold against generated harnesses. `harnessc verify` knows no
operator and refuses any row, wherever it comes from, whose claim it cannot prove."""
_HEAD = f"""# Operators

{_WRITTEN} An operator draws another way
to show a harness, and says what every run keeps. How rows are drawn and
checked: [variants.md](../variants.md). They are applied in this order."""


def pages() -> dict[str, str]:
    """By file name, the pages of `docs/operators`: the index, and one for each operator."""
    return {INDEX: index(), **{f"{name}.md": page(operator) for name, operator in OPERATORS.items()}}


def write(folder: Path) -> list[Path]:
    """Writes every page into `folder`, which is made if it is not there. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in pages()]


def index() -> str:
    """The page that lists the operators."""
    rows = [["operator", "what it shows", "kind", "level", "family"]]
    for name, operator in OPERATORS.items():
        sentence = _module_text(operator).split("\n", 1)[0]
        rows.append([f"[{name}]({name}.md)", sentence, operator.kind, operator.level, operator.family])
    return f"{_HEAD}\n\n{_table(rows)}\n"


def page(operator: type[Operator]) -> str:
    """The page of one operator."""
    about = [
        ["", ""],
        ["kind", _KINDS[operator.kind]],
        ["keeps", operator.observation],
        ["level", f"`{operator.level}`: {FOUNDED[operator.level]}"],
        ["family", operator.family],
        ["applies to", cleandoc(operator.symbols.__doc__ or "")],
    ]
    parts = [
        f"# {operator.name}",
        _WRITTEN + " All operators: [README.md](README.md).",
        _module_text(operator),
        cleandoc(operator.__doc__ or ""),
        _table(about),
        "## Parameters",
        _table(_parameters(operator)),
        *_order(operator.name),
        "## What it promises, and what is refused",
        _table(_promises(operator)),
        _CHECKED,
    ]
    return "\n\n".join(parts) + "\n"


def meanings(operator: type[Operator]) -> dict[str, str]:
    """What each parameter means, from the docstring of the parameters."""
    text = cleandoc(operator.parameters_model.__doc__ or "")
    found = re.findall(r"^(\w+)  +(.+(?:\n +.+)*)", text, flags=re.MULTILINE)
    return {name: " ".join(meaning.split()) for name, meaning in found}


def _module_text(operator: type[Operator]) -> str:
    return cleandoc(sys.modules[operator.__module__].__doc__ or "")


def _parameters(operator: type[Operator]) -> list[list[str]]:
    schema = operator.parameters_model.model_json_schema()
    defaults = operator.parameters_model().model_dump(mode="json")
    about = meanings(operator)
    rows = [["parameter", "values", "default", "meaning"]]
    for name, values in schema["properties"].items():
        default = "none" if defaults[name] is None else f"`{json.dumps(defaults[name])}`"
        rows.append([f"`{name}`", _values(values, schema.get("$defs", {})), default, about[name]])
    return rows


def _values(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    """The values that a parameter takes, in words. Lists are not empty where the parameters say so."""
    if "$ref" in schema:
        return _values(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(
            _values(option, definitions) for option in schema["anyOf"] if option != {"type": "null"}
        )
    if schema["type"] == "array":
        least = " (at least one)" if schema.get("minItems") else ""
        return f"a list of {_values(schema['items'], definitions)}{least}"
    if "properties" in schema:
        return "a mapping with the keys " + ", ".join(f"`{key}`" for key in schema["properties"])
    if schema["type"] == "object":
        return f"a mapping to {_values(schema['additionalProperties'], definitions)}"
    return f"{schema['type']} {_bounds(schema)}".rstrip()


def _bounds(schema: dict[str, Any]) -> str:
    signs = {"exclusiveMinimum": ">", "minimum": "≥", "exclusiveMaximum": "<", "maximum": "≤"}
    return " and ".join(f"{sign} {schema[key]}" for key, sign in signs.items() if key in schema)


def _order(name: str) -> list[str]:
    mine = [rule for rule in BEFORE if name in (rule.first, rule.second)]
    lines = []
    for reason in dict.fromkeys(rule.reason for rule in mine):
        firsts = dict.fromkeys(f"`{rule.first}`" for rule in mine if rule.reason == reason)
        seconds = dict.fromkeys(f"`{rule.second}`" for rule in mine if rule.reason == reason)
        lines.append(f"- {', '.join(firsts)} before {', '.join(seconds)}: {reason}")
    return ["## Order", "\n".join(lines)] if lines else []


def _promises(operator: type[Operator]) -> list[list[str]]:
    rows = [["law", "promise", "refused, for example"]]
    return rows + [[law, PROMISES[law], operator.refused.get(law, "")] for law in operator.laws]


def _table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
