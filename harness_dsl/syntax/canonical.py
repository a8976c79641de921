"""Which quote is the canonical text of which id."""

from collections.abc import Iterator

from harness_dsl.ir.ids import join, segment
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.references import item_id
from harness_dsl.syntax.symbols import Symbols, section_id, tool_id


def canonical_texts(symbols: Symbols) -> Iterator[tuple[str, t.Quote]]:
    """(id, quote) of every text that the file says."""
    for name, decl in symbols.types.items():
        id_ = join("type", name)
        yield from _description(id_, decl.description)
        for field in decl.fields if isinstance(decl, t.RecordDecl) else ():
            yield from _description(f"{id_}/field/{segment(field.name.text)}", field.description)
    for name, input_ in symbols.inputs.items():
        yield from _description(join("input", name), input_.description)
    for name, tool in symbols.tools.items():
        for clause in tool.clauses:
            if clause.word == "text" and isinstance(clause.args[0], t.Prose):
                yield f"{tool_id(name)}/description", clause.args[0].quote
        for param in tool.params:
            yield from _description(f"{tool_id(name)}/param/{segment(param.name.text)}", param.description)
    for name, skill in symbols.skills.items():
        id_ = join("skill", name)
        for clause in skill.clauses:
            node = clause.args[0] if clause.args else None
            if clause.word == "when" and isinstance(node, t.Prose):
                yield f"{id_}/when", node.quote
            elif isinstance(node, t.Items):
                yield from _items(id_, node)
    for name, hook in symbols.hooks.items():
        for clause in hook.clauses:
            node = clause.args[0] if clause.args else None
            if isinstance(node, t.Action) and node.message is not None:
                yield f"{join('hook', name)}/message", node.message.quote
    for name, section in symbols.sections.items():
        if isinstance(section.content, t.Prose):
            yield section_id(name), section.content.quote
        elif isinstance(section.content, t.Items):
            yield from _items(section_id(name), section.content)


def _description(owner: str, quote: t.Quote | None) -> Iterator[tuple[str, t.Quote]]:
    if quote is not None:
        yield f"{owner}/description", quote


def _items(owner: str, items: t.Items) -> Iterator[tuple[str, t.Quote]]:
    for position, item in enumerate(items.items, 1):
        yield item_id(owner, position, item, items.ordered), item.text.quote
