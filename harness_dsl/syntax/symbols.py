"""What a file declares, by kind and identifier."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.ir.ids import join
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.sources import Sources

D = TypeVar("D", bound=t.Node)
M = TypeVar("M", t.Field, t.ParamDecl)
ROOTS = ("tool", "skill", "type", "limits", "section", "hook", "input", "argument", "reply")
"""Words that begin a path and therefore name no input."""


class Symbols:
    """Each table keeps the order of declaration. Of two declarations with one name the first counts."""

    def __init__(self) -> None:
        self.header: t.Header | None = None
        self.prompt: t.PromptDecl | None = None
        self.types: dict[str, t.TypeDecl] = {}
        self.inputs: dict[str, t.InputDecl] = {}
        self.tools: dict[str, t.ToolDecl] = {}
        self.skills: dict[str, t.SkillDecl] = {}
        self.hooks: dict[str, t.HookDecl] = {}
        self.sections: dict[str, t.SectionDecl] = {}
        self.limits: dict[str, t.LimitDecl] = {}
        self.tests: dict[str, t.TestDecl] = {}
        self.alternatives: list[t.OtherNames | t.OtherWordings] = []
        self.moved: list[t.MovedDecl] = []
        self.settings: list[t.Setting] = []

    def params(self, tool: str) -> dict[str, t.ParamDecl]:
        decl = self.tools.get(tool)
        return _first(decl.params) if decl else {}

    def fields(self, type_: str) -> dict[str, t.Field]:
        decl = self.types.get(type_)
        return _first(decl.fields) if isinstance(decl, t.RecordDecl) else {}


def _first(members: Sequence[M]) -> dict[str, M]:
    """The members by identifier; of two with one, the first."""
    found: dict[str, M] = {}
    for member in members:
        found.setdefault(member.name.text, member)
    return found


class Collector:
    """Fills `Symbols` and reports what is declared twice."""

    def __init__(self, decls: list[t.Decl], sources: Sources) -> None:
        self.decls = decls
        self.sources = sources
        self.symbols = Symbols()
        self.found: list[Diagnostic] = []

    def collect(self) -> Symbols:
        for decl in self.decls:
            self._take(decl)
        return self.symbols

    def _take(self, decl: t.Decl) -> None:
        s = self.symbols
        match decl:
            case t.Header():
                if s.header is None:
                    s.header = decl
                else:
                    self._twice("header", decl, s.header)
            case t.RecordDecl():
                self._put("type", s.types, decl.name.text, decl, decl.name)
                self._all("field", [(f.name.text, f.name) for f in decl.fields])
            case t.AliasDecl():
                self._put("type", s.types, decl.name.text, decl, decl.name)
            case t.InputDecl():
                self._put("input", s.inputs, decl.name.text, decl, decl.name)
            case t.ToolDecl():
                self._put("tool", s.tools, decl.name.text, decl, decl.name)
                self._all("parameter", [(p.name.text, p.name) for p in decl.params])
            case t.SkillDecl():
                self._put("skill", s.skills, decl.name.text, decl, decl.name)
            case t.HookDecl():
                self._put("hook", s.hooks, decl.name.text, decl, decl.name)
            case t.PromptDecl():
                if s.prompt is None:
                    s.prompt = decl
                    for section in decl.sections:
                        self._put("section", s.sections, section.name.text, section, section.name)
                else:
                    self._twice("prompt", decl, s.prompt)
            case t.LimitsDecl():
                for limit in decl.limits:
                    self._put("limit", s.limits, limit.name.text, limit, limit.name)
            case t.TestDecl():
                self._put("test", s.tests, test_name(decl), decl, decl.title)
            case t.AlternativesDecl():
                s.alternatives.extend(decl.entries)
            case t.MovedDecl():
                s.moved.append(decl)
            case t.SurfaceDecl():
                s.settings.extend(decl.settings)

    def _put(self, kind: str, table: dict[str, D], name: str, decl: D, at: t.Node) -> None:
        if name in table:
            self._duplicate(kind, name, at, name_node(table[name]))
        else:
            table[name] = decl

    def _all(self, kind: str, names: list[tuple[str, t.Ident]]) -> None:
        seen: dict[str, t.Ident] = {}
        for name, at in names:
            if name in seen:
                self._duplicate(kind, name, at, seen[name])
            seen.setdefault(name, at)

    def _duplicate(self, kind: str, name: str, at: t.Node, first: t.Node) -> None:
        self.found.append(
            Diagnostic(
                "HD201",
                f"{kind} `{name}` is declared twice",
                self.sources.span(at),
                "Rename or remove one of the two.",
                (Label(self.sources.span(first), "first declared here"),),
            )
        )

    def _twice(self, what: str, decl: t.Node, first: t.Node) -> None:
        place = self.sources.place
        self.found.append(
            Diagnostic(
                "HD109",
                f"a second {what}",
                place(decl.start, decl.start + len(what)),
                "Keep one of the two.",
                (Label(place(first.start, first.start + len(what)), "the first one"),),
            )
        )


def name_node(decl: t.Node) -> t.Node:
    """Where `decl` is named."""
    if isinstance(decl, t.TestDecl):
        return decl.title
    name = getattr(decl, "name", decl)
    return name if isinstance(name, t.Node) else decl


def test_name(decl: t.TestDecl) -> str:
    """The identifier of a test: the words of its title, joined by `_`."""
    import re

    from harness_dsl.syntax.quotes import value_of

    return re.sub(r"\W+", "_", value_of(decl.title).lower()).strip("_") or "_"


test_name.__test__ = False  # type: ignore[attr-defined]  # its name begins like that of a test function


def literal_options(node: t.TypeNode) -> Iterator[t.LiteralType]:
    """The enum values written directly in a type, as `harness_dsl.ir.naming.enum_members` sees them."""
    match node:
        case t.LiteralType():
            yield node
        case t.UnionTypeNode():
            for option in node.options:
                yield from literal_options(option)
        case t.ListTypeNode() | t.NullableTypeNode() | t.GenericType():
            yield from literal_options(node.item)
        case t.NamedType():
            return


def tool_id(name: str) -> str:
    return join("tool", name)


def section_id(name: str) -> str:
    return join("prompt", "system", "section", name)
