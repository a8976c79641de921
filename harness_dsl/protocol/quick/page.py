"""The system prompt of one Core under many Surfaces: whole parts with gaps for names.

A part is written once for each way in which it is worded, ordered and set, by the `QuickRenderer` of the
first Surface that shows it so, and kept. Then a prompt is those parts with its names filled in. What this
does not cover (names that some form would escape, texts worded as nobody declared) is left to that renderer.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from harness_dsl.ir.core import CatalogContent, Core, ListContent, ProseContent, Section, Skill, Tool
from harness_dsl.ir.evaluate import text_of
from harness_dsl.ir.ids import SemanticId, foreign, leaf
from harness_dsl.ir.listing import item_lists, section_order
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Reference, Text
from harness_dsl.ir.transcript import HookNote, SkillShown
from harness_dsl.ir.walk import parts, texts
from harness_dsl.protocol.catalog import FRAMED
from harness_dsl.protocol.quick.line import Line, is_plain, is_steady, line
from harness_dsl.protocol.quick.look import Turn
from harness_dsl.protocol.quick.prompt import QuickRenderer
from harness_dsl.protocol.quick.tools import documented, is_fixed
from harness_dsl.protocol.source_map import Piece
from harness_dsl.protocol.values import ordered

Inputs = Mapping[str, Any]
Write = Callable[[QuickRenderer, Inputs], list[Piece]]

_PARTS = 16_384
_PAGES = 16
_ELSEWHERE = frozenset({"names", "wordings", "orders", "hidden", "distractors"})
_AROUND = frozenset({"schema_version", "markup", "call_syntax"})
"""What parts stand in, and not what they are."""
_FACETS = tuple(name for name in Surface.model_fields if name not in _ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a prompt, and all under which a Surface may show it in another way.

    lists  keys of orders
    texts  ids of texts with several wordings
    ids    under which it says anything else
    live   some wording prints what the inputs say
    """

    key: tuple[str, SemanticId]
    lists: tuple[str, ...]
    texts: tuple[SemanticId, ...]
    ids: frozenset[SemanticId]
    live: bool
    write: Write


class Page:
    """What a model reads of `core`."""

    def __init__(self, core: Core) -> None:
        self.core = core
        named = [*dict.fromkeys(symbols(core))]
        self.named = named
        self._defaults = [leaf(id_) for id_ in named]
        self._limits = [text_of(limit.value) for limit in core.limits]
        self.slots = {id_: at for at, id_ in enumerate([*named, *(limit.id for limit in core.limits)])}
        self._worded = frozenset(text.id for text in texts(core) if text.alternatives)
        self._unsteady = frozenset(id_ for id_ in named if not is_steady(leaf(id_))) | _last_words(core)
        self._usable = all(map(is_steady, self._limits))
        self._plain: set[str] = set()
        self._kept: OrderedDict[tuple[Any, ...], tuple[Any, Line]] = OrderedDict()
        self._records = {decl.id for decl in core.types}
        self.tools = {tool.id: self._tool(tool) for tool in core.tools}
        self.whens = {skill.id: self._when(skill) for skill in core.skills}
        self.skills = {skill.id: self._skill(skill) for skill in core.skills}
        self.hooks = {
            hook.id: self._note(HookNote.model_construct(hook=hook.id, action=hook.action))
            for hook in core.hooks
        }
        self.sections = {section.id: self._section(section) for section in core.prompt.sections}
        self.catalogs = {
            section.id: section.content.of
            for section in core.prompt.sections
            if isinstance(section.content, CatalogContent)
        }
        self.default_sections = section_order(core) or ()

    def names(self, surface: Surface) -> list[str] | None:
        """What is printed for each symbol and limit, by slot; None if one is not the same text everywhere, or
        a text is worded as nobody declares.
        """
        given = surface.names
        if not self._usable or not self._unsteady <= given.keys():
            return None
        if not self._worded.issuperset(surface.wordings):
            return None
        if not self._plain.issuperset(given.values()):
            new = set(given.values()) - self._plain
            if not all(map(is_plain, new)):
                return None
            if len(self._plain) > _PARTS:
                self._plain.clear()
            self._plain |= new
        return [*map(given.get, self.named, self._defaults), *self._limits]

    def kept(self, key: tuple[Any, ...], owners: Any, write: Callable[[], list[Piece]]) -> Line:
        """The line of `key`, written now if it is not known; `owners`: objects whose `id` stands in it."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = (owners, line(write(), self.slots))
            if len(self._kept) > _PARTS:
                self._kept.popitem(last=False)
        return found[1]

    def _tool(self, tool: Tool) -> Part:
        reached = documented(self.core).reached
        ids = [tool.id, *(param.id for param in tool.params)]
        lists = {switch for id_ in ids for switch in reached[id_].switches if switch in self._records}
        shown = [text for id_ in ids for text in reached[id_].texts]
        return self.part(
            "tool",
            tool.id,
            [tool.id, *sorted(lists)],
            shown,
            ids,
            lambda quick, inputs: quick.tool(tool, inputs),
        )

    def _when(self, skill: Skill) -> Part:
        return self.part(
            "when", skill.id, [], [skill.when], [], lambda quick, inputs: quick.when(skill, inputs)
        )

    def _skill(self, skill: Skill) -> Part:
        shown = SkillShown.model_construct(skill=skill.id)

        def write(quick: QuickRenderer, inputs: Inputs) -> list[Piece]:
            return [*quick.skill(shown, inputs).pieces]

        return self.part(
            "skill", skill.id, [skill.id], [item.text for item in skill.items], [skill.id], write
        )

    def _section(self, section: Section) -> Part:
        content, shown = section.content, []
        if isinstance(content, ProseContent):
            shown = [content.text]
        elif isinstance(content, ListContent):
            shown = [item.text for item in content.items]

        def write(quick: QuickRenderer, inputs: Inputs) -> list[Piece]:
            return quick.section(section, inputs)

        return self.part("section", section.id, [section.id], shown, [section.id], write)

    def _note(self, note: HookNote) -> Part:
        hooks = [node for node in self.core.hooks if node.id == note.hook]
        shown = [node.message for node in hooks if node.message is not None]

        def write(quick: QuickRenderer, inputs: Inputs) -> list[Piece]:
            return [*quick.hook(note, inputs).pieces]

        return self.part(f"hook {note.action}", note.hook, [], shown, [note.hook], write)

    def said(self, turn: Turn) -> Part | None:
        """The part that is the content of a message, if one is."""
        match turn.shown:
            case None:
                return None
            case SkillShown(skill=skill):
                return self.skills[skill]
            case HookNote() as note:
                return self._note(note)

    def part(
        self,
        what: str,
        id_: SemanticId,
        lists: list[str],
        shown: list[Text],
        ids: list[SemanticId],
        write: Write,
    ) -> Part:
        """What is `shown` of `id_`, under which a Surface may order `lists` and say something of `ids`."""
        several = (text.id for text in shown if text.alternatives)
        live = any(
            not is_fixed(text, Surface(wordings={text.id: wording}))
            for text in shown
            for wording in (text.canonical, *text.alternatives)
        )
        return Part((what, id_), (*lists,), (*dict.fromkeys(several),), frozenset(ids), live, write)


def _last_words(core: Core) -> frozenset[SemanticId]:
    """Symbols whose declared name is no plain one and may stand at the end of an item: what follows it in
    prose depends on its last letter.
    """
    found = set()
    for items in item_lists(core).values():
        for item in items:
            for wording in (item.text.canonical, *item.text.alternatives):
                found |= {part.target for part in parts(wording) if isinstance(part, Reference)}
    return frozenset(id_ for id_ in found if not is_plain(leaf(id_)))


class Sheet:
    """One Surface on a page: its prompt and its skills as text. `names` are what `Page.names` gave."""

    def __init__(
        self,
        page: Page,
        surface: Surface,
        inputs: Inputs,
        names: list[str],
        quick: Callable[[], QuickRenderer],
    ) -> None:
        self.surface = surface
        self.names = names
        self._page = page
        self._inputs = inputs
        self._quick = quick
        facets = [(name, getattr(surface, name)) for name in _FACETS]
        self._alike = (*(facet for name, facet in facets if isinstance(facet, str) and name not in _AROUND),)
        maps = [(name, facet) for name, facet in facets if facet and isinstance(facet, dict)]
        sets = [(name, frozenset(facet)) for name, facet in facets if facet and isinstance(facet, tuple)]
        self._maps, self._sets = maps, sets
        self._said = frozenset[SemanticId]().union(
            *(facet for _, facet in maps), *(facet for _, facet in sets)
        )
        self.hidden = frozenset(surface.hidden)
        self.lines: list[Line] = []
        """What was written on it so far."""
        self.listed: set[SemanticId] = set()
        """The skills whose names were written beside these."""

    def system(self) -> str:
        """The text of `Renderer.system`."""
        page, surface = self._page, self.surface
        skills = self._shown(surface.orders.get("skills"), page.whens)
        listed = self._shown_tools()
        is_any = bool(listed or skills)
        blocks = []
        order = surface.orders.get(page.core.prompt.id)
        sections = page.default_sections if order is None else order
        if sections == () or len(sections) != len(page.sections) or page.sections.keys() != {*sections}:
            sections = ordered(surface, page.core.prompt.id, tuple(page.sections))
        for id_ in sections:
            of = page.catalogs.get(id_)
            if of is None:
                body = self.text(page.sections[id_])
            elif of == "tools":
                body = self._tools(listed, skills) if is_any else ""
            else:
                body = self._skills(skills)
            if body:
                blocks.append(self._headed(self.names[page.slots[id_]], body))
        placed = page.catalogs.values()
        if "skills" not in placed and skills:
            blocks.append(self._headed("skills", self._skills(skills)))
        if "tools" not in placed and is_any:
            blocks.append(self._headed("tools", self._tools(listed, skills)))
        if is_any:
            how = f"how to call in {surface.call_syntax}"
            blocks.append(self._alone(how, lambda: self._quick().how_to_call()).template)
        return "\n\n".join(blocks)

    def skill(self, id_: SemanticId) -> str:
        """The text of `Renderer.skill`."""
        return self.text(self._page.skills[id_])

    def key(self, part: Part) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """How a part is shown here, without names; and the objects whose `id` is in it."""
        surface = self.surface
        key: tuple[Any, ...] = (self._alike, part.key, *map(surface.orders.get, part.lists))
        owners: tuple[Any, ...] = ()
        if part.texts:
            owners = (*map(surface.wordings.get, part.texts),)
            key += (*map(id, owners),)
        if not part.ids.isdisjoint(self._said):
            key += (*((name, id_, facet.get(id_)) for name, facet in self._maps for id_ in part.ids),)
            key += (*((name, id_, id_ in facet) for name, facet in self._sets for id_ in part.ids),)
        if part.live:
            key += (id(self._inputs),)
            owners += (self._inputs,)
        return key, owners

    def text(self, part: Part) -> str:
        """What stands in a part."""
        key, owners = self.key(part)
        found = self._page.kept(key, owners, lambda: part.write(self._quick(), self._inputs))
        self.lines.append(found)
        return found.filled(self.names)

    def _alone(self, what: str, write: Callable[[], list[Piece]]) -> Line:
        """What depends on nothing but the form of the documentation and of calls."""
        found = self._page.kept((self._alike, what), None, write)
        self.lines.append(found)
        return found

    def _headed(self, name: str, body: str) -> str:
        match self.surface.markup:
            case "markdown":
                return f"## {name}\n{body}"
            case "xml":
                return f"<{name}>\n{body}\n</{name}>"
            case "plain":
                return body

    def _shown(
        self, order: tuple[SemanticId, ...] | None, known: Mapping[SemanticId, Any]
    ) -> list[SemanticId]:
        hidden = self.hidden
        if order is None or len(order) != len(known) or known.keys() != {*order}:
            return [*ordered(self.surface, "skills", tuple(id_ for id_ in known if id_ not in hidden))]
        return [id_ for id_ in order if id_ not in hidden]

    def _shown_tools(self) -> list[Part | ForeignTool]:
        surface, hidden = self.surface, self.hidden
        by_id: dict[SemanticId, Part | ForeignTool] = {
            id_: part for id_, part in self._page.tools.items() if id_ not in hidden
        }
        for tool in surface.distractors:
            by_id[foreign(tool.name)] = tool
        order = surface.orders.get("tools")
        if order is not None:
            listed = [by_id[id_] for id_ in order if id_ in by_id]
            if len(listed) == len(by_id) and len({*order}) == len(order):
                return listed
        return [by_id[id_] for id_ in ordered(surface, "tools", tuple(by_id))]

    def _skills(self, skills: list[SemanticId]) -> str:
        names, page = self.names, self._page
        self.listed.update(skills)
        return "\n".join([f"- {names[page.slots[id_]]}: {self.text(page.whens[id_])}" for id_ in skills])

    def _tools(self, listed: list[Part | ForeignTool], skills: list[SemanticId]) -> str:
        entries = [self.text(tool) if isinstance(tool, Part) else self._foreign(tool) for tool in listed]
        if skills:
            entries.append(self._load_skill(skills))
        text = "\n".join(entries)
        return f"<tools>\n{text}\n</tools>" if self.surface.tool_docs in FRAMED else text

    def _foreign(self, tool: ForeignTool) -> str:
        key = (self._alike, "foreign", id(tool))
        found = self._page.kept(key, tool, lambda: self._quick().foreign(tool))
        self.lines.append(found)
        return found.template

    def _load_skill(self, skills: list[SemanticId]) -> str:
        """The built-in; a form that lists the skills has a gap where they stand."""
        quick, page, names = self._quick, self._page, self.names
        before = self._alone("load skill", lambda: _before(quick().load_skill(skills[:1]), page.skills))
        behind = self._alone("skill loaded", lambda: _behind(quick().load_skill(skills[:1]), page.skills))
        if behind.template:
            self.listed.update(skills)
            values = '", "'.join([names[page.slots[id_]] for id_ in skills])
            return f"{before.filled(names)}{values}{behind.filled(names)}"
        return before.filled(names)


def _before(pieces: list[Piece], skills: Mapping[SemanticId, Any]) -> list[Piece]:
    """What stands before the first skill; everything if none is named."""
    at = next((at for at, (_, source, _) in enumerate(pieces) if source in skills), len(pieces))
    return pieces[:at]


def _behind(pieces: list[Piece], skills: Mapping[SemanticId, Any]) -> list[Piece]:
    at = next((at for at, (_, source, _) in enumerate(pieces) if source in skills), len(pieces))
    return pieces[at + 1 :]


@remembered
def _pages(core: Core) -> OrderedDict[tuple[object, ...], Page]:
    return OrderedDict()


def page(core: Core) -> Page:
    """The page of `core` and of all that have the same limits, since texts may hang on these."""
    pages = _pages(core)
    key = (*((limit.id, limit.value) for limit in core.limits),)
    found = pages.get(key)
    if found is None:
        found = pages[key] = Page(core)
        if len(pages) > _PAGES:
            pages.popitem(last=False)
    return found
