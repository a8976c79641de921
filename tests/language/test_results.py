"""`results(tool)` is one flat list: the checker goes through lists just as the evaluator does."""

import pytest

from harness_dsl.ir.core import ExpectPredicate
from harness_dsl.ir.evaluate import CallFact, Facts, evaluate
from harness_dsl.syntax.compile import Compiled, compile_text

TEXT = '''harness lists "1.0.0"
type Part {{
  title: string
  sizes: int[]
  parts: Part[]?
}}
tool outline() -> {returns} {{
  """Look up the outline."""
}}
prompt system {{
  section persona """You answer."""
  section tools catalog tools
}}
test "t" {{
  user "?"
  expect {predicate}
}}
'''
PARTS = [
    {"title": "a", "sizes": [1, 2], "parts": [{"title": "b", "sizes": [3], "parts": None}]},
    {"title": "c", "sizes": [], "parts": None},
]


def compiled(predicate: str, returns: str = "Part[]") -> Compiled:
    return compile_text(TEXT.format(predicate=predicate, returns=returns))


@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        ('results(outline).title contains "c"', True),
        ('results(outline).title contains "b"', False),
        ('results(outline).parts.title contains "b"', True),
        ("results(outline).sizes contains 2", True),
        ("3 in results(outline).sizes", False),
        ("3 in results(outline).parts.sizes", True),
        ("count(results(outline)) == 2", True),
    ],
)
def test_fields_are_read_through_lists(predicate: str, holds: bool) -> None:
    found = compiled(predicate)
    assert found.core is not None, [one.message for one in found.diagnostics]
    (expectation,) = found.core.tests[0].expect
    assert isinstance(expectation, ExpectPredicate)
    facts = Facts(calls=(CallFact("tool/outline", {}, PARTS),))
    assert evaluate(expectation.predicate, facts) is holds


@pytest.mark.parametrize(
    ("predicate", "code"),
    [
        ('results(outline).titel contains "c"', "HD306"),
        ("results(outline).parts.size contains 2", "HD306"),
        ("results(outline).title contains 2", "HD305"),
        ('"S" in results(outline).sizes', "HD305"),
    ],
)
def test_what_no_entry_has_is_a_mistake(predicate: str, code: str) -> None:
    assert code in {one.code for one in compiled(predicate).diagnostics}


def test_without_results_a_list_has_no_fields() -> None:
    text = TEXT.format(returns="Part[]", predicate='whole.title contains "c"')
    found = compile_text(text.replace("tool outline", "input whole: Part[]\ntool outline"))
    assert "HD306" in {one.code for one in found.diagnostics}
