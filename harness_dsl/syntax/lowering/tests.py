"""Tests of the file."""

from decimal import Decimal
from operator import attrgetter, itemgetter
from typing import Any, assert_never

from harness_dsl.ir import core as ir
from harness_dsl.ir.ids import join
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.lowering.state import Lowering
from harness_dsl.syntax.lowering.texts import lower_expression
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import test_name
from harness_dsl.syntax.values import plain


def lower_test(state: Lowering, decl: t.TestDecl) -> ir.TestCase:
    id_ = join("test", test_name(decl))
    state.place(id_, decl.title)
    given, user, expect = [], [], []
    for statement in decl.statements:
        match statement:
            case t.GivenStmt():
                given.append(
                    ir.Given(input=join("input", statement.input.text), value=_value(state, statement))
                )
            case t.UserStmt():
                user.append(value_of(statement.text))
            case _:
                expect.append(_expectation(state, statement))
    return ir.TestCase(
        id=id_,
        title=value_of(decl.title),
        given=tuple(sorted(given, key=attrgetter("input"))),
        user=tuple(user),
        expect=tuple(expect),
    )


def _value(state: Lowering, statement: t.GivenStmt) -> Any:
    if isinstance(statement.value, t.Fixture):
        return state.analysis.fixtures.load(value_of(statement.value.path))
    return plain(statement.value)


def _expectation(state: Lowering, node: t.Statement) -> ir.Expectation:
    match node:
        case t.SkillExpectation():
            return ir.ExpectSkill(skill=join("skill", node.skill.text), negated=node.negated)
        case t.CallExpectation():
            arguments = ((argument.name.text, plain(argument.value)) for argument in node.arguments)
            return ir.ExpectCall(
                tool=join("tool", node.tool.text),
                arguments=tuple(sorted(arguments, key=itemgetter(0))),
                negated=node.negated,
            )
        case t.FactExpectation():
            fact: Any = node.fact.text
            value = Decimal(node.value.text) if isinstance(node.value, t.Number) else value_of(node.value)
            unit = value_of(node.unit) if node.unit is not None else None
            return ir.ExpectFact(fact=fact, value=value, unit=unit)
        case t.PredicateExpectation():
            return ir.ExpectPredicate(predicate=lower_expression(node.predicate, state.analysis.symbols))
        case t.GivenStmt() | t.UserStmt():
            raise AssertionError("not an expectation")
        case _:
            assert_never(node)
