"""Independent mistakes are reported independently, at the smallest place."""

import random

import pytest

from grammar.driver import MISTAKES as MOST
from harness_dsl.syntax.parse import parse
from tests.language.helpers import at_fault, check, check_body, codes
from tests.language.mistakes import MISTAKES, planted

TEN = '''harness ten "1.0.0"

type A {
  a: strng
}

type B {
  b integer
}

input room Room

tool one(x int) -> any {
  """One."""
  efect read
}

tool two(x: int) -> any {
  """Two."""
  effect reed
  timeout 5
}

reply skill s {
  when """Sometimes."""
  uses onee
  do sorted {
  }
}

hook h on before_reply {
  if reply matchs "x"
  retry """Again."""
}

prompt system {
  section p """Use {{ tool.three }}."""
  order p frist
}
'''


def test_ten_mistakes_give_ten_diagnostics_and_more_give_more() -> None:
    found = check(TEN)
    lines = [TEN.count("\n", 0, d.span.start) + 1 for d in found if d.severity == "error"]
    assert lines == [4, 8, 11, 13, 15, 20, 21, 26, 27, 32, 37, 38]


def test_the_caret_stands_under_the_word_at_fault() -> None:
    shown = [at_fault(TEN, d) for d in check(TEN) if d.severity == "error"]
    assert shown == [
        "strng", "integer", "Room", "int", "efect", "reed", "5", "onee", "sorted", "matchs", "three", "frist",
    ]  # fmt: skip


def test_a_declaration_after_a_mistake_is_kept() -> None:
    file, _ = parse(TEN, "x")
    kinds = [type(decl).__name__ for decl in file.decls]
    assert kinds.count("ToolDecl") == 2 and "PromptDecl" in kinds and "HookDecl" in kinds


def test_what_could_not_be_parsed_is_not_reported_as_unknown() -> None:
    tool = 'tool get_quote(link_id int) -> any { """Quote.""" }'
    body = tool + '\nreply skill s { when """Now.""" uses get_quote }'
    assert codes(check_body(body)) == ["HD101"]


def test_an_unterminated_text_block_points_at_its_opening() -> None:
    body = '''tool one(x: int) -> any {
  """One.
}

tool two(x: itn) -> any {
  """Two."""
}
'''
    text = f'harness x "1.0.0"\n\n{body}\nprompt system {{ section p """P.""" }}\n'
    found = check(text)
    assert [d.code for d in found] == ["HD104", "HD301"]
    assert found[0].span.start == text.index('"""One') and at_fault(text, found[0]) == '"""'


def test_an_unclosed_brace_points_at_the_brace() -> None:
    tool = 'tool one(x: int) -> any {\n  """One."""\n'
    text = f'harness x "1.0.0"\n\n{tool}\nprompt system {{ section p """P.""" }}\n'
    found = [d for d in check(text) if d.severity == "error"]
    assert [d.code for d in found] == ["HD103"]
    assert found[0].span.start == text.index("{")


def test_one_cause_gives_one_diagnostic() -> None:
    body = 'type A { b: Missing }\ninput a: A\nprompt system { section p """{{ a.b.c.d }}""" }'
    assert codes(check_body(body)) == ["HD301"]


@pytest.mark.parametrize("seed", range(60))
def test_as_many_mistakes_as_are_planted_are_reported_where_they_are(seed: int) -> None:
    """Of fifty kinds, up to ten in one file, none hides another and none is said twice."""
    rng = random.Random(seed)
    text, mistakes = planted(rng, rng.randint(1, 10))
    found = [(one.code, one.span.start) for one in check(text) if one.severity == "error"]
    assert sorted(found, key=lambda one: one[1]) == mistakes, text


def test_every_kind_of_mistake_that_is_planted_is_one_alone() -> None:
    seen = set()
    for seed in range(60):
        rng = random.Random(seed)
        seen |= {code for code, _ in planted(rng, rng.randint(1, 10)).mistakes}
    assert seen == {mistake.code for mistake in MISTAKES} and len(seen) > 30


def test_an_unclosed_bracket_points_at_itself_where_the_next_declaration_could_go_on_in_it() -> None:
    """`prompt`, `test` and `limits` are good names for a field or a limit."""
    for opened in ("type A {\n  a: int", "limits {\n  turns 3", 'reply skill s {\n  when """W."""'):
        for following in ('test "x" {\n  user "u"\n  expect reply == ""\n}', "surface {\n  markup xml\n}"):
            body = f"{opened}\n\n{following}\n"
            errors = [one for one in check_body(body) if one.severity == "error"]
            assert [one.code for one in errors] == ["HD103"], body


def test_a_whole_declaration_before_nonsense_at_the_end_is_kept() -> None:
    text = 'harness x "1.0.0"\n\nprompt system {\n  section p """P."""\n}\nnonsense here'
    file, found = parse(text, "x")
    assert [one.code for one in found] == ["HD101"]
    assert [type(decl).__name__ for decl in file.decls] == ["Header", "PromptDecl"]
    assert codes(check(text)) == ["HD101"]


def test_a_part_that_could_not_be_read_is_not_missing() -> None:
    test = 'test "t" {\n  user "u"\n  expct call t\n}\n'
    hook = 'hook h on before_reply {\n  if reply == ""\n  dny "x"\n}\n'
    assert codes(check_body(test + hook)) == ["HD101", "HD101"]


def test_after_a_thousand_mistakes_no_more_are_looked_for() -> None:
    found = check("type A = (\n" * 5 * MOST)
    assert len(found) == MOST and {one.code for one in found} <= {"HD101", "HD103"}


@pytest.mark.parametrize(
    ("type_", "help_"),
    [("int[3]", "Write `[3..3]` for lists of 3."), ("string[ 12 ]", "Write `[12..12]` for lists of 12.")],
)
def test_a_list_of_an_exact_length_is_told_how_to_be_written(type_: str, help_: str) -> None:
    text = f'harness x "1.0.0"\ntype T = {type_}\nprompt system {{ section p """a""" }}\n'
    [found] = check(text)
    assert found.help == help_ and found.fix is not None
    start, end = found.fix.span.start, found.fix.span.end
    assert check(text[:start] + found.fix.text + text[end:]) == []
