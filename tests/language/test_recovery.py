"""Independent mistakes are reported independently, at the smallest place."""

from harness_dsl.syntax.parse import parse
from tests.language.helpers import at_fault, check, check_body, codes

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
