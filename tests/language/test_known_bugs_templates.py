"""Faults 18 and 23 that users of other systems reported: two readings of one file, and half-typed files."""

import random
from pathlib import Path
from typing import Any

import pytest

from grammar.lexer import lex
from harness_dsl.diagnostics import render
from harness_dsl.protocol import Protocol
from harness_dsl.syntax.compile import compile_text
from tests.language.fuzzing.material import SMALL, material
from tests.language.fuzzing.survival import bounded
from tests.language.helpers import PATH, check
from tests.protocol.tokenizers_made_here import all_tokenizers

CONDITIONS = (
    "room.open",
    "not room.open",
    "room.size > 3",
    'room.name == "a"',
    'room.name != "a" and room.size <= 5',
    'room.open or "a" in room.tags',
    "(room.open or room.size < 0) and not room.size == 2",
)
SHOWN = (
    *("room.name", "room.size", "room.name | upper", "room.name | lower", "room.name | trim"),
    *('room.tags | join(", ")', "room.tags | length", "room.name | length", '"{{"'),
)


def words(rng: random.Random, letters: str, most: int) -> str:
    return "".join(rng.choices(letters, k=rng.randrange(most + 1)))


def room_of(rng: random.Random) -> dict[str, Any]:
    letters = "ab{}%<>\"'\\ \n茶&"
    return {
        "name": words(rng, letters, 6),
        "tags": [words(rng, letters, 3) for _ in range(rng.randrange(4))],
        "size": rng.randint(-3, 12),
        "open": rng.random() < 0.5,
    }


def template_of(rng: random.Random, depth: int = 3) -> str:
    """A template that both languages have."""

    def inner() -> str:
        return template_of(rng, depth - 1)

    condition = rng.choice(CONDITIONS)
    match rng.randrange(7 if depth else 2):
        case 0:
            return words(rng, "ab <>'茶&.}", 8)
        case 1:
            return f"{{{{ {rng.choice(SHOWN)} }}}}"
        case 2:
            return f"{{% if {condition} %}}{inner()}{{% endif %}}"
        case 3:
            return f"{{% if {condition} %}}{inner()}{{% else %}}{inner()}{{% endif %}}"
        case 4:
            other = rng.choice(CONDITIONS)
            return f"{{% if {condition} %}}{inner()}{{% elif {other} %}}{inner()}{{% endif %}}"
        case 5:
            name = f"tag{depth}"
            return f"{{% for {name} in room.tags %}}{{{{ {name} }}}}{inner()}{{% endfor %}}"
        case _:
            return inner() + " " + inner()


HARNESS = '''harness x "1.0.0"

type Room {
  name: string
  tags: string[]
  size: int
  open: bool
}

input room: Room

prompt system {
  section p """<<BODY>>"""
}
'''


def shown(template: str, room: dict[str, Any]) -> str:
    """What the model sees of `template`."""
    compiled = compile_text(HARNESS.replace("BODY", template))
    assert compiled.core is not None and compiled.surface is not None, compiled.diagnostics
    protocol = Protocol(compiled.core, compiled.surface, all_tokenizers()["byte_level"])
    text = protocol.render({"room": room}).text
    return text[text.index("<<") + 2 : text.rindex(">>")]


@pytest.mark.parametrize("seed", range(4))
def test_bug_18_templates_mean_what_jinja_makes_of_them(seed: int) -> None:
    """An independent implementation of the same language agrees on every text."""
    jinja2 = pytest.importorskip("jinja2")
    rng = random.Random(seed)
    jinja = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)
    for _ in range(25):
        template, room = template_of(rng), room_of(rng)
        assert shown(template, room) == jinja.from_string(template).render(room=room), template


def test_bug_18_a_reading_that_differs_is_seen() -> None:
    """The comparison is no tautology: a value that is parsed again gives another text."""
    jinja2 = pytest.importorskip("jinja2")
    room = {"name": "{{ 1 }}", "tags": [], "size": 1, "open": True}
    once = shown("{{ room.name }}", room)
    assert once == "{{ 1 }}" != jinja2.Environment().from_string(once).render()


def says_something(text: str) -> None:
    """`text` gives findings whose places are in it, and nothing else."""
    with bounded():
        found = check(text)
    assert all(0 <= one.span.start <= one.span.end <= len(text) for one in found)
    render.text(found, {PATH: text})


def test_bug_23_every_other_beginning_of_a_file_is_checked() -> None:
    for end in range(0, len(SMALL), 2):
        says_something(SMALL[:end])


def without(text: str, at: int) -> str:
    """`text` without its token number `at`."""
    token = lex(text).tokens[at]
    return text[: token.start] + text[token.end :]


def test_bug_23_every_file_that_lacks_a_token_is_checked() -> None:
    for at in range(len(lex(SMALL).tokens) - 1):
        says_something(without(SMALL, at))


@pytest.mark.parametrize("number", range(len(material().harnesses)))
def test_bug_23_examples_that_are_being_typed_are_checked(number: int) -> None:
    text = material().harnesses[number]
    rng = random.Random(number)
    for _ in range(2):
        says_something(text[: rng.randrange(len(text))])
        says_something(without(text, rng.randrange(len(lex(text).tokens) - 1)))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(material().harnesses)))
def test_bug_23_every_beginning_and_every_lack_in_the_examples(number: int) -> None:
    text = material().harnesses[number]
    for end in range(0, len(text), 3):
        says_something(text[:end])
    for at in range(len(lex(text).tokens) - 1):
        says_something(without(text, at))


def test_bug_23_the_line_that_is_being_typed_is_the_one_that_is_marked(shop_path: Path) -> None:
    """What stands before the unfinished line has no finding that it has not in the whole file."""
    text = shop_path.read_text("utf-8")
    starts = [at for at in range(len(text)) if text.startswith("\nreply skill", at)]
    for start in starts:
        unfinished = text[: start + len("\nreply skill ab")]
        errors = [one for one in check(unfinished) if one.code.startswith("HD1") and one.severity == "error"]
        assert errors and all(one.span.start > start or one.code == "HD110" for one in errors), errors
