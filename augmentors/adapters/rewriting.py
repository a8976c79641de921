"""References and expressions replaced in all of a Core. What does not change stays the very same object."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never

from harness_dsl.ir.core import (
    CatalogContent,
    Core,
    Expectation,
    ExpectPredicate,
    Item,
    ListContent,
    ProseContent,
    Section,
    Tool,
    TypeDecl,
)
from harness_dsl.ir.expressions import Expression
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template, Text
from harness_dsl.ir.types import EnumMember, EnumType, ListType, MapType, NullableType, Type, UnionType

_Node = TypeVar("_Node", bound=Node)


def unchanged(owner: SemanticId, expression: Expression) -> Expression:
    """For rewritings that leave expressions alone."""
    return expression


def as_it_is(template: Template) -> Template:
    """For rewritings that look at one reference at a time."""
    return template


@dataclass(frozen=True)
class Rewriting:
    """id          where a symbol of the old Core is in the new one
    reference   what stands for a reference to a symbol
    expression  what stands for one expression of an owner, whose operands are rewritten already
    phrases     what stands for a template, before its references are looked at one by one
    """

    id: Callable[[SemanticId], SemanticId]
    reference: Callable[[SemanticId], Template]
    expression: Callable[[SemanticId, Expression], Expression] = unchanged
    phrases: Callable[[Template], Template] = as_it_is

    def core(self, core: Core) -> Core:
        """`core` with every reference and expression rewritten. Declarations keep their ids and places."""
        return _with(
            core,
            types=_each(core.types, self._type),
            inputs=self._nodes(core.inputs),
            tools=_each(core.tools, self._tool),
            skills=_each(
                core.skills,
                lambda skill: _with(skill, when=self.text(skill.when), items=self._items(skill.items)),
            ),
            hooks=_each(
                core.hooks,
                lambda hook: _with(
                    hook,
                    condition=self.rewritten(hook.id, hook.condition),
                    message=hook.message and self.text(hook.message),
                ),
            ),
            prompt=_with(core.prompt, sections=_each(core.prompt.sections, self._section)),
            tests=_each(
                core.tests,
                lambda test: _with(test, expect=_each(test.expect, lambda one: self._expected(test.id, one))),
            ),
            moved=_each(core.moved, lambda moved: _with(moved, new=self.id(moved.new))),
            declared_names=self._declared(core.declared_names),
        )

    def text(self, text: Text) -> Text:
        """`text` with every wording rewritten."""
        return _with(
            text,
            canonical=self.template(text.id, text.canonical),
            alternatives=_each(text.alternatives, lambda wording: self.template(text.id, wording)),
        )

    def template(self, owner: SemanticId, template: Template) -> Template:
        """`template` with every reference and value rewritten."""
        told = self.phrases(template)
        template = template if told == template else told
        parts = [self._part(owner, part) for part in template]
        if all(len(new) == 1 and new[0] is old for new, old in zip(parts, template, strict=True)):
            return template
        return tuple(part for new in parts for part in new)

    def rewritten(self, owner: SemanticId, expression: Expression) -> Expression:
        """`expression`, from its operands up."""
        inner = {name: self.rewritten(owner, part) for name, part in _operands(expression).items()}
        return self.expression(owner, _with(expression, **inner))

    def _part(self, owner: SemanticId, part: Part) -> Template:
        match part:
            case Literally():
                return (part,)
            case Reference():
                new = self.reference(part.target)
                return (part,) if new == (part,) else new
            case Interpolation():
                return (_with(part, value=self.rewritten(owner, part.value)),)
            case If():
                return (
                    _with(
                        part,
                        condition=self.rewritten(owner, part.condition),
                        then=self.template(owner, part.then),
                        otherwise=self.template(owner, part.otherwise),
                    ),
                )
            case For():
                values = self.rewritten(owner, part.values)
                return (_with(part, values=values, body=self.template(owner, part.body)),)
            case _:
                assert_never(part)

    def _type(self, decl: TypeDecl) -> TypeDecl:
        fields = None if decl.fields is None else self._nodes(decl.fields)
        return self._described(_with(decl, fields=fields))

    def _tool(self, tool: Tool) -> Tool:
        return self._described(_with(tool, params=self._nodes(tool.params)))

    def _described(self, node: _Node) -> _Node:
        text = getattr(node, "description", None)
        return node if text is None else _with(node, description=self.text(text))

    def _nodes(self, nodes: tuple[_Node, ...]) -> tuple[_Node, ...]:
        return _each(nodes, self._described)

    def _items(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        return _each(items, self.item)

    def item(self, item: Item) -> Item:
        """`item` with its text and its predicate rewritten."""
        check = None if item.check is None else self.rewritten(item.id, item.check)
        return _with(item, text=self.text(item.text), check=check)

    def _section(self, section: Section) -> Section:
        match section.content:
            case ProseContent() as prose:
                return _with(section, content=_with(prose, text=self.text(prose.text)))
            case ListContent() as rules:
                return _with(section, content=_with(rules, items=self._items(rules.items)))
            case CatalogContent():
                return section
            case _:
                assert_never(section.content)

    def _expected(self, owner: SemanticId, expected: Expectation) -> Expectation:
        if not isinstance(expected, ExpectPredicate):
            return expected
        return _with(expected, predicate=self.rewritten(owner, expected.predicate))

    def _declared(
        self, names: tuple[tuple[SemanticId, tuple[str, ...]], ...]
    ) -> tuple[tuple[SemanticId, tuple[str, ...]], ...]:
        return (
            names
            if all(self.id(id_) == id_ for id_, _ in names)
            else tuple(sorted((self.id(id_), given) for id_, given in names))
        )


def _operands(expression: Expression) -> dict[str, Any]:
    """What an expression works on, by field."""
    fields = ((name, getattr(expression, name)) for name in type(expression).model_fields)
    return {name: value for name, value in fields if isinstance(value, Node)}


def moved_type(type_: Type, owner: SemanticId) -> Type:
    """`type_` as it is written at `owner`: the ids of enum values begin with it."""
    match type_:
        case EnumType():
            return EnumType(
                members=tuple(
                    EnumMember(id=f"{owner}/value/{member.id.rsplit('/', 1)[1]}", value=member.value)
                    for member in type_.members
                )
            )
        case ListType() | NullableType():
            return _with(type_, item=moved_type(type_.item, owner))
        case MapType():
            return _with(type_, value=moved_type(type_.value, owner))
        case UnionType():
            return _with(type_, options=_each(type_.options, lambda option: moved_type(option, owner)))
        case _:
            return type_


def moved_text(text: Text | None, id_: SemanticId) -> Text | None:
    """`text` under another id."""
    return None if text is None else text.model_copy(update={"id": id_})


def _each(nodes: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    new = tuple(map(change, nodes))
    return nodes if all(one is other for one, other in zip(new, nodes, strict=True)) else new


def _with(node: _Node, **fields: Any) -> _Node:
    """`node` with those fields; itself if it has them already."""
    new = {name: value for name, value in fields.items() if getattr(node, name) is not value}
    return node.model_copy(update=new) if new else node
