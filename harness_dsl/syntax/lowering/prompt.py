"""The prompt: sections, their order as written, and what must hold of it."""

from typing import Any, assert_never

from harness_dsl.ir import core as ir
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.checks.prompt import in_order
from harness_dsl.syntax.lowering.conduct import lower_items
from harness_dsl.syntax.lowering.state import Lowering
from harness_dsl.syntax.symbols import section_id

PROMPT = "prompt/system"


def lower_prompt(state: Lowering) -> ir.Prompt:
    symbols = state.analysis.symbols
    prompt = symbols.prompt
    if prompt is None:  # in a module
        return ir.Prompt(id=PROMPT, sections=())
    state.place(PROMPT, t.Node(prompt.start, prompt.start + len("prompt system")))
    sections = [_section(state, decl) for decl in symbols.sections.values()]
    written = [decl.name.text for decl in symbols.sections.values()]
    state.order(PROMPT, [section_id(name) for name in in_order(written, prompt.order)])
    constraints = {_constraint(rule) for rule in prompt.order}
    return ir.Prompt(
        id=PROMPT,
        sections=tuple(sorted(sections, key=lambda section: section.id)),
        order=tuple(sorted(constraints, key=lambda c: (c.relation, c.section, c.other or ""))),
    )


def _section(state: Lowering, decl: t.SectionDecl) -> ir.Section:
    id_ = section_id(decl.name.text)
    state.name(id_, decl.named)
    content = _content(state, id_, decl)
    state.place(id_, decl.name)
    return ir.Section(id=id_, content=content, fixed=decl.fixed)


def _content(state: Lowering, id_: str, decl: t.SectionDecl) -> ir.Content:
    content = decl.content
    match content:
        case t.Prose():
            return ir.ProseContent(text=state.text(id_, content.quote, content.fixed or decl.fixed))
        case t.Items():
            return ir.ListContent(ordered=content.ordered, items=lower_items(state, id_, content))
        case t.Catalog():
            of: Any = content.of.text
            return ir.CatalogContent(of=of)
        case _:
            assert_never(content)


def _constraint(rule: t.OrderRule) -> ir.Constraint:
    """`after` is `before` the other way round."""
    section = section_id(rule.section.text)
    if rule.relation in ("first", "last"):
        place: Any = rule.relation
        return ir.Constraint(relation=place, section=section)
    assert rule.other is not None
    other = section_id(rule.other.text)
    if rule.relation == "after":
        section, other = other, section
    return ir.Constraint(relation="before", section=section, other=other)
