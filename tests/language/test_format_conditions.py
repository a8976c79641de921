"""Long conditions get a line for each part that `and` or `or` joins, and mean what they meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.layout import WIDTH

FRAME = '''harness long "1.0.0"

tool look_up_something(number_of_it: int) -> int {{
  """Look it up."""
}}

hook h on before_call {{
  if {condition}
  deny """No."""
}}

prompt system {{
  section rules unordered {{
    rule r """R."""
      check {rule}
  }}
  section tools catalog tools
}}

limits {{
  x 1
}}

test "t" {{
  user "?"
  expect {rule}
}}
'''
CALLED, CALLING = "called(look_up_something)", "calling(look_up_something)"


def formatted(condition: str, rule: str = CALLED) -> str:
    text, found = format_text(FRAME.format(condition=condition, rule=rule), "long.harness")
    assert text is not None, found
    return text


def of_hook(text: str) -> list[str]:
    lines = text.splitlines()
    return lines[lines.index("hook h on before_call {") + 1 : lines.index('  deny """No."""')]


def many(word: str, part: str, times: int) -> str:
    return f" {word} ".join([part] * times)


@pytest.mark.parametrize(
    ("condition", "lines"),
    [
        (many("and", CALLED, 3), [f"  if {many('and', CALLED, 3)}"]),
        (many("and", CALLED, 4), [f"  if {CALLED}", *[f"    and {CALLED}"] * 3]),
        (
            f"not {CALLED} and ({many('or', CALLING, 4)})",
            [
                f"  if not {CALLED}",
                f"    and ({CALLING}",
                *[f"      or {CALLING}"] * 2,
                f"      or {CALLING})",
            ],
        ),
        (
            f"({many('and', CALLED, 2)}) and {many('and', CALLED, 2)}",
            [f"  if ({many('and', CALLED, 2)})", *[f"    and {CALLED}"] * 2],
        ),
        (
            f"{CALLED} and ({CALLED}) and ({CALLED}) and {CALLED}",
            [f"  if {CALLED}", *[f"    and ({CALLED})"] * 2, f"    and {CALLED}"],
        ),
        (
            f"not ({many('or', CALLED, 4)})",
            [f"  if not ({CALLED}", *[f"    or {CALLED}"] * 2, f"    or {CALLED})"],
        ),
        (f'"{"x" * WIDTH}" == "x"', [f'  if "{"x" * WIDTH}" == "x"']),
    ],
)
def test_each_part_gets_a_line(condition: str, lines: list[str]) -> None:
    assert of_hook(formatted(condition)) == lines


def test_rules_and_expectations_are_broken_too() -> None:
    text = formatted(CALLED, many("or", CALLED, 4))
    assert text.count(f"\n        or {CALLED}") == 3
    assert text.count(f"\n    or {CALLED}") == 3


def test_a_comment_inside_stays() -> None:
    text = formatted(f"{CALLED}  # first\n  and {CALLED}\n  # third\n  and {CALLED} and {CALLED}")
    assert "# first" in text and "# third" in text
    assert format_text(text, "long.harness")[0] == text


conditions = st.recursive(
    st.sampled_from([CALLED, CALLING, "argument.number_of_it == 12345", "limits.x > 0"]),
    lambda inner: st.one_of(
        inner.map(lambda part: f"({part})"),
        inner.map(lambda part: f"not {part}"),
        st.builds(
            many,
            st.sampled_from(["and", "or"]),
            inner.map(lambda part: f"({part})"),
            st.integers(2, 4),
        ),
        st.builds(
            lambda parts, words: (
                parts[0] + "".join(f" {w} {p}" for p, w in zip(parts[1:], words, strict=False))
            ),
            st.lists(inner.map(lambda part: f"({part})" if " or " in part else part), min_size=2, max_size=5),
            st.lists(st.sampled_from(["and", "or"]), min_size=4, max_size=4),
        ),
    ),
    max_leaves=12,
)


@given(conditions)
def test_the_layout_is_one_and_means_the_same(condition: str) -> None:
    written = FRAME.format(condition=condition, rule=CALLED)
    text = formatted(condition)
    assert format_text(text, "long.harness")[0] == text
    before, after = compile_text(written), compile_text(text)
    assert before.core is not None and before.core == after.core
    assert [line for line in of_hook(text)[1:] if line.split()[0] not in ("and", "or")] == []
