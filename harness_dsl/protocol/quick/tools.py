"""Catalogue entries as fragments: one per parameter, put together in the order of the Surface."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, Literal

from harness_dsl.ir.core import Core, Param, Tool
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT, SemanticId, foreign
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import ForeignTool, Surface, ToolDocs
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.types import Type
from harness_dsl.protocol import catalog_typescript, catalog_xml
from harness_dsl.protocol.catalog import (
    FRAMED,
    write_comment,
    write_entry,
    write_markdown_param,
    write_python_comment,
    write_python_param,
)
from harness_dsl.protocol.catalog_entry import ParamEntry
from harness_dsl.protocol.entries import Entries, distractor_entry, load_skill_description
from harness_dsl.protocol.json_schema import named_in, recursive_types
from harness_dsl.protocol.quick.sheet import Fragment, Sheet, joined
from harness_dsl.protocol.source_map import Rendered, Writer
from harness_dsl.protocol.spelling import spelling
from harness_dsl.protocol.values import ordered

Form = Literal["json_schema", "comment", "python", "markdown", "typescript", "xml"]

_PARTS: dict[str, Callable[[Writer, ParamEntry], None]] = {
    "comment": write_python_comment,
    "python": write_python_param,
    "markdown": write_markdown_param,
    "typescript": catalog_typescript.write_typescript_param,
    "xml": catalog_xml.write_xml_param,
}


@dataclass(frozen=True)
class Reached:
    """What the documentation of a tool or parameter shows besides itself.

    texts      descriptions
    switches   ids under which a Surface may word, order or document any of it in another way
    recursive  a type that contains itself is among it
    is_fixed   the canonical wordings print the same for all inputs
    """

    texts: tuple[Text, ...]
    switches: frozenset[SemanticId]
    recursive: bool
    is_fixed: bool


@dataclass(frozen=True)
class Documented:
    """The tools of a Core, and what their documentation shows.

    reached   by the id of each tool (with all its parameters) and of each parameter
    required  parameters that a call must give
    uses      by the id of each text and record that is shown, the tools and parameters that show it
    """

    tools: dict[SemanticId, Tool]
    params: dict[SemanticId, dict[SemanticId, Param]]
    required: frozenset[SemanticId]
    reached: dict[SemanticId, Reached]
    uses: dict[SemanticId, frozenset[SemanticId]]

    def switched(self, surface: Surface) -> AbstractSet[SemanticId]:
        """The texts, records and parameters that `surface` may word, order or document in another way."""
        keys = surface.wordings.keys() | surface.orders.keys() | set(surface.unsaid)
        return self.uses.keys() & keys

    def affected(self, surface: Surface) -> frozenset[SemanticId]:
        """The tools and parameters that show any of these."""
        return frozenset().union(*(self.uses[id_] for id_ in self.switched(surface)))


@remembered
def documented(core: Core) -> Documented:
    """What the catalogue of `core` is made of."""
    found: dict[SemanticId, Reached] = {}
    for tool in core.tools:
        for param in tool.params:
            reached = _reached(core, [param.type], [param.description])
            switches = reached.switches | {param.id} if param.has_default else reached.switches
            found[param.id] = replace(reached, switches=switches)
        texts = [tool.description, *(param.description for param in tool.params)]
        found[tool.id] = _reached(core, [param.type for param in tool.params], texts)
    uses: dict[SemanticId, set[SemanticId]] = {}
    for id_, reached in found.items():
        for switch in reached.switches:
            uses.setdefault(switch, set()).add(id_)
    return Documented(
        tools={tool.id: tool for tool in core.tools},
        params={tool.id: {param.id: param for param in tool.params} for tool in core.tools},
        required=frozenset(param.id for tool in core.tools for param in tool.params if param.required),
        reached=found,
        uses={id_: frozenset(users) for id_, users in uses.items()},
    )


def _reached(core: Core, types: list[Type], texts: list[Text | None]) -> Reached:
    decls = {decl.id: decl for decl in core.types}
    waiting = [id_ for type_ in types for id_ in named_in(type_)]
    seen: set[SemanticId] = set()
    while waiting:
        id_ = waiting.pop()
        if id_ in seen or id_ not in decls:
            continue
        seen.add(id_)
        decl = decls[id_]
        inner = [field.type for field in decl.fields or ()] + ([decl.alias] if decl.alias else [])
        waiting += [name for type_ in inner for name in named_in(type_)]
        texts = [*texts, decl.description, *(field.description for field in decl.fields or ())]
    shown = tuple(text for text in texts if text is not None)
    lists = [id_ for id_ in seen if len(decls[id_].fields or ()) > 1]
    return Reached(
        texts=shown,
        switches=frozenset([*lists, *(text.id for text in shown)]),
        recursive=not seen.isdisjoint(recursive_types(core)),
        is_fixed=all(is_fixed(text, Surface()) for text in shown),
    )


def is_fixed(text: Text, surface: Surface) -> bool:
    """Whether the chosen wording prints the same for all inputs, but for names and limits."""
    template = surface.wordings.get(text.id, text.canonical)
    return all(isinstance(part, Literally | Reference) for part in template)


_distractors: ByIdentity[dict[ToolDocs, Rendered]] = ByIdentity()


class QuickTools:
    """Entries of one Core under one Surface. `own` makes a fragment of this rendering alone."""

    def __init__(
        self,
        core: Core,
        surface: Surface,
        sheet: Sheet,
        entries: Callable[[], Entries],
        own: Callable[[Rendered], Fragment],
    ) -> None:
        self._surface = surface
        self._sheet = sheet
        self._entries = entries
        self._own = own
        self._known = documented(core)
        self._form: ToolDocs = surface.tool_docs
        self._affected = self._known.affected(surface)

    def catalog(self, inputs: Mapping[str, Any], skills: list[SemanticId]) -> list[int]:
        """The places of all entries in shown order, the built-in last if `skills` are shown."""
        surface = self._surface
        hidden = frozenset(surface.hidden)
        tools = {id_: tool for id_, tool in self._known.tools.items() if id_ not in hidden}
        others = {foreign(tool.name): tool for tool in surface.distractors}
        fixed = self._sheet.fixed
        between = fixed("\n")
        places: list[int] = []
        for id_ in ordered(surface, "tools", (*tools, *others)):
            if places:
                places.append(between)
            tool = others.get(id_)
            places += self.tool(tools[id_], inputs) if tool is None else self.distractor(tool)
        if skills:
            places += (between, *self.load_skill(skills)) if places else self.load_skill(skills)
        if self._form in FRAMED:
            return [fixed("<tools>\n"), *places, fixed("\n</tools>")]
        return places

    def tool(self, tool: Tool, inputs: Mapping[str, Any]) -> Sequence[int]:
        """The places of one entry."""
        known = self._known.reached[tool.id]
        fixed = known.is_fixed
        if tool.id in self._affected:
            fixed = all(is_fixed(one, self._surface) for one in known.texts)
        if known.recursive or not fixed:
            writer = Writer()
            entry = self._entries().tool(tool, self._entries().schemas(inputs), inputs)
            write_entry(writer, entry, self._form)
            return self._own(writer.rendered())
        order = self._order(tool)
        if self._form == "json_schema":
            return self._json(tool, order)
        if self._form == "python":
            return self._python(tool, order)
        return self._lines(self._form, tool, order)

    def _order(self, tool: Tool) -> list[Param]:
        """The parameters in shown order."""
        params = self._known.params[tool.id]
        order = self._surface.orders.get(tool.id)
        if order is None or len(order) != len(params) or params.keys() != set(order):
            order = ordered(self._surface, tool.id, tuple(params))
        return [params[id_] for id_ in order]

    def _json(self, tool: Tool, params: list[Param]) -> list[int]:
        slot, width, fixed = self._sheet.slots, self._sheet.width, self._sheet.fixed
        quote, comma = fixed('"'), fixed(', "')
        places = [*self._part("json_schema", tool)]
        between = quote
        for param in params:
            places.append(between)
            places += self._part("json_schema", param)
            between = comma
        places.append(fixed('}, "required": ['))
        between = quote
        for param in params:
            if param.id in self._known.required:
                places += (between, slot[param.id] + width, quote)
                between = comma
        places.append(fixed("]}}}"))
        return places

    def _python(self, tool: Tool, params: list[Param]) -> list[int]:
        places = [*self._part("comment", tool)]
        for param in params:
            places += self._part("comment", param)
        places += (self._sheet.slots[tool.id], self._sheet.fixed("("))
        comma = self._sheet.fixed(", ")
        for number, param in enumerate(params):
            if number:
                places.append(comma)
            places += self._part("python", param)
        places.append(self._sheet.fixed(")"))
        return places

    def _lines(
        self, form: Literal["markdown", "typescript", "xml"], tool: Tool, params: list[Param]
    ) -> list[int]:
        """A form whose parameters are lines of their own behind what stands before the first."""
        places = [*self._part(form, tool)]
        fixed = self._sheet.fixed
        if form == "typescript":
            places.append(
                fixed(catalog_typescript.OPENING if params else catalog_typescript.WITHOUT_ARGUMENTS)
            )
        for param in params:
            places += self._part(form, param)
        if form == "typescript" and params:
            places.append(fixed(catalog_typescript.CLOSING))
        if form == "xml":
            places.append(fixed(catalog_xml.CLOSING))
        return places

    def _part(self, form: Form, node: Tool | Param) -> Fragment:
        """A parameter, or what stands before the first one, as it is worded and ordered here."""
        if node.id not in self._affected:
            plain = self._sheet.plain[form]
            found = plain.get(node.id)
            if found is None:
                found = plain[node.id] = self._written(form, node)
            return found
        switches = sorted(self._known.switched(self._surface) & self._known.reached[node.id].switches)
        chosen = [(self._surface.wordings.get(id_), self._surface.orders.get(id_)) for id_ in switches]
        unsaid = node.id in self._surface.unsaid
        key = (
            form,
            node.id,
            unsaid,
            *((id_, id(a), b) for id_, (a, b) in zip(switches, chosen, strict=True)),
        )
        return self._sheet.kept(key, chosen, lambda: self._written(form, node))

    def _written(self, form: Form, node: Tool | Param) -> Fragment:
        """Inputs have no part in it, since its texts are fixed."""
        entries, writer = self._entries(), Writer()
        if isinstance(node, Param):
            if form == "json_schema":
                writer.json(entries.schemas({}).parameter(node))
                schema = self._sheet.fragment(writer.rendered(), inside_json=True)
                name = self._sheet.slots[node.id] + self._sheet.width
                return (name, self._sheet.fixed('": '), *schema)
            _PARTS[form](writer, entries.param(node, {}))
            return self._sheet.fragment(writer.rendered())
        bare = node.model_copy(update={"params": ()})
        entry = entries.tool(bare, entries.schemas({}), {})
        if form == "comment":
            write_comment(writer, "# ", entry.description)
            return self._sheet.fragment(writer.rendered())
        if form == "json_schema":
            writer.prose(entry.description)
            about = self._sheet.fragment(writer.rendered(), inside_json=True)
            fixed, name = self._sheet.fixed, self._sheet.slots[node.id] + self._sheet.width
            before = fixed('{"type": "function", "function": {"name": "'), name, fixed('", "description": "')
            return (*before, *about, fixed('", "parameters": {"type": "object", "properties": {'))
        if form == "typescript":
            catalog_typescript.write_typescript_head(writer, entry)
        elif form == "xml":
            catalog_xml.write_xml_head(writer, entry)
        else:
            write_entry(writer, entry, "markdown")
        return self._sheet.fragment(writer.rendered())

    def distractor(self, tool: ForeignTool) -> Fragment:
        """The places of the entry of a distractor."""
        forms = _distractors.get(tool, dict)
        rendered = forms.get(self._form)
        if rendered is None:
            writer = Writer()
            write_entry(writer, distractor_entry(tool, spelling(self._form)), self._form)
            rendered = forms[self._form] = writer.rendered()
        key = ("distractor", self._form, id(tool))
        return self._sheet.kept(key, tool, lambda: self._sheet.fragment(rendered))

    def load_skill(self, skills: list[SemanticId]) -> Fragment:
        """The places of the built-in's entry."""
        if self._form != "json_schema":
            wording = self._surface.wordings.get(LOAD_SKILL_TEXT)
            key = ("load skill", self._form, id(wording))
            return self._sheet.kept(key, wording, self._load_skill_without_names)
        fixed, slot, inside = self._sheet.fixed, self._sheet.slots, self._sheet.width
        name, param = slot[LOAD_SKILL] + inside, slot[LOAD_SKILL_PARAM] + inside
        begun = fixed('{"type": "function", "function": {"name": "')
        described = Writer()
        described.prose(load_skill_description(self._surface))
        about = self._sheet.fragment(described.rendered(), inside_json=True)
        about = (fixed('", "description": "'), *about, fixed('", "parameters": '))
        properties = fixed('{"type": "object", "properties": {"')
        values = joined([(slot[id_] + inside,) for id_ in skills], fixed('", "'))
        kind = fixed('": {"type": "string", "enum": ["')
        end = fixed('"]}}, "required": ["'), param, fixed('"]}}}')
        return (begun, name, *about, properties, param, kind, *values, *end)

    def _load_skill_without_names(self) -> Fragment:
        """The built-in in a form that does not list the skills."""
        writer = Writer()
        write_entry(writer, self._entries().load_skill([]), self._form)
        return self._sheet.fragment(writer.rendered())
