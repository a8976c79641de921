"""A defect that is planted in an example is noticed by the tests that the example declares."""

import pytest

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.syntax.compile import compile_file
from harness_dsl.syntax.source import Source, read
from runtime.testing.run import TestResult
from tests.examples.bench import EXAMPLES, MAIN, main_file, opened, results, tools
from tests.examples.defects import CASES, Defect


def edited(defect: Defect) -> Core:
    """The Core of the example with the text of the defect in one of its files."""
    (place,) = (
        path
        for path in (EXAMPLES / defect.example).rglob("*.harness")
        if path.name != "shop_mini.harness" and path.read_text("utf-8").count(defect.old)
    )
    assert place.read_text("utf-8").count(defect.old) == 1

    def reader(path: object) -> Source:
        source = read(str(path))
        return source._replace(text=(source.text or "").replace(defect.old, defect.new))

    compiled = compile_file(main_file(defect.example), reader=reader)
    assert compiled.core is not None, compiled.diagnostics
    return compiled.core


def outcome(defect: Defect, only: frozenset[str] | None) -> dict[str, TestResult]:
    if defect.old:
        return results(defect.example, edited(defect), only=only)
    function = tools(defect.example)[defect.tool]
    return results(defect.example, changed={defect.tool: defect.broken(function)}, only=only)


@pytest.mark.parametrize("defect", CASES, ids=str)
def test_it_is_noticed(defect: Defect) -> None:
    found = outcome(defect, defect.failing)
    assert found.keys() == defect.failing
    assert [title for title, result in found.items() if result.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("defect", CASES, ids=str)
def test_nothing_else_fails_by_it(defect: Defect) -> None:
    assert {title for title, result in outcome(defect, None).items() if not result.passed} == defect.failing


@pytest.mark.parametrize("example", MAIN)
def test_every_test_and_every_tool_has_its_defect(example: str) -> None:
    mine = [defect for defect in CASES if defect.example == example]
    core = opened(example).core
    assert frozenset().union(*(defect.failing for defect in mine)) == {test.title for test in core.tests}
    assert {defect.tool for defect in mine if defect.tool} == {leaf(tool.id) for tool in core.tools}
