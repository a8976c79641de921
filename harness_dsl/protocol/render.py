"""The system prompt, loaded skills, results and hook messages as text with sources."""

from collections.abc import Callable, Mapping
from typing import Any

from harness_dsl.ir.core import CatalogContent, Core, Item, ListContent, ProseContent, Section
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.listing import section_order
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import HookNote, Result, SkillShown
from harness_dsl.ir.types import Type
from harness_dsl.ir.walk import prompt_texts
from harness_dsl.protocol.call_syntaxes import write_how_to_call
from harness_dsl.protocol.catalog import write_catalog
from harness_dsl.protocol.entries import Entries
from harness_dsl.protocol.layouts import laid_out, set_off
from harness_dsl.protocol.prose import ProseWriter
from harness_dsl.protocol.source_map import FIXED, Rendered, SpanKind, Writer
from harness_dsl.protocol.values import Values, ordered

FOREIGN = "foreign"
"""Source of what a call of no tool of the Core returned."""


class Renderer:
    """Renders one Core under one Surface."""

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Values) -> None:
        self._core = core
        self._surface = surface
        self._naming = naming
        self._values = values
        self._prose = ProseWriter(core, surface, naming)
        self._entries = Entries(core, surface, naming, values, self._prose)
        self._returns = returned_types(core)
        self._skills = {skill.id: skill for skill in core.skills}
        self._hooks = {hook.id: hook for hook in core.hooks}
        self.inputs_of_prompt = self._prose.inputs_of(prompt_texts(core))
        """Identifiers of the inputs that the system prompt names."""

    def system(self, inputs: Mapping[str, Any]) -> Rendered:
        """The system prompt: sections in shown order, then the line on how to call. Blocks stand a blank
        line apart.

        A catalogue that no section places comes last; one with nothing to list is left out with its heading.
        """
        blocks: list[Rendered] = []
        placed = set()
        for section in self._sections():
            writer = Writer()
            if isinstance(section.content, CatalogContent):
                placed.add(section.content.of)
            self._content(writer, section, inputs)
            blocks.append(self._headed(section.id, self._naming.name(section.id), writer.rendered()))
        for of in ("skills", "tools"):
            if of not in placed:
                writer = Writer()
                self._catalog(writer, of, inputs)
                blocks.append(self._headed(FIXED, of, writer.rendered()))
        if self._entries.any():
            writer = Writer()
            write_how_to_call(writer, self._surface.call_syntax, self._surface.tool_docs)
            blocks.append(writer.rendered())
        return _joined([block for block in blocks if block.text], "\n\n")

    def skill(self, event: SkillShown, inputs: Mapping[str, Any]) -> Rendered:
        """A loaded skill: its name, then its steps. A skill that the Core has no longer is only named."""
        writer = Writer()
        writer.add(self._naming.name(event.skill), event.skill, "symbol")
        skill = self._skills.get(event.skill)
        if skill is not None and skill.items:
            writer.fixed(":\n")
            self._items(writer, skill.id, skill.items, skill.ordered, inputs)
        return writer.rendered()

    def result(self, event: Result) -> Rendered:
        """What a call returned, as one line of JSON; a failure is `{"error": …, "detail": …}`."""
        writer = Writer()
        shown = shown_result(event, lambda: self._values, self._returns)
        writer.json(shown, event.tool or FOREIGN, "value")
        return writer.rendered()

    def hook(self, event: HookNote, inputs: Mapping[str, Any]) -> Rendered:
        """The hook's message as feedback to the model, set off as the Surface says; a hook without one says
        what it did, for feedback never is empty.
        """
        message = self.published(event.hook, inputs)
        writer = Writer()
        if not message.text.strip():
            writer.add(f"[{event.action}]", event.hook, "fixed")
            return writer.rendered()
        before, behind = set_off(event, self._surface)
        writer.add(before, event.hook, "fixed")
        writer.extend(message)
        writer.add(behind, event.hook, "fixed")
        return writer.rendered()

    def published(self, hook_id: SemanticId, inputs: Mapping[str, Any]) -> Rendered:
        """The message of a hook as a user reads it in place of a reply; empty: it has none."""
        writer = Writer()
        hook = self._hooks.get(hook_id)
        if hook is not None and hook.message is not None:
            self._prose.write(writer, hook.message, inputs)
        return writer.rendered()

    def _sections(self) -> list[Section]:
        prompt = self._core.prompt
        by_id = {section.id: section for section in prompt.sections}
        default = () if prompt.id in self._surface.orders else section_order(self._core) or ()
        return [by_id[id_] for id_ in default or ordered(self._surface, prompt.id, tuple(by_id))]

    def _headed(self, source: str, name: str, body: Rendered) -> Rendered:
        """`body` under the section's name in the Surface's markup; nothing at all if the body is empty."""
        writer = Writer()
        if not body.text:
            return writer.rendered()
        kind: SpanKind = "fixed" if source == FIXED else "symbol"
        match self._surface.markup:
            case "markdown":
                writer.fixed("## ")
                writer.add(name, source, kind)
                writer.fixed("\n")
                writer.extend(body)
            case "xml":
                writer.fixed("<")
                writer.add(name, source, kind)
                writer.fixed(">\n")
                writer.extend(body)
                writer.fixed("\n</")
                writer.add(name, source, kind)
                writer.fixed(">")
            case "plain":
                writer.extend(body)
        return writer.rendered()

    def _content(self, writer: Writer, section: Section, inputs: Mapping[str, Any]) -> None:
        match section.content:
            case ProseContent():
                self._prose.write(writer, section.content.text, inputs)
            case ListContent():
                self._items(writer, section.id, section.content.items, section.content.ordered, inputs)
            case CatalogContent():
                self._catalog(writer, section.content.of, inputs)

    def _items(
        self,
        writer: Writer,
        owner: SemanticId,
        items: tuple[Item, ...],
        in_order: bool,
        inputs: Mapping[str, Any],
    ) -> None:
        by_id = {item.id: item for item in items}
        ids = tuple(by_id) if in_order else ordered(self._surface, owner, tuple(by_id))
        bodies = []
        for id_ in ids:
            item = Writer()
            self._prose.write(item, by_id[id_].text, inputs)
            bodies.append(item.rendered())
        layout = self._surface.layouts.get(owner, "list")
        around = laid_out(layout, in_order, [body.text for body in bodies])
        for before, body in zip(around, bodies, strict=False):
            writer.fixed(before)
            writer.extend(body)
        writer.fixed(around[-1])

    def _catalog(self, writer: Writer, of: str, inputs: Mapping[str, Any]) -> None:
        if of == "tools":
            if self._entries.any():
                write_catalog(writer, self._entries.tools(inputs), self._surface.tool_docs)
            return
        for index, skill in enumerate(self._entries.skills()):
            writer.fixed("\n- " if index else "- ")
            writer.add(self._naming.name(skill.id), skill.id, "symbol")
            writer.fixed(": ")
            self._prose.write(writer, skill.when, inputs)


def shown_result(event: Result, values: Callable[[], Values], returns: Mapping[SemanticId, Type]) -> Any:
    """The JSON data that a model reads of a result; a failure is `{"error": …, "detail": …}`."""
    if event.failure is not None:
        return {"error": event.failure, **({"detail": event.detail} if event.detail else {})}
    type_ = returns.get(event.tool or "")
    return event.value if type_ is None else values().show(event.value, type_)


@remembered
def returned_types(core: Core) -> dict[SemanticId, Type]:
    """The type of what each tool returns, by its id."""
    return {tool.id: tool.returns for tool in core.tools}


def _joined(blocks: list[Rendered], between: str) -> Rendered:
    writer = Writer()
    for index, block in enumerate(blocks):
        writer.fixed(between if index else "")
        writer.extend(block)
    return writer.rendered()
