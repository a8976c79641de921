"""Each rule finds its bad example and is silent on its good one."""

import ast

import pytest

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.enforced import FAULTS, PRINCIPLES
from harness_dsl.lint.examples import MAIN, Folder
from harness_dsl.lint.rule import Rule
from harness_dsl.lint.rules import CHECKING, checking, every, rule_of
from harness_dsl.syntax.analysis import analysed
from harness_dsl.syntax.source import decode
from tests.lint.running import found_in

RULES = every()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_bad_example_has_this_finding_and_no_other(rule: Rule) -> None:
    found, _ = found_in(rule.code, "bad")
    checked = rule.bad.checked if isinstance(rule.bad, Folder) else MAIN
    here = [diagnostic for diagnostic in found if diagnostic.span.path == checked]
    codes = {diagnostic.code for diagnostic in here if diagnostic.severity != "info"}
    assert codes | {rule.code} == {rule.code}, found
    assert rule.code in [diagnostic.code for diagnostic in found]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_good_example_is_clean(rule: Rule) -> None:
    found, _ = found_in(rule.code, "good")
    assert [diagnostic for diagnostic in found if diagnostic.severity != "info"] == []
    assert rule.code not in [diagnostic.code for diagnostic in found]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_documented_and_says_what_it_is_there_for(rule: Rule) -> None:
    assert rule.code in CODES
    assert len((type(rule).__doc__ or "").split()) >= 12
    assert set(rule.enforces) <= {*PRINCIPLES, *FAULTS}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_what_is_said_keeps_the_form_of_messages(rule: Rule) -> None:
    for found in found_in(rule.code, "bad")[0]:
        assert not found.message.endswith("."), "a message is a phrase"
        assert found.message[0] in '`"' or not found.message[0].isupper() or found.message[:2].isupper()
        assert found.help[0].isupper() or found.help[0] == "`"
        assert found.help.rstrip('"`').endswith((".", "?", "…")), found.help


def test_check_loads_the_rules_that_look_for_something_and_no_other() -> None:
    own = tuple(rule.code for rule in RULES if type(rule).check is not Rule.check)
    assert own == tuple(CHECKING)


@pytest.mark.parametrize("code", CHECKING)
def test_a_rule_that_is_not_loaded_would_have_found_nothing(code: str) -> None:
    """Whatever has the finding has one of the parts that the rule is loaded for."""
    text = 'harness x "1.0.0"\n\nprompt system {\n  section a """B."""\n}\n'
    analysis = analysed(decode(text.encode(), "x.harness"), "x.harness")
    assert analysis is not None
    loaded = [rule.code for rule in checking(analysis)]
    assert (code in loaded) == (CHECKING[code] in ((), ("sections",)))
    assert list(rule_of(code).check(analysis)) == []


def test_every_code_has_a_rule_and_every_file_is_one(pytestconfig: pytest.Config) -> None:
    folder = pytestconfig.rootpath / "harness_dsl" / "lint" / "rules"
    files = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--"}
    assert files == {code.name for code in CODES.values()}


def test_no_diagnostic_leaves_its_reader_without_help(pytestconfig: pytest.Config) -> None:
    """Seen in the source: whoever says that something is wrong says what to do, too."""
    silent = []
    for path in sorted((pytestconfig.rootpath / "harness_dsl").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and _a_code(node.args[0]) and len(node.args) < 4:
                silent.append(f"{path.name}:{node.lineno}")
    assert silent == []


def _a_code(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value) in CODES
