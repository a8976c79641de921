"""Cases of fuzzing: each is made from a seed and its number alone, so that one can be made again."""

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from grammar.lexer import lex
from tests.language.fuzzing.material import SMALL, material

_WORDS = """
{ } ( ) [ ] < > ? : , | = -> .. . # " \"\"\" {{ }} {% %} \\ \\u and not in if every no reply
tool type fixed skill hook section catalog moved alternatives test given expect limits room
fixture order override use import module -1 99999999999999999999 1.5 800ms 亲 ， é
"""
_SPACES = ("\n", "\r\n", " ", "\u3000", "\u2028", "\ufeff", "\x00", "\x1b")
PIECES = [*_WORDS.split(), *_SPACES, 'r"(a+)+"', "use x.y", 'import "x" as x']
_BRACKETS = '( { [ [[ {a: map< """ A?[]'
OPENINGS = (
    *_BRACKETS.split(),
    *("type A = (", "not ", "{{ (", "{% if x %}", "a | ", "x and ", "every price(reply) in ("),
    *("prompt system {", "section a unordered {"),
)


class Case(NamedTuple):
    """`files`: path → bytes; the first is what is looked at, as `kind` says."""

    kind: str
    files: dict[str, bytes]


def case(seed: int, number: int) -> Case:
    rng = random.Random(f"{seed}:{number}")
    (kind,) = rng.choices(list(_KINDS), [weight for weight, _ in _KINDS.values()])
    return Case(kind, _KINDS[kind][1](rng))


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


def with_other_tokens(text: str, rng: random.Random) -> str:
    """`text` with one to three tokens moved, doubled, lost or replaced by one of their kind."""
    tokens = lex(text).tokens[:-1]
    words = [token.text for token in tokens]
    for _ in range(rng.randint(1, 3)):
        if not words:
            break
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
    return rng.choice((" ", " ", "\n")).join(words)


def composed(rng: random.Random) -> str:
    """A harness of some declarations of all examples; now and then a whole example."""
    if rng.random() < 0.04:
        return rng.choice(material().harnesses)
    if rng.random() < 0.2:
        return SMALL
    chosen = rng.choices(material().declarations, k=rng.randint(1, 6))
    return "\n\n".join(['harness x "1.0.0"', *chosen]) + "\n"


def _one(text: str | bytes, path: str = "x.harness") -> dict[str, bytes]:
    return {path: text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")}


def _bytes(rng: random.Random) -> dict[str, bytes]:
    return _one(rng.randbytes(rng.randrange(300)))


def _pieces(rng: random.Random) -> dict[str, bytes]:
    head = 'harness x "1.0.0"\n' if rng.random() < 0.5 else ""
    return _one(head + rng.choice(("", " ")).join(rng.choices(PIECES, k=rng.randrange(80))))


def _tokens(rng: random.Random) -> dict[str, bytes]:
    return _one(with_other_tokens(composed(rng), rng))


def _edits(rng: random.Random) -> dict[str, bytes]:
    return _one(mutated(composed(rng), rng))


def _broken_bytes(rng: random.Random) -> dict[str, bytes]:
    """A harness with some bytes changed: often no UTF-8 any more."""
    data = bytearray(composed(rng).encode())
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return _one(bytes(data))


def _half(rng: random.Random) -> dict[str, bytes]:
    """Typed up to some place, maybe with the rest of the file still behind it."""
    text = composed(rng)
    at = rng.randrange(len(text) + 1)
    rest = text.find("\n", rng.randrange(at, len(text) + 1))
    return _one(text[:at] + (text[rest:] if rest >= 0 and rng.random() < 0.5 else ""))


def _project(rng: random.Random) -> dict[str, bytes]:
    """A harness and what it reads, with a mutation in one or two of the files."""
    files = dict(rng.choice(material().projects))
    for path in rng.sample(sorted(files), rng.randint(1, 2)):
        files[path] = mutated(files[path], rng)
    return {path: text.encode("utf-8", "surrogatepass") for path, text in files.items()}


def _nested(rng: random.Random) -> dict[str, bytes]:
    opening = rng.choice(OPENINGS) + rng.choice(("", "", "\n"))
    many = opening * rng.choice((10, 61, 200, 1500))
    return _one(
        rng.choice(
            (
                f'harness x "1.0.0"\nprompt system {{ section p """P""" }}\n{many}',
                f'harness x "1.0.0"\nprompt system {{ section p """{many}""" }}\n',
                f'harness x "1.0.0"\nprompt system {{ section p unordered {{ a "P" check {many} x }} }}\n',
                f'harness x "1.0.0"\ntest "t" {{ given a = {many} }}\n',
            )
        )
    )


def _huge(rng: random.Random) -> dict[str, bytes]:
    """A lot of one thing: text, declarations, one line, blank lines, quotes."""
    piece = rng.choice((*PIECES, *material().declarations, "x" * 1000, "{{ room.name }}", "word "))
    many = piece * min(rng.choice((2_000, 20_000)), 200_000 // len(piece) + 1)
    head = 'harness x "1.0.0"\n'
    return _one(
        rng.choice((head + many, f'{head}prompt system {{ section p """{many}""" }}\n', head + "# " + many))
    )


def _settings(rng: random.Random) -> dict[str, bytes]:
    return _one(mutated(rng.choice(material().settings), rng), "harness.toml")


_FIXTURE = '''harness x "1.0.0"

type Room { name: string size?: int on?: any }
input room: Room

prompt system { section p """{{ room.name }}""" }

test "t" {
  given room = fixture "room.yaml"
  user "u"
  expect reply contains "u"
}
'''


def _fixture(rng: random.Random) -> dict[str, bytes]:
    text = mutated(rng.choice(material().fixtures), rng)
    return {**_one(_FIXTURE), **_one(text, "room.yaml")}


def _foreign(rng: random.Random) -> dict[str, bytes]:
    """A foreign file with its text or its values changed; its kind is the name of its folder."""
    kind = rng.choice(sorted(material().foreign))
    text = rng.choice(material().foreign[kind])
    if rng.random() < 0.5:
        return _one(mutated(text, rng), f"{kind}/x.json")
    try:
        value = json.loads(text)
    except ValueError:
        return _one(mutated(text, rng), f"{kind}/x.json")
    for _ in range(rng.randint(1, 4)):
        value = _other_value(value, rng)
    if rng.random() < 0.2:
        kind = rng.choice(sorted(material().foreign))
    return _one(json.dumps(value, ensure_ascii=rng.random() < 0.5), f"{kind}/x.json")


_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 1e400, 0.5, 10**20, "", "x", "a.b", "\ud800", "$ref", [], {}, [[]], {"$ref": "#"}),
    *({"$ref": "#/$defs/A"}, {"type": "dict"}, {"type": ["string", "null"]}, {"enum": []}, {"anyOf": [{}]}),
    *({"allOf": [{"$ref": "#"}]}, {"type": "array"}, {"oneOf": [{"const": 1}]}, {"pattern": "(a+)+$"}),
)


def _other_value(value: Any, rng: random.Random) -> Any:
    """`value` with one part of it replaced, dropped or renamed."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        changed = dict(value)
        match rng.randrange(12):
            case 0:
                del changed[key]
            case 1:
                changed[rng.choice(PIECES)] = changed.pop(key)
            case _:
                changed[key] = _other_value(value[key], rng)
        return changed
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _other_value(value[at], rng), *value[at + 1 :]]
    return rng.choice(_VALUES)


def _skill(rng: random.Random) -> dict[str, bytes]:
    return _one(mutated(rng.choice(material().skills), rng), "skills/x/SKILL.md")


_KINDS: dict[str, tuple[float, Callable[[random.Random], dict[str, bytes]]]] = {
    "bytes": (8, _bytes),
    "pieces": (12, _pieces),
    "tokens": (20, _tokens),
    "edits": (25, _edits),
    "broken bytes": (4, _broken_bytes),
    "half-typed": (8, _half),
    "projects": (1, _project),
    "nested": (3, _nested),
    "huge": (0.15, _huge),
    "settings": (5, _settings),
    "fixtures": (4, _fixture),
    "foreign": (6, _foreign),
    "skills": (2, _skill),
}
KINDS = tuple(_KINDS)
