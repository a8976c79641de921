"""`moved` lines that lead on from one another."""

from harness_dsl.ir.core import Moved
from harness_dsl.syntax.compile import compile_text
from tests.language.helpers import check_body, codes

TOOL = 'tool c(a: int) -> any { """C.""" }\n'


def test_moves_that_follow_one_another_all_lead_to_the_last_id() -> None:
    moves = ["tool.a -> tool.b", "tool.b -> tool.c", "tool.b.x -> tool.c.y", "tool.c.y -> tool.c.a"]
    lines = "".join(f"moved {move}\n" for move in moves)
    core = compile_text(f'harness x "1.0.0"\n{TOOL}{lines}prompt system {{ section p """P.""" }}\n').core
    assert core is not None
    assert core.moved == (
        Moved(old="tool/a", new="tool/c"),
        Moved(old="tool/b", new="tool/c"),
        Moved(old="tool/b/param/x", new="tool/c/param/a"),
        Moved(old="tool/c/param/y", new="tool/c/param/a"),
    )


def test_a_chain_that_leads_nowhere_is_reported_where_it_ends() -> None:
    found = check_body(TOOL + "moved tool.a -> tool.b\nmoved tool.b -> tool.gone\n")
    assert [(d.code, d.message) for d in found] == [("HD202", "no tool `gone`")]


def test_a_circle_of_moves_is_one_mistake() -> None:
    assert codes(check_body(TOOL + "moved tool.a -> tool.b\nmoved tool.b -> tool.a\n")) == ["HD208"]


def test_a_move_of_one_id_to_two_is_a_mistake() -> None:
    found = check_body(TOOL + "moved tool.a -> tool.c\nmoved tool.a -> tool.c\n")
    assert codes(found) == ["HD208"]
