"""Catalogue entries of a Core's tools, of the built-in that loads a skill, and of a Surface's distractors."""

from collections.abc import Mapping
from typing import Any

from harness_dsl.ir.builtins import LOAD_SKILL_DESCRIPTION
from harness_dsl.ir.core import Core, Param, Skill, Tool
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT, SemanticId, foreign, segment
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.protocol.catalog_entry import ParamEntry, ToolEntry
from harness_dsl.protocol.json_schema import JsonSchemas
from harness_dsl.protocol.prose import ProseWriter
from harness_dsl.protocol.signatures import Signatures, schema_signature
from harness_dsl.protocol.source_map import FIXED, Rendered, Sourced, SpanKind, Writer
from harness_dsl.protocol.spelling import Spelling, spelling
from harness_dsl.protocol.values import Values, ordered


def load_skill_description(surface: Surface) -> Rendered:
    """What the built-in says of itself, in the wording that `surface` chooses."""
    chosen = surface.wordings.get(LOAD_SKILL_TEXT)
    wording = LOAD_SKILL_DESCRIPTION.canonical if chosen is None else chosen
    writer = Writer()
    for part in wording:
        if isinstance(part, Literally):
            kind: SpanKind = "fixed" if chosen is None else "text"
            writer.add(part.text, FIXED if chosen is None else LOAD_SKILL_TEXT, kind)
    return writer.rendered()


class Entries:
    """Builds the entries of one Core under one Surface, in shown order, without what is hidden."""

    def __init__(
        self, core: Core, surface: Surface, naming: Naming, values: Values, prose: ProseWriter
    ) -> None:
        self._core = core
        self._surface = surface
        self._naming = naming
        self._values = values
        self._prose = prose
        self._spelling = spelling(surface.tool_docs)
        self._signatures = Signatures(core, naming, values, self._spelling)

    def skills(self) -> list[Skill]:
        """The skills that are shown."""
        by_id = {skill.id: skill for skill in self._core.skills if skill.id not in self._surface.hidden}
        return [by_id[id_] for id_ in ordered(self._surface, "skills", tuple(by_id))]

    def any(self) -> bool:
        """Whether there is anything to call."""
        hidden = self._surface.hidden
        shown = [tool for tool in self._core.tools if tool.id not in hidden]
        return bool(shown or self._surface.distractors or self.skills())

    def tools(self, inputs: Mapping[str, Any]) -> list[ToolEntry]:
        """Tools and distractors in the Surface's order; the built-in comes last."""
        schemas = self.schemas(inputs)
        entries: dict[SemanticId, ToolEntry] = {}
        for tool in self._core.tools:
            if tool.id not in self._surface.hidden:
                entries[tool.id] = self.tool(tool, schemas, inputs)
        for distractor in self._surface.distractors:
            entries[foreign(distractor.name)] = distractor_entry(distractor, self._spelling)
        order = ordered(self._surface, "tools", tuple(entries))
        listed = [entries[id_] for id_ in order]
        skills = self.skills()
        if not skills:
            return listed
        return [*listed, self.load_skill(skills)]

    def schemas(self, inputs: Mapping[str, Any]) -> JsonSchemas:
        """The schemas of this Surface, with descriptions for these inputs."""

        def describe(text: Text) -> Rendered:
            return self._text(text, inputs)

        return JsonSchemas(self._core, self._surface, self._naming, self._values, describe)

    def tool(self, tool: Tool, schemas: JsonSchemas, inputs: Mapping[str, Any]) -> ToolEntry:
        """The entry of one tool."""
        params = {param.id: param for param in tool.params}
        order = ordered(self._surface, tool.id, tuple(params))
        return ToolEntry(
            id=tool.id,
            name=self._naming.name(tool.id),
            description=self._text(tool.description, inputs),
            params=tuple(self.param(params[id_], inputs) for id_ in order),
            schema=lambda: schemas.parameters(tool),
        )

    def param(self, param: Param, inputs: Mapping[str, Any]) -> ParamEntry:
        """The entry of one parameter. One whose default is not said looks optional."""
        type_ = Writer()
        says_default = param.has_default and param.id not in self._surface.unsaid
        self._signatures.write(type_, param.type)
        return ParamEntry(
            id=param.id,
            name=self._naming.name(param.id),
            required=param.required,
            has_default=says_default,
            default=self._values.show(param.default, param.type),
            type=type_.rendered(),
            description=self._text(param.description, inputs),
        )

    def _text(self, text: Text | None, inputs: Mapping[str, Any]) -> Rendered:
        writer = Writer()
        if text is not None:
            self._prose.write(writer, text, inputs)
        return writer.rendered()

    def load_skill(self, skills: list[Skill]) -> ToolEntry:
        """The entry of the built-in; its schema names `skills`."""
        name = Sourced(self._naming.name(LOAD_SKILL_PARAM), LOAD_SKILL_PARAM, "symbol")
        type_ = Writer()
        type_.fixed(self._spelling.text)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {
                name: {
                    "type": "string",
                    "enum": [Sourced(self._naming.name(skill.id), skill.id, "symbol") for skill in skills],
                }
            },
            "required": [name],
        }
        empty = Rendered("", ())
        param = ParamEntry(LOAD_SKILL_PARAM, name, True, False, None, type_.rendered(), empty)
        description = load_skill_description(self._surface)
        return ToolEntry(LOAD_SKILL, self._naming.name(LOAD_SKILL), description, (param,), lambda: schema)


def distractor_entry(tool: ForeignTool, spelling: Spelling) -> ToolEntry:
    """The entry of a distractor, which looks like that of a tool."""
    id_ = foreign(tool.name)
    properties = tool.parameters.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    required = tool.parameters.get("required")
    required = required if isinstance(required, list) else []
    params = []
    for name, schema in properties.items():
        about = schema.get("description", "") if isinstance(schema, dict) else ""
        has_default = isinstance(schema, dict) and "default" in schema
        params.append(
            ParamEntry(
                id=f"{id_}/param/{segment(name)}",
                name=name,
                required=name in required,
                has_default=has_default,
                default=schema["default"] if has_default else None,
                type=_plain(schema_signature(schema, spelling), FIXED),
                description=_plain(about if isinstance(about, str) else "", f"{id_}/description"),
            )
        )
    description = _plain(tool.description, f"{id_}/description")
    return ToolEntry(id_, tool.name, description, tuple(params), lambda: _schema(tool))


def _schema(tool: ForeignTool) -> dict[str, Any]:
    """The distractor's own schema, with its parameters as symbols of it."""

    def named(name: str) -> Sourced:
        return Sourced(name, f"{foreign(tool.name)}/param/{segment(name)}", "symbol")

    schema = dict(tool.parameters)
    if isinstance(schema.get("properties"), dict):
        schema["properties"] = {named(name): value for name, value in schema["properties"].items()}
    if isinstance(schema.get("required"), list):
        schema["required"] = [named(name) if isinstance(name, str) else name for name in schema["required"]]
    return schema


def _plain(text: str, source: str) -> Rendered:
    writer = Writer()
    writer.add(text, source, "fixed" if source == FIXED else "text")
    return writer.rendered()
