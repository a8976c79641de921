"""Every text, expression and type of a Core, each with the id of its owner."""

from collections.abc import Iterator
from typing import assert_never

from harness_dsl.ir.core import (
    CatalogContent,
    Content,
    Core,
    ExpectPredicate,
    Item,
    ListContent,
    ProseContent,
)
from harness_dsl.ir.expressions import (
    Affix,
    Argument,
    Binary,
    Called,
    Calling,
    Constant,
    Every,
    Expression,
    Extract,
    Filter,
    InputValue,
    LimitValue,
    Loaded,
    LoopValue,
    Matches,
    Measure,
    Not,
    Reply,
    Results,
)
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template, Text
from harness_dsl.ir.types import Type


def content_items(content: Content) -> tuple[Item, ...]:
    """The rules of a section; none for prose and catalogs."""
    return content.items if isinstance(content, ListContent) else ()


def items(core: Core) -> Iterator[Item]:
    """Steps of skills, then rules of sections."""
    for skill in core.skills:
        yield from skill.items
    for section in core.prompt.sections:
        yield from content_items(section.content)


def tool_texts(core: Core) -> Iterator[Text]:
    """What tool documentation shows: descriptions of tools, parameters, types and fields."""
    for tool in core.tools:
        yield tool.description
        yield from (param.description for param in tool.params if param.description)
    for decl in core.types:
        if decl.description:
            yield decl.description
        yield from (field.description for field in decl.fields or () if field.description)


def prompt_texts(core: Core) -> Iterator[Text]:
    """What stands in the system prompt: tool documentation, skill catalogue, sections."""
    yield from tool_texts(core)
    yield from (skill.when for skill in core.skills)
    for section in core.prompt.sections:
        match section.content:
            case ProseContent(text=text):
                yield text
            case ListContent(items=rules):
                yield from (rule.text for rule in rules)
            case CatalogContent():
                pass
            case _:
                assert_never(section.content)


def texts(core: Core) -> Iterator[Text]:
    """Every text of `core`."""
    yield from prompt_texts(core)
    yield from (input_.description for input_ in core.inputs if input_.description)
    for skill in core.skills:
        yield from (item.text for item in skill.items)
    yield from (hook.message for hook in core.hooks if hook.message)


def parts(template: Template) -> Iterator[Part]:
    """Every part, those inside `if` and `for` too, in reading order."""
    for part in template:
        yield part
        match part:
            case If():
                yield from parts(part.then)
                yield from parts(part.otherwise)
            case For():
                yield from parts(part.body)
            case Literally() | Reference() | Interpolation():
                pass
            case _:
                assert_never(part)


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside `expression`."""
    match expression:
        case Measure() | Extract() | Matches() | Filter():
            return (expression.subject,)
        case Every():
            return (expression.subject, expression.within)
        case Affix():
            return (expression.subject, expression.text)
        case Not():
            return (expression.operand,)
        case Binary():
            return (expression.left, expression.right)
        case (
            Constant()
            | InputValue()
            | LimitValue()
            | LoopValue()
            | Reply()
            | Argument()
            | Results()
            | Called()
            | Calling()
            | Loaded()
        ):
            return ()
        case _:
            assert_never(expression)


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """`expression` and all inside it."""
    yield expression
    for operand in operands(expression):
        yield from subexpressions(operand)


def predicates(core: Core) -> Iterator[tuple[SemanticId, Expression]]:
    """Checks of rules and steps, conditions of hooks, and predicates of tests, with the id of their owner."""
    for item in items(core):
        if item.check is not None:
            yield item.id, item.check
    yield from ((hook.id, hook.condition) for hook in core.hooks)
    for test in core.tests:
        for expectation in test.expect:
            if isinstance(expectation, ExpectPredicate):
                yield test.id, expectation.predicate


def types(core: Core) -> Iterator[tuple[SemanticId, Type]]:
    """Every type written in `core`, with the id of its owner."""
    for decl in core.types:
        if decl.alias is not None:
            yield decl.id, decl.alias
        yield from ((field.id, field.type) for field in decl.fields or ())
    yield from ((input_.id, input_.type) for input_ in core.inputs)
    for tool in core.tools:
        yield from ((param.id, param.type) for param in tool.params)
        yield tool.id, tool.returns
