"""Where the canonical layout breaks lines."""

from harness_dsl.syntax.format import format_text

LONG = "a" * 40


def fmt(body: str) -> str:
    formatted, found = format_text(body, "x")
    assert formatted is not None, found
    return formatted


def test_parameters_stand_on_one_line_where_they_fit() -> None:
    assert fmt("tool t(a: int,b?: string,)->any{}") == "tool t(a: int, b?: string) -> any {}\n"


def test_described_or_long_parameters_get_a_line_each() -> None:
    assert fmt('tool t(a: int "A.") -> any {}') == 'tool t(\n  a: int "A.",\n) -> any {}\n'
    wide = fmt(f"tool t({LONG}: int, b{LONG}: int(min: 1, max: 2)) -> any {{}}")
    assert wide == f"tool t(\n  {LONG}: int,\n  b{LONG}: int(min: 1, max: 2),\n) -> any {{}}\n"


def test_a_comment_at_the_end_of_a_line_stays_there() -> None:
    text = "tool t(\n  a: int,  # first\n  # above b\n  b: int,  # second\n) -> any {}\n"
    assert fmt(text) == text


def test_a_comment_inside_a_line_goes_before_it() -> None:
    assert fmt("limits {\n  turns # why\n 6\n}\n") == "limits {\n  # why\n  turns 6\n}\n"
    assert fmt("limits {\n  # nothing yet\n}\n") == "limits {\n  # nothing yet\n}\n"


def test_blank_lines_are_kept_one_at_a_time() -> None:
    assert fmt("limits {\n\n\n  a 1\n\n\n\n  b 2\n\n}\n") == "limits {\n  a 1\n\n  b 2\n}\n"
    assert (
        fmt("limits { a 1 }\nsurface { markup xml }") == "limits {\n  a 1\n}\n\nsurface {\n  markup xml\n}\n"
    )
    assert (
        fmt("input a: int\ninput b: int\n\n\ninput c: int") == "input a: int\ninput b: int\n\ninput c: int\n"
    )


def test_a_remark_about_the_declaration_above_stays_with_it() -> None:
    text = "limits {\n  a 1\n}\n# about the limits\n\n# about the surface\nsurface {\n  markup xml\n}\n"
    assert fmt(text) == text


def test_long_values_are_broken_by_element() -> None:
    value = f'given r = {{a: ["{LONG}", "{LONG}"], b: {{c: [1, 2]}}, "d e": -1.50}}'
    assert fmt(f'test "t" {{ {value} }}') == (
        'test "t" {\n  given r = {\n'
        f'    a: ["{LONG}", "{LONG}"],\n'
        '    b: {c: [1, 2]},\n    "d e": -1.50\n  }\n}\n'
    )


def test_checks_stand_under_their_rule() -> None:
    body = 'prompt system { section r unordered { fixed rule a """A""" check not (x<1 or y in z.w) } }'
    assert fmt(body) == (
        "prompt system {\n  section r unordered {\n"
        '    fixed rule a """A"""\n      check not (x < 1 or y in z.w)\n  }\n}\n'
    )


def test_types_are_written_tightly() -> None:
    assert fmt('type A = map < ( "a"|"b" ) [ 1 .. 2 ] ? > [ ]') == 'type A = map<("a" | "b")[1..2]?>[]\n'
