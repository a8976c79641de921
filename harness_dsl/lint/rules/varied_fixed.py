"""HD707"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.symbols import name_node

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis


class VariedFixed(Rule):
    """`fixed` says that nothing may change how this is shown, and the alternatives say how else it may be
    shown. The alternatives lose, so a variant that you count on is never drawn; or the wording of the law
    was never meant to be free.
    """

    code = "HD707"
    enforces = ("frozen-surface",)
    bad = '''
prompt system {
  section law fixed """Prices may change."""
}

alternatives {
  section.law """The price can move."""
}
'''
    good = '''
prompt system {
  section law fixed """Prices may change."""
  section persona """Be kind."""
}

alternatives {
  section.persona """Be friendly."""
}
'''

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        for entry in analysis.symbols.alternatives:
            fixed = _fixed(entry, analysis)
            if fixed is not None:
                yield Diagnostic(
                    self.code,
                    "this is `fixed`, so it is never shown otherwise",
                    analysis.report.span(entry.target),
                    "Remove the alternatives, or the `fixed`.",
                    (Label(analysis.report.span(fixed), "declared fixed here"),),
                )


def _fixed(entry: t.OtherNames | t.OtherWordings, analysis: Analysis) -> t.Node | None:
    """Where what `entry` varies is declared fixed."""
    root, *names = entry.target.root.text, *(segment.text for segment in entry.target.segments)
    tables: dict[str, Mapping[str, t.Node]] = {
        "tool": analysis.symbols.tools,
        "skill": analysis.symbols.skills,
        "section": analysis.symbols.sections,
        "hook": analysis.symbols.hooks,
        "type": analysis.symbols.types,
    }
    decl = tables[root].get(names[0]) if root in tables and names else None
    if decl is None:
        return None
    member = _member(decl, names[1]) if len(names) > 1 else None
    for node in (member, _prose(decl, names[1:]) if isinstance(entry, t.OtherWordings) else None):
        if node is not None and node.fixed:
            return node.quote if isinstance(node, t.Prose) else node.name
    whole = len(names) == 1 or names[1:] in (["when"], ["message"], ["description"])
    return name_node(decl) if whole and getattr(decl, "fixed", False) else None


def _member(decl: t.Node, name: str) -> t.ParamDecl | t.Field | None:
    members = decl.params if isinstance(decl, t.ToolDecl) else getattr(decl, "fields", [])
    return next((one for one in members if one.name.text == name), None)


def _prose(decl: t.Node, rest: list[str]) -> t.Prose | None:
    """The text of `decl`, or of its item called `rest[0]`."""
    content = decl.content if isinstance(decl, t.SectionDecl) else None
    nodes: list[t.Node | None] = [content]
    for clause in getattr(decl, "clauses", ()):
        nodes += [node.message if isinstance(node, t.Action) else node for node in clause.args]
    for node in nodes:
        if isinstance(node, t.Prose) and (not rest or rest[0] in ("when", "message", "description")):
            return node
        if isinstance(node, t.Items) and rest:
            for position, item in enumerate(node.items, 1):
                if rest[0] == (item.label.text if item.label is not None else str(position)):
                    return item.text
    return None
