"""The system prompt, loaded skills and hook messages from fragments."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from harness_dsl.ir.core import CatalogContent, Core, Item, ListContent, ProseContent, Section, Skill, Tool
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.listing import section_order
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import ForeignTool, Surface, ToolDocs
from harness_dsl.ir.texts import Text
from harness_dsl.ir.transcript import HookNote, Result, SkillShown
from harness_dsl.protocol.call_syntaxes import write_how_to_call
from harness_dsl.protocol.entries import Entries
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.layouts import laid_out, set_off
from harness_dsl.protocol.markers import encodable
from harness_dsl.protocol.prose import ProseWriter
from harness_dsl.protocol.quick.sheet import Fragment, joined, sheet
from harness_dsl.protocol.quick.shown import Pieced, picked
from harness_dsl.protocol.quick.tools import QuickTools, is_fixed
from harness_dsl.protocol.render import Renderer, returned_types, shown_result
from harness_dsl.protocol.source_map import Piece, Rendered, Writer
from harness_dsl.protocol.values import Values, ordered

Words = Callable[[Text], Fragment]

_ODD: dict[ToolDocs, frozenset[str]] = {
    "json_schema": frozenset("\n"),
    "python": frozenset("\n"),
    "markdown": frozenset("\n"),
    "typescript": frozenset("\n*/"),
    "xml": frozenset("\n&<>"),
}
"""By form: a line feed breaks lines of comments in two; the others are escaped, together or alone."""


class QuickRenderer:
    """As `Renderer`. One rendering after the other: a rendering is taken as text or as pieces at once."""

    def __init__(self, core: Core, surface: Surface, naming: Naming, values: Callable[[], Values]) -> None:
        self._core = core
        self._surface = surface
        self._naming = naming
        self._values = values
        self._prose = ProseWriter(core, surface, naming)
        self._sheet = sheet(core)
        self._names = self._sheet.names(core, surface)
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._alone: list[Piece] = []
        self._tools = QuickTools(core, surface, self._sheet, lambda: self._entries, self._own)
        self._hidden = frozenset(surface.hidden)
        self._skills = {skill.id: skill for skill in core.skills}
        self._hooks = {hook.id: hook for hook in core.hooks}
        self._odd = not _ODD[surface.tool_docs].isdisjoint("".join(self._names))
        """Whether a name or limit is written in another way in some places: that is left to `Renderer`."""

    def system_text(self, inputs: Mapping[str, Any]) -> str:
        """The text of `Renderer.system`."""
        return self._slow.system(inputs).text if self._odd else self._text(self._system(inputs))

    def system(self, inputs: Mapping[str, Any]) -> Pieced:
        """As `Renderer.system`."""
        return _pieced(self._slow.system(inputs)) if self._odd else self._pieced(self._system(inputs))

    def skill_text(self, event: SkillShown, inputs: Mapping[str, Any]) -> str:
        """The text of `Renderer.skill`."""
        return self._slow.skill(event, inputs).text if self._odd else self._text(self._skill(event, inputs))

    def skill(self, event: SkillShown, inputs: Mapping[str, Any]) -> Pieced:
        """As `Renderer.skill`."""
        return (
            _pieced(self._slow.skill(event, inputs))
            if self._odd
            else self._pieced(self._skill(event, inputs))
        )

    def result_text(self, event: Result) -> str:
        """The text of `Renderer.result`."""
        text = dump(shown_result(event, self._values, returned_types(self._core)))
        # What no normaliser could take for the beginning of a marker needs no piece-by-piece escapes.
        if text.isascii() and "<" not in text:
            return text
        return self._slow.result(event).text

    def hook(self, event: HookNote, inputs: Mapping[str, Any]) -> Pieced:
        """As `Renderer.hook`."""
        hook = self._hooks.get(event.hook)
        if hook is not None and hook.message is not None:
            shown = self._pieced([*self._words(inputs)(hook.message)])
            if shown.text.strip():
                before, behind = set_off(event, self._surface)
                ends: list[Piece] = [(text, hook.id, "fixed") for text in (before, behind)]
                return Pieced([ends[0], *shown.pieces, ends[1]]) if before else shown
        return Pieced([(f"[{event.action}]", event.hook, "fixed")])

    def tool(self, tool: Tool, inputs: Mapping[str, Any]) -> list[Piece]:
        """One entry of the catalogue."""
        return self._placed(self._tools.tool(tool, inputs))

    def foreign(self, tool: ForeignTool) -> list[Piece]:
        """The entry of a distractor."""
        return self._placed(self._tools.distractor(tool))

    def load_skill(self, skills: list[SemanticId]) -> list[Piece]:
        """The entry of the built-in, as it is where `skills` are shown."""
        return self._placed(self._tools.load_skill(skills))

    def when(self, skill: Skill, inputs: Mapping[str, Any]) -> list[Piece]:
        """When to load a skill, as the catalogue says it."""
        return self._placed(self._words(inputs)(skill.when))

    def section(self, section: Section, inputs: Mapping[str, Any]) -> list[Piece]:
        """A section that is no catalogue, without its heading."""
        return self._placed(self._content(section, inputs, self._words(inputs), [], False))

    def how_to_call(self) -> list[Piece]:
        """The lines on how to call."""
        return self._placed(self._how_to_call())

    def _placed(self, places: Sequence[int]) -> list[Piece]:
        return [*self._pieced([*places]).pieces]

    @cached_property
    def _slow(self) -> Renderer:
        return Renderer(self._core, self._surface, self._naming, self._values())

    @cached_property
    def _entries(self) -> Entries:
        return Entries(self._core, self._surface, self._naming, self._values(), self._prose)

    def _text(self, places: list[int]) -> str:
        table = self._texts = self._sheet.texts(self._names, self._texts)
        if self._alone:
            table = [*table, *(piece[0] for piece in reversed(self._alone))]
            self._alone = []
        return encodable(picked(table, places))

    def _pieced(self, places: list[int]) -> Pieced:
        table = self._pieces = self._sheet.pieces(self._names, self._pieces)
        if self._alone:
            table = [*table, *reversed(self._alone)]
            self._alone = []
        return Pieced([table[at] for at in places])

    def _own(self, rendered: Rendered) -> Fragment:
        """`rendered` as places that count from the end of the table, of this rendering alone."""
        begun = len(self._alone)
        for span in rendered.spans:
            self._alone.append((rendered.text[span.start : span.end], span.source, span.kind))
        return tuple(range(-begun - 1, -len(self._alone) - 1, -1))

    def _words(self, inputs: Mapping[str, Any]) -> Words:
        def words(text: Text) -> Fragment:
            wording = self._surface.wordings.get(text.id)
            key = ("text", text.id, id(wording))
            known = self._sheet.known(key)
            if known is not None:
                return known
            writer = Writer()
            self._prose.write(writer, text, inputs)
            if not is_fixed(text, self._surface):
                return self._own(writer.rendered())
            made = self._sheet.fragment(writer.rendered())
            return self._sheet.kept(key, wording, lambda: made)

        return words

    def _system(self, inputs: Mapping[str, Any]) -> list[int]:
        words = self._words(inputs)
        skills = self._shown_skills()
        is_any = self._is_any(skills)
        blocks: list[list[int]] = []
        placed = set()
        for section in self._sections():
            if isinstance(section.content, CatalogContent):
                placed.add(section.content.of)
            body = self._content(section, inputs, words, skills, is_any)
            head = (self._sheet.slots[section.id],)
            blocks.append(self._headed(head, body))
        for of in ("skills", "tools"):
            if of not in placed:
                body = self._catalog(of, inputs, words, skills, is_any)
                blocks.append(self._headed((self._sheet.fixed(of),), body))
        if is_any:
            blocks.append([*self._how_to_call()])
        return joined([tuple(block) for block in blocks if block], self._sheet.fixed("\n\n"))

    def _shown_skills(self) -> list[SemanticId]:
        shown = tuple(id_ for id_ in self._skills if id_ not in self._hidden)
        return [*ordered(self._surface, "skills", shown)]

    def _is_any(self, skills: list[SemanticId]) -> bool:
        shown = any(tool.id not in self._hidden for tool in self._core.tools)
        return bool(shown or self._surface.distractors or skills)

    def _sections(self) -> list[Section]:
        prompt = self._core.prompt
        by_id = {section.id: section for section in prompt.sections}
        default = () if prompt.id in self._surface.orders else section_order(self._core) or ()
        return [by_id[id_] for id_ in default or ordered(self._surface, prompt.id, tuple(by_id))]

    def _headed(self, head: Fragment, body: list[int]) -> list[int]:
        if not body:
            return []
        fixed = self._sheet.fixed
        match self._surface.markup:
            case "markdown":
                return [fixed("## "), *head, fixed("\n"), *body]
            case "xml":
                return [fixed("<"), *head, fixed(">\n"), *body, fixed("\n</"), *head, fixed(">")]
            case "plain":
                return body

    def _content(
        self,
        section: Section,
        inputs: Mapping[str, Any],
        words: Words,
        skills: list[SemanticId],
        is_any: bool,
    ) -> list[int]:
        match section.content:
            case ProseContent(text=text):
                return [*words(text)]
            case ListContent(items=items, ordered=in_order):
                return self._items(section.id, items, in_order, words)
            case CatalogContent(of=of):
                return self._catalog(of, inputs, words, skills, is_any)

    def _items(self, owner: SemanticId, items: tuple[Item, ...], in_order: bool, words: Words) -> list[int]:
        by_id = {item.id: item for item in items}
        ids = tuple(by_id) if in_order else ordered(self._surface, owner, tuple(by_id))
        layout = self._surface.layouts.get(owner, "list")
        bodies = [words(by_id[id_].text) for id_ in ids]
        texts = [""] * len(bodies) if layout == "list" else [*map(self._said, bodies)]
        around = laid_out(layout, in_order, texts)
        places: list[int] = []
        for before, body in zip(around, bodies, strict=False):
            places += (self._sheet.fixed(before), *body) if before else body
        return [*places, self._sheet.fixed(around[-1])] if around[-1] else places

    def _said(self, places: Fragment) -> str:
        """The text of a fragment of this rendering."""
        table = self._texts = self._sheet.texts(self._names, self._texts)
        return "".join([table[at] if at >= 0 else self._alone[-at - 1][0] for at in places])

    def _catalog(
        self,
        of: str,
        inputs: Mapping[str, Any],
        words: Words,
        skills: list[SemanticId],
        is_any: bool,
    ) -> list[int]:
        if of == "tools":
            return self._tools.catalog(inputs, skills) if is_any else []
        places: list[int] = []
        for number, id_ in enumerate(skills):
            places += (self._sheet.fixed("\n- " if number else "- "), self._sheet.slots[id_])
            places.append(self._sheet.fixed(": "))
            places += words(self._skills[id_].when)
        return places

    def _skill(self, event: SkillShown, inputs: Mapping[str, Any]) -> list[int]:
        slot = self._sheet.slots.get(event.skill)
        if slot is None:
            return [*self._own(self._slow.skill(event, inputs))]
        skill = self._skills.get(event.skill)
        if skill is None or not skill.items:
            return [slot]
        items = self._items(skill.id, skill.items, skill.ordered, self._words(inputs))
        return [slot, self._sheet.fixed(":\n"), *items]

    def _how_to_call(self) -> Fragment:
        syntax, form = self._surface.call_syntax, self._surface.tool_docs

        def written() -> Fragment:
            writer = Writer()
            write_how_to_call(writer, syntax, form)
            return self._sheet.fragment(writer.rendered())

        return self._sheet.kept(("how to call", syntax, form), None, written)


def _pieced(rendered: Rendered) -> Pieced:
    return Pieced([(rendered.text[s.start : s.end], s.source, s.kind) for s in rendered.spans])
