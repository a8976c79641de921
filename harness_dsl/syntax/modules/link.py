"""`import`, `use` and `override`: the declarations of a file with those of its modules in their places."""

from itertools import chain
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics import Diagnostic, Label, did_you_mean
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.modules.belongings import belongings
from harness_dsl.syntax.modules.loader import Loader, Module
from harness_dsl.syntax.modules.names import Entry, entries, meanings, mentioned, named
from harness_dsl.syntax.modules.unfit import Use
from harness_dsl.syntax.symbols import ROOTS, Collector, Symbols, name_node
from harness_dsl.syntax.written import written

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class Linked:
    """`decls`: what the file declares, modules included. `lost`: names that an unusable import took along.
    `uses`: what was brought in. `modules`: by the name they are imported as; None: unusable.
    """

    def __init__(self, file: t.File, loader: Loader) -> None:
        self.file = file
        self.loader = loader
        self.decls: list[t.Decl] = []
        self.found: list[Diagnostic] = []
        self.lost: set[str] = set()
        self.uses: list[Use] = []
        self.modules: dict[str, Analysis | None] = {}
        self._names: dict[str, t.Ident] = {}
        self._overrides: list[tuple[t.Path, Entry]] = []
        self._overridden: set[int] = set()
        self._collided: set[tuple[str, str]] = set()
        self._own = {(e.kind, e.name): e.decl for e in entries(_declared(file, loader))}

    def link(self) -> "Linked":
        for decl in self.file.decls:
            if isinstance(decl, t.ImportDecl):
                self._import(decl)
        for decl in self.file.decls:
            if isinstance(decl, t.OverrideDecl):
                for path in decl.paths:
                    self._override(path)
        for decl in self.file.decls:
            self._take(decl)
        self._hidden_collisions()
        for path, entry in self._overrides:
            if (entry.kind, entry.name) not in self._own:
                self._say(
                    "HD202",
                    f"this file has no `{entry.name}` to take its place",
                    path,
                    f"Declare it, or write `use {written(path)}`.",
                )
        return self

    def aliases(self, node: t.Node) -> "dict[str, Analysis | None]":
        """The modules that the file of `node` imports, by the name they have there."""
        path = self.loader.sources.path(node.start)
        if path == self.file.path:
            return self.modules
        for module in self.loader.modules.values():
            if module.path == path and module.analysis is not None and module.analysis.linked is not None:
                return module.analysis.linked.modules
        return {}

    def _say(self, code: str, message: str, at: t.Node, help_: str, first: t.Node | None = None) -> None:
        labels = (Label(self.loader.sources.span(first), "the other one"),) if first else ()
        self.found.append(Diagnostic(code, message, self.loader.sources.span(at), help_, labels))

    # ── imports ────────────────────────────────────────────────────────────────────────────────────────────

    def _import(self, decl: t.ImportDecl) -> None:
        name = decl.name
        inputs = {entry_name for kind, entry_name in self._own if kind == "input"}
        if name.text in self._names:
            self._say(
                "HD201",
                f"module `{name.text}` is declared twice",
                name,
                "Rename one of the two.",
                self._names[name.text],
            )
            return
        if name.text in ROOTS or name.text in inputs:
            self._say("HD203", f"`{name.text}` already means something in templates", name, "Rename it.")
            self._names[name.text] = name
            self.modules[name.text] = None
            return
        self._names[name.text] = name
        module = self.loader.load(decl, self.file.path)
        if isinstance(module, Diagnostic):
            self.found.append(module)
        self.modules[name.text] = module.analysis if isinstance(module, Module) else None

    def _entry(self, path: t.Path) -> tuple[Entry, "Analysis"] | None:
        """What `path` names in its module; what is wrong with it is reported."""
        module = self._module(path)
        if module is None:
            return None
        found = named(path.segments, module.symbols)
        if len(found) == 1:
            return found[0], module
        alias = path.root.text
        if found:
            self._say(
                "HD202",
                f"`{written(path)}` can mean several things",
                path,
                f"Say which: `{alias}.{found[0].kind}.{found[0].name}`.",
            )
        else:
            known = [entry.name for entry in entries(module.symbols)]
            self._unknown(path, known)
        return None

    def _module(self, path: t.Path) -> "Analysis | None":
        alias = path.root.text
        if alias not in self._names:
            close = did_you_mean(alias, self._names)
            help_ = close[0].upper() + close[1:] if close else f'Import it: `import "…" as {alias}`.'
            self._say("HD202", f"no module is called `{alias}`", path.root, help_)
        module = self.modules.get(alias)
        if module is None:
            self.lost.update(segment.text for segment in path.segments)
        return module

    def _unknown(self, path: t.Path, known: list[str]) -> None:
        alias = path.root.text
        if not path.segments:
            self._say("HD202", f"`{alias}` alone names nothing", path, f"Write `{alias}.NAME`.")
            return
        word = path.segments[-1]
        self.lost.add(word.text)
        close = did_you_mean(word.text, known)
        help_ = close[0].upper() + close[1:] if close else f"Use a name that `{alias}` declares."
        self._say("HD202", f"nothing in `{alias}` is called `{word.text}`", word, help_)

    def _override(self, path: t.Path) -> None:
        found = self._entry(path)
        if found is None:
            return
        self._overrides.append((path, found[0]))
        self._overridden.add(id(found[0].decl))

    # ── uses ───────────────────────────────────────────────────────────────────────────────────────────────

    def _take(self, decl: t.Decl) -> None:
        match decl:
            case t.ImportDecl() | t.OverrideDecl():
                return
            case t.UseDecl():
                for path in decl.paths:
                    self._top(path)
            case t.PromptDecl():
                self.decls.append(self._prompt(decl))
            case _:
                self.decls.append(decl)

    def _top(self, path: t.Path) -> None:
        found = self._entry(path)
        if found is None:
            return
        entry, module = found
        if entry.kind == "section":
            self._say(
                "HD216", f"`{entry.name}` is a section", path, "Bring it in inside `prompt system { … }`."
            )
        elif self._brought(path, entry, module):
            node: Any = entry.decl
            limit = isinstance(node, t.LimitDecl)
            self.decls.append(t.LimitsDecl(node.start, node.end, [node]) if limit else node)
            self._belongings(Use(path, entry.decl, module), entry.kind, [entry.name])

    def _prompt(self, decl: t.PromptDecl) -> t.PromptDecl:
        parts: list[t.SectionDecl | t.OrderDecl | t.UseDecl] = []
        sections: list[Use] = []
        for part in decl.parts:
            if isinstance(part, t.UseDecl):
                for path in part.paths:
                    found = self._entry(path)
                    if found is None:
                        continue
                    entry, module = found
                    if not isinstance(entry.decl, t.SectionDecl):
                        self._say(
                            "HD216", f"`{entry.name}` is no section", path, "Bring it in outside the prompt."
                        )
                    elif self._brought(path, entry, module):
                        parts.append(entry.decl)
                        sections.append(Use(path, entry.decl, module))
            elif isinstance(part, t.SectionDecl) and isinstance(part.content, t.Items):
                parts.append(self._section(part, part.content))
            else:
                parts.append(part)
        for use in sections:
            self._belongings(use, "section", [use.path.segments[-1].text])
        return t.PromptDecl(decl.start, decl.end, parts)

    def _section(self, decl: t.SectionDecl, items: t.Items) -> t.SectionDecl:
        """Rules that are brought in keep their label, and so have an id of this section."""
        if len(items.items) == len(items.parts):
            return decl
        parts: list[t.ItemDecl | t.UseDecl] = []
        for part in items.parts:
            if isinstance(part, t.ItemDecl):
                parts.append(part)
                continue
            for path in part.paths:
                rule = self._rule(path, items, decl.name)
                if rule is not None:
                    parts.append(rule)
        content = t.Items(items.start, items.end, items.ordered, parts)
        return t.SectionDecl(decl.start, decl.end, decl.name, decl.named, decl.fixed, content)

    def _rule(self, path: t.Path, items: t.Items, owner: t.Ident) -> t.ItemDecl | None:
        """`compliance.SECTION.LABEL`."""
        module = self._module(path)
        if module is None:
            return None
        words = [segment.text for segment in path.segments]
        section = module.symbols.sections.get(words[0]) if len(words) == 2 else None
        content = section.content if section is not None else None
        if not isinstance(content, t.Items) or items.ordered or content.ordered:
            self._say(
                "HD216",
                "only a labelled rule of an unordered list can stand here",
                path,
                f"Write `use {path.root.text}.SECTION.LABEL` in an unordered list.",
            )
            return None
        labels = {item.label.text: item for item in content.items if item.label is not None}
        own = {item.label.text: item.label for item in items.items if item.label is not None}
        rule = labels.get(words[1])
        if rule is None:
            self._unknown(path, list(labels))
        elif words[1] in own:
            self._say(
                "HD214",
                f"`{words[1]}` is declared here and brought in",
                path,
                "Rename one of the two.",
                own[words[1]],
            )
            return None
        else:
            self.uses.append(Use(path, rule, module))
            self._belongings(self.uses[-1], "section", words, owner)
        return rule

    def _brought(self, path: t.Path, entry: Entry, module: "Analysis") -> bool:
        """Whether `entry` comes in; another meaning of its name here is reported."""
        first = self._own.get((entry.kind, entry.name))
        if first is None:
            self._own[entry.kind, entry.name] = entry.decl
            self.uses.append(Use(path, entry.decl, module))
            return True
        if first is entry.decl:
            self._say("HD109", f"`{entry.name}` is brought in twice", path, "Remove one of the two.")
        else:
            self._collision(path, entry, first)
        return False

    def _collision(self, path: t.Path, entry: Entry, first: t.Node) -> None:
        alias = path.root.text
        self._collided.add((entry.kind, entry.name))
        self._say(
            "HD214",
            f"`{entry.name}` means one thing here and another in `{alias}`",
            path,
            f"Rename one of the two, or write `override {alias}.{entry.name}` to keep the one of this file.",
            name_node(first),
        )

    def _belongings(self, use: Use, kind: str, names: list[str], owner: t.Ident | None = None) -> None:
        found = belongings(use, kind, names, owner)
        self.decls += found
        self.uses += [Use(use.path, decl, use.module) for decl in found]

    def _hidden_collisions(self) -> None:
        """A declaration that is brought in means by each name what its module means by it."""
        for use in self.uses:
            words = sorted(mentioned(use.decl))
            for entry in chain.from_iterable(meanings(word, use.module.symbols) for word in words):
                mine = self._own.get((entry.kind, entry.name))
                if mine is None or mine is entry.decl or (entry.kind, entry.name) in self._collided:
                    continue
                if id(entry.decl) not in self._overridden:
                    self._collision(use.path, entry, mine)


def _declared(file: t.File, loader: Loader) -> Symbols:
    """What the file declares itself."""
    return Collector(file.decls, loader.sources).collect()
