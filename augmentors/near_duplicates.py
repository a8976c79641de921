"""Tools that look like a tool of the harness and are none: an old interface of it, one for staff, and so on.

A near duplicate follows from the Core, the names and wordings of a Surface, the tool it resembles and the
number of a recipe, so that a row need not write it out.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from augmentors.banks import Pool
from augmentors.identifiers import TOOL_NAME, Style, words, written
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.protocol.json_schema import JsonSchemas
from harness_dsl.protocol.source_map import Rendered
from harness_dsl.protocol.values import Values

ORIGIN = "near duplicate of "
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Recipe:
    """`before` and `behind` are put around the name; `english` or `chinese` follows the description."""

    pool: Pool
    before: str
    behind: str
    english: str
    chinese: str


RECIPES = (
    Recipe("train", "old", "", "Old interface, switched off.", "旧接口，已停用。"),
    Recipe("train", "", "v2", "New interface, not open to this channel yet.", "新接口，本渠道尚未开放。"),
    Recipe("train", "", "archive", "For archived data only.", "只用于归档数据。"),
    Recipe("held-out", "internal", "", "For members of staff only.", "仅限内部人员使用。"),
    Recipe("held-out", "", "preview", "In the test environment only.", "仅用于测试环境。"),
    Recipe("held-out", "batch", "", "For night runs over many at once.", "只用于夜间批量处理。"),
)
"""By number. Rows name them so: they are never changed, and new ones are added at the end."""


def recipes(pool: Pool) -> list[int]:
    """The numbers of the recipes of `pool`."""
    return [number for number, recipe in enumerate(RECIPES) if recipe.pool == pool]


def look(surface: Surface, tool: Tool, number: int) -> tuple[str, str] | None:
    """The name and the description of the near duplicate of `tool` by a recipe; None: it has none."""
    said, recipe = literal(tool.description, surface), RECIPES[number]
    name = _name(surface.names.get(tool.id) or leaf(tool.id), recipe)
    return (name, _description(said, recipe)) if said and TOOL_NAME.fullmatch(name) else None


def near_duplicate(core: Core, surface: Surface, tool: Tool, number: int) -> ForeignTool:
    """The near duplicate of `tool` by recipe `number`, as `surface` names and words the tool."""
    recipe = RECIPES[number]
    name = _name(surface.names.get(tool.id) or leaf(tool.id), recipe)
    said = literal(tool.description, surface)
    return ForeignTool(
        name=name,
        description=_description(said, recipe),
        parameters=_schema(core, surface, tool),
        failure=f"`{name}` 不可用" if _HAN.search(said) else f"`{name}` is not available",
        origin=f"{ORIGIN}{tool.id}",
    )


def resembled(tool: ForeignTool) -> SemanticId | None:
    """The id of the tool that a near duplicate says it resembles; None for other distractors."""
    return tool.origin.removeprefix(ORIGIN) if tool.origin.startswith(ORIGIN) else None


def literal(text: Text | None, surface: Surface) -> str:
    """The chosen wording, if it is the author's words alone; else nothing, for names and values change."""
    if text is None:
        return ""
    wording = surface.wordings.get(text.id, text.canonical)
    if not all(isinstance(part, Literally) for part in wording):
        return ""
    return "".join(part.text for part in wording if isinstance(part, Literally)).strip()


def _name(name: str, recipe: Recipe) -> str:
    """`name` with the words of the recipe, in the style in which it is written."""
    style: Style = "kebab" if "-" in name else "snake"
    if "_" not in name and style == "snake" and name != name.lower():
        style = "camel"
    around = (recipe.before, *words(name), recipe.behind)
    return written(tuple(word for word in around if word), style)


def _description(said: str, recipe: Recipe) -> str:
    return f"{said}{recipe.chinese}" if _HAN.search(said) else f"{said} {recipe.english}"


def _schema(core: Core, surface: Surface, tool: Tool) -> dict[str, Any]:
    """The parameters of `tool` under the names of `surface`, whatever else it shows in another way."""
    plain = Surface(names=surface.names, wordings=surface.wordings)
    naming = Naming(core, plain)

    def described(text: Text) -> Rendered:
        return Rendered(literal(text, plain), ())

    schemas = JsonSchemas(core, plain, naming, Values(core, plain, naming), described)
    data: dict[str, Any] = _without_blanks(json.loads(json.dumps(schemas.parameters(tool))))
    return data


def _without_blanks(schema: Any) -> Any:
    """A schema without descriptions that are empty."""
    match schema:
        case dict():
            kept = {key: _without_blanks(value) for key, value in schema.items()}
            return {key: value for key, value in kept.items() if (key, value) != ("description", "")}
        case list():
            return [_without_blanks(item) for item in schema]
        case _:
            return schema
