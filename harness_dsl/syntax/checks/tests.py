"""Tests in the language: inputs, user turns, expectations."""

from harness_dsl.diagnostics import Diagnostic, Label
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.clauses import known_word
from harness_dsl.syntax.checks.texts import check_quote
from harness_dsl.syntax.expressions import Scope
from harness_dsl.syntax.fitting import misfits
from harness_dsl.syntax.fixtures import FixtureError
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.values import check_json

FACTS = ("price", "number", "text")
TEST = Scope("test")


POINTED_AT = 4
"""So many further uses of a broken fixture are shown."""
Uses = dict[tuple[str, str], list[t.Quote]]
"""Where each fixture is given for each input."""


def check(analysis: Analysis) -> None:
    uses: Uses = {}
    for decl in analysis.symbols.tests.values():
        _test(analysis, decl, uses)
    _fixtures(analysis, uses)


def _test(analysis: Analysis, decl: t.TestDecl, uses: Uses) -> None:
    check_quote(analysis, decl.title)
    given: dict[str, t.GivenStmt] = {}
    turns = expectations = 0
    for statement in decl.statements:
        match statement:
            case t.GivenStmt():
                _given(analysis, statement, given, uses)
            case t.UserStmt():
                check_quote(analysis, statement.text)
                turns += 1
            case _:
                expectations += 1
                _expectation(analysis, statement)
    if not turns or not expectations:
        what = "has no user turn" if not turns else "expects nothing"
        analysis.report.say("HD803", f"this test {what}", decl.title, 'Add `user "…"` and `expect …`.')
    for name, input_ in analysis.symbols.inputs.items():
        if name not in given and not _heard(input_):
            why = (
                "the prompt shows it"
                if name in analysis.expressions.used
                else "a conversation begins with it"
            )
            analysis.report.say(
                "HD804",
                f"this test gives no value for `{name}`",
                decl.title,
                f"Add `given {name} = …`.",
                (input_.name, why),
            )


def _heard(input_: t.InputDecl) -> bool:
    """Whether the words of the user stand in for an input that is not given, as they do at run time."""
    return input_.untrusted and isinstance(input_.type, t.NamedType) and input_.type.name.text == "string"


def _given(analysis: Analysis, statement: t.GivenStmt, given: dict[str, t.GivenStmt], uses: Uses) -> None:
    name = statement.input
    decl = analysis.symbols.inputs.get(name.text)
    if decl is None:
        analysis.report.unknown("HD202", "input", name, list(analysis.symbols.inputs))
    if name.text in given:
        analysis.report.say("HD109", f"`{name.text}` is given twice", statement, "Keep one.")
    given.setdefault(name.text, statement)
    if isinstance(statement.value, t.Json):
        if decl is not None:
            what = f"the value of `{name.text}`"
            check_json(statement.value, decl.type, analysis.symbols, analysis.report, what)
        return
    uses.setdefault((value_of(statement.value.path), name.text), []).append(statement.value.path)


def _fixtures(analysis: Analysis, uses: Uses) -> None:
    """What is wrong with a fixture is said once, at its first use."""
    broken: dict[str, tuple[FixtureError, list[t.Quote]]] = {}
    for (relative, name), paths in uses.items():
        try:
            data = analysis.fixtures.load(relative)
        except FixtureError as error:
            broken.setdefault(relative, (error, []))[1].extend(paths)
            continue
        decl = analysis.symbols.inputs.get(name)
        for misfit in misfits(data, decl.type, analysis.symbols)[:3] if decl is not None else ():
            where = _dotted(misfit.path)
            message = f"{misfit.message} (in the fixture{' at ' + where if where else ''})"
            label = () if decl is None else (Label(analysis.report.span(decl.type), "the declared type"),)
            _said_once(analysis, "HD303", message, paths, "Correct the fixture or the type.", label)
    for fault, paths in broken.values():
        code = "HD801" if fault.missing else "HD802"
        _said_once(analysis, code, str(fault), paths, "Correct the path or the file.")


def _said_once(
    analysis: Analysis,
    code: str,
    message: str,
    paths: list[t.Quote],
    advice: str,
    labels: tuple[Label, ...] = (),
) -> None:
    """One finding for all of `paths`, which are one file; a few of them are pointed at."""
    first, *others = [analysis.report.span(path) for path in sorted(paths, key=lambda path: path.start)]
    labels += tuple(Label(span, "used here too") for span in others[:POINTED_AT])
    if len(others) > POINTED_AT:
        message += f", and {len(others)} more tests use it"
    analysis.report.found.append(Diagnostic(code, message, first, advice, labels))


def _dotted(path: tuple[str | int, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return f"`{text}`" if text else ""


def _expectation(analysis: Analysis, node: t.Statement) -> None:
    symbols, report = analysis.symbols, analysis.report
    match node:
        case t.SkillExpectation():
            if node.skill.text not in symbols.skills:
                report.unknown("HD202", "skill", node.skill, list(symbols.skills))
        case t.CallExpectation():
            if node.tool.text not in symbols.tools:
                report.unknown("HD202", "tool", node.tool, list(symbols.tools))
                return
            _arguments(analysis, node)
        case t.FactExpectation():
            _fact(analysis, node)
        case t.PredicateExpectation():
            analysis.expressions.condition(node.predicate, TEST)
        case t.GivenStmt() | t.UserStmt():
            return


def _arguments(analysis: Analysis, node: t.CallExpectation) -> None:
    params = analysis.symbols.params(node.tool.text)
    seen: set[str] = set()
    for argument in node.arguments:
        name = argument.name.text
        if name not in params:
            what = f"parameter of `{node.tool.text}`"
            analysis.report.unknown("HD202", what, argument.name, list(params))
            continue
        if name in seen:
            analysis.report.say("HD109", f"`{name}` is given twice", argument, "Keep one.")
        seen.add(name)
        check_json(argument.value, params[name].type, analysis.symbols, analysis.report, f"argument `{name}`")


def _fact(analysis: Analysis, node: t.FactExpectation) -> None:
    known_word(analysis, node.fact, "kind of fact", FACTS)
    wants_text = node.fact.text == "text"
    if node.fact.text in FACTS and wants_text == isinstance(node.value, t.Number):
        needed = "a string" if wants_text else "a number"
        analysis.report.say(
            "HD303", f"`{node.fact.text}` is stated as {needed}", node.value, f"Write {needed}."
        )
    if isinstance(node.value, t.Number) and _digits(node.value.text) > 15:
        analysis.report.say(
            "HD303", "a stated number has at most 15 digits", node.value, "Write a smaller number."
        )


def _digits(number: str) -> int:
    """Without zeros at its beginning."""
    if len(number) <= 15:
        return len(number)
    from decimal import Decimal

    return len(Decimal(number).as_tuple().digits)
