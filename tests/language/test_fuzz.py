"""No text, however broken, makes the language raise or hang."""

import random
import time

import pytest

from grammar.lexer import lex
from harness_dsl.diagnostics import render
from harness_dsl.lint.examples import whole
from harness_dsl.lint.rules import every
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text
from tests.language.helpers import PATH, check
from tests.language.printing import Printer
from tests.strategies import compiled_shop

PIECES = [
    *(
        '"""',
        '"',
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "?",
        ":",
        ",",
        "|",
        "=",
        "->",
        "..",
        ".",
        "#",
        "\n",
    ),
    *("{{", "}}", "{%", "%}", "tool", "type", "fixed", "reply", "skill", "if", "every", "in", "not", "and x"),
    *(
        "-1",
        "99999999999999999999",
        "1.5",
        "800ms",
        'r"(a+)+"',
        "亲",
        "，",
        "\ufeff",
        "\r\n",
        "\u2028",
        "\x00",
    ),
    *("\x1b", "é", "limits", "room", "\\", "\\u", " ", "\u3000"),
]


def mutated(text: str, rng: random.Random) -> str:
    """`text` with one to six random edits."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((0, 1, 1, 2, 5, 40, 400)))
        match rng.randrange(4):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[to:]
            case 2:
                text = text[:at] + rng.choice(PIECES) + text[to:]
            case _:
                other = rng.randrange(len(text) + 1)
                text = text[:other] + text[at:to] + text[other:]
    return text


def survive(text: str | bytes) -> None:
    """Every part of the language on one text; spans have to lie inside it."""
    started = time.perf_counter()
    found = check(text)
    shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
    render.text(found, {PATH: shown})
    render.json_text(found, {PATH: shown})
    assert all(0 <= d.span.start <= d.span.end for d in found)
    if isinstance(text, str):
        formatted, _ = format_text(text, PATH)
        if formatted is not None:
            assert format_text(formatted, PATH)[0] == formatted
        compile_text(text, PATH)
    assert time.perf_counter() - started < 20


def sources() -> list[str]:
    core, surface = compiled_shop()
    return [Printer(core, surface).source(), SMALL]


SMALL = '''harness x "1.0.0"

input room: Room
type Room { name: string, }
type Size = "S" | "M"

tool get(link: int(min: 1), size: Size? = "S") -> map<Room[1..2]>? { """Get it.""" timeout 1s }

reply skill s {
  when """Now {{ tool.get.link }}."""
  do unordered { step a """A {% if room.name == "x" %}b{% else %}c{% endif %}""" }
}

prompt system { section p """P {% for x in room.name %}{{ x }}{% endfor %}""" order p first }
'''.replace("string, }", "string }")


def with_other_tokens(text: str, rng: random.Random) -> str:
    """`text` with one to three tokens moved, doubled, lost or replaced by one of their kind."""
    tokens = lex(text).tokens[:-1]
    words = [token.text for token in tokens]
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(words)), rng.randrange(len(words))
        match rng.randrange(4):
            case 0:
                words[at], words[other] = words[other], words[at]
            case 1:
                del words[at]
            case 2:
                words.insert(at, words[other])
            case _:
                kind = next(token.kind for token in tokens if token.text == words[at])
                words[at] = rng.choice([token.text for token in tokens if token.kind == kind])
    return " ".join(words)


def test_other_tokens_are_survived() -> None:
    rng = random.Random(3)
    examples = [example for rule in every() for example in (rule.good, rule.bad)]
    texts = [SMALL, *(whole(example) for example in examples if isinstance(example, str))]
    for _ in range(900):
        survive(with_other_tokens(rng.choice(texts), rng))


def test_a_text_that_is_said_twice_and_reworded_is_survived() -> None:
    tool = 'tool t(a: int) -> any { """T.""" """U.""" }'
    survive(whole(tool + '\nalternatives { tool.t.description """V.""" }'))


@pytest.mark.parametrize(
    "body", ["type A = A?", 'type A = A | "x"', "type A = B\ntype B = A[]", "type A { a: A }"]
)
def test_a_type_that_contains_itself_is_survived(body: str) -> None:
    survive(whole(body + '\ntool t(a: A = [[1], null]) -> A { """T.""" }'))


@pytest.mark.parametrize("seed", range(5))
def test_mutated_harnesses_are_survived(seed: int, shop_text: str) -> None:
    rng = random.Random(seed)
    texts = [*sources(), shop_text]
    for number in range(120):
        survive(mutated(texts[0 if number % 15 == 0 else 2 if number % 15 == 1 else 1], rng))


def test_random_bytes_are_survived() -> None:
    rng = random.Random(7)
    for _ in range(600):
        survive(rng.randbytes(rng.randrange(200)))


def test_random_pieces_are_survived() -> None:
    rng = random.Random(8)
    for _ in range(1000):
        survive("".join(rng.choice(PIECES) for _ in range(rng.randrange(60))))


@pytest.mark.parametrize(
    "opening", ["(", "{", "[", "type A = (", "not ", "{{ (", "{% if x %}", '"""', "a | ", "x and "]
)
def test_deep_nesting_is_survived(opening: str) -> None:
    survive('harness x "1.0.0"\nprompt system { section p """P""" }\n' + opening * 4_000)
    survive(f'harness x "1.0.0"\nprompt system {{ section p """{opening * 1_000}""" }}\n')
    rule = f'a """P""" check {opening * 1_000} x'
    survive(f'harness x "1.0.0"\nprompt system {{ section p unordered {{ {rule} }} }}\n')


@pytest.mark.slow
def test_a_hundred_thousand_broken_texts_are_survived(shop_text: str) -> None:
    rng = random.Random(2024)
    texts = [SMALL] * 20 + [shop_text]
    for _ in range(50_000):
        survive(mutated(rng.choice(texts), rng))
        survive(rng.randbytes(rng.randrange(300)))
