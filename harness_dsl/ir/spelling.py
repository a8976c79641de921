"""IR values in the words of the language, for people: one line each, close to what an author writes."""

from typing import assert_never

from harness_dsl.ir.evaluate import json_text
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
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)

_AFFIXES = {"start": "starts with", "end": "ends with", "inside": "contains"}


def spell_template(template: Template) -> str:
    """Prose with its references and values in double braces."""
    return "".join(map(_part, template))


def _part(part: Part) -> str:
    match part:
        case Literally():
            return part.text.replace("{{", '{{ "{{" }}')
        case Reference():
            return f"{{{{ {spell_id(part.target)} }}}}"
        case Interpolation():
            return f"{{{{ {spell_expression(part.value)} }}}}"
        case If():
            then = f"{{% if {spell_expression(part.condition)} %}}{spell_template(part.then)}"
            otherwise = f"{{% else %}}{spell_template(part.otherwise)}" if part.otherwise else ""
            return f"{then}{otherwise}{{% endif %}}"
        case For():
            head = f"{{% for {part.variable} in {spell_expression(part.values)} %}}"
            return f"{head}{spell_template(part.body)}{{% endfor %}}"
        case _:
            assert_never(part)


def spell_id(id_: SemanticId) -> str:
    """`tool/get_quote/param/link_id` as prose refers to it: `tool.get_quote.link_id`."""
    parts = id_.split("/")
    if parts[0] == "limit":
        parts[0] = "limits"
    return ".".join(part for at, part in enumerate(parts) if at < 2 or at % 2)


def spell_expression(expression: Expression) -> str:
    """A predicate or value; operands that are operations stand in parentheses."""
    match expression:
        case Constant():
            return json_text(expression.value)
        case InputValue():
            return ".".join((leaf(expression.input), *expression.path))
        case LimitValue():
            return f"limits.{leaf(expression.limit)}"
        case LoopValue():
            return ".".join((expression.name, *expression.path))
        case Reply():
            return "reply"
        case Argument():
            return f"argument {'.'.join((expression.name, *expression.path))}"
        case Results():
            return ".".join((f"results({leaf(expression.tool)})", *expression.path))
        case Called():
            return f"called({leaf(expression.tool)})"
        case Calling():
            return f"calling({leaf(expression.tool)})"
        case Loaded():
            return f"loaded({leaf(expression.skill)})"
        case Measure() | Extract():
            return f"{expression.function}({spell_expression(expression.subject)})"
        case Every():
            return f"every {_operand(expression.subject)} in {_operand(expression.within)}"
        case Matches():
            return f'{_operand(expression.subject)} matches r"{expression.pattern}"'
        case Affix():
            return f"{_operand(expression.subject)} {_AFFIXES[expression.where]} {_operand(expression.text)}"
        case Not():
            return f"not {_operand(expression.operand)}"
        case Binary():
            return f"{_operand(expression.left)} {expression.operator} {_operand(expression.right)}"
        case Filter():
            argument = "" if expression.argument is None else f"({json_text(expression.argument)})"
            return f"{_operand(expression.subject)} | {expression.name}{argument}"
        case _:
            assert_never(expression)


def _operand(expression: Expression) -> str:
    text = spell_expression(expression)
    return f"({text})" if isinstance(expression, Binary | Every | Matches | Affix | Filter) else text


def spell_type(type_: Type) -> str:
    """A type with its bounds."""
    match type_:
        case StringType():
            return "string" + _options(
                min=type_.min_length, max=type_.max_length, pattern=type_.pattern, format=type_.format
            )
        case IntType() | DecimalType() | FloatType():
            return type_.kind + _options(min=type_.min, max=type_.max)
        case BoolType() | AnyType():
            return type_.kind
        case TimeType():
            return type_.form
        case EnumType():
            return " | ".join(json_text(member.value) for member in type_.members)
        case ListType():
            return f"{_element(type_.item)}[]" + _options(min=type_.min_length, max=type_.max_length)
        case MapType():
            return f"map<{spell_type(type_.value)}>"
        case NullableType():
            return f"{_element(type_.item)}?"
        case UnionType():
            return " | ".join(spell_type(option) for option in type_.options)
        case NamedType():
            return leaf(type_.type)
        case _:
            assert_never(type_)


def _element(type_: Type) -> str:
    text = spell_type(type_)
    return f"({text})" if isinstance(type_, EnumType | UnionType) else text


def _options(**bounds: object) -> str:
    given = [f"{name}: {json_text(bound)}" for name, bound in bounds.items() if bound is not None]
    return f"({', '.join(given)})" if given else ""
