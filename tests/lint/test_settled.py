"""A condition that is called settled holds always, or never, whatever the facts are."""

import random
from decimal import Decimal

import pytest

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.ir.evaluate import CallFact, Facts, evaluate, truth
from harness_dsl.ir.expressions import Expression
from harness_dsl.lint import settled
from harness_dsl.lint.examples import whole
from harness_dsl.lint.ranges import Range
from harness_dsl.lint.settled import Settling
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import analysed
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.source import decode
from tests.language.helpers import at_fault, check

HEAD = """harness x "1.0.0"

type Room {
  seats: int(min: 1, max: 4)
  spare: int(min: 2, max: 3)?
  late?: decimal(max: 0.5)
}

type Grade = int(min: 0, max: 2)

input room: Room
input grade: Grade
input free: int
input maybe: int(min: 5)?

tool hold(count: int(min: 1, max: 9), size?: int(min: 3)) -> any {
  \"\"\"Hold some.\"\"\"
}

tool drop(count: int(min: 4, max: 12) = 5) -> any {
  \"\"\"Drop some.\"\"\"
}

limits {
  turns 6 in 2..8
  pace 3
  reply_chars 60 in 30..120
}

prompt system {
  section persona \"\"\"Be kind.{% if limits.pace > 2 %} Slow.{% endif %}\"\"\"
}
"""
MAY_BE_NULL = ("room.spare", "room.late", "maybe")
NUMBERS = [
    *MAY_BE_NULL, "room.seats", "grade", "free", "argument.count", "argument.size", "limits.turns",
    "limits.pace", 'count(number("1 2"))', "0", "1", "2", "3", "4", "5", "9", "10", "0.5", "-1",
]  # fmt: skip
ORDER = ["<", "<=", ">", ">=", "==", "!="]


def condition(rng: random.Random, depth: int = 0) -> str:
    kind = rng.randrange(8 if depth < 3 else 5)
    if kind < 4:
        one, other = rng.choice(NUMBERS), rng.choice(NUMBERS)
        plain = one not in MAY_BE_NULL and other not in MAY_BE_NULL
        return f"{one} {rng.choice(ORDER if plain else ORDER[4:])} {other}"
    if kind == 4:
        return rng.choice(["calling(hold)", "calling(drop)", "called(hold)", "not called(hold)", "true"])
    if kind == 5:
        return f"not ({condition(rng, depth + 1)})"
    word = "and" if kind == 6 else "or"
    return f"({condition(rng, depth + 1)}) {word} ({condition(rng, depth + 1)})"


def facts(rng: random.Random) -> Facts:
    """Values of the declared types, now and then at their ends."""
    room = {"seats": rng.randint(1, 4), "spare": rng.choice([None, 2, 3])}
    if rng.random() < 0.5:
        room["late"] = rng.choice([Decimal("0.5"), Decimal("-3")])
    tool = rng.choice(["hold", "drop"])
    arguments = {"count": rng.randint(1, 9) if tool == "hold" else rng.randint(4, 12)}
    if tool == "hold" and rng.random() < 0.5:
        arguments["size"] = rng.choice([3, 50])
    calls = tuple(CallFact("tool/hold") for _ in range(rng.randint(0, 1)))
    return Facts(
        inputs={
            "room": room,
            "grade": rng.randint(0, 2),
            "free": rng.choice([-5, 0, 3, 9]),
            "maybe": rng.choice([None, 5, 7]),
        },
        limits={"limit/turns": rng.randint(2, 8), "limit/pace": 3, "limit/reply_chars": 60},
        calls=calls,
        call=CallFact(f"tool/{tool}", arguments, returned=False),
    )


def compiled(texts: list[str]) -> list[tuple[t.Expr, Expression]]:
    """Each condition as it is written, and as it is evaluated."""
    hooks = [f'hook h{n} on before_call {{ if {text} deny """No.""" }}' for n, text in enumerate(texts)]
    file = HEAD + "\n".join(hooks)
    core = compile_text(file).core
    assert core is not None, [one for one in compile_text(file).diagnostics if one.severity == "error"]
    analysis = analysed(decode(file.encode(), "x"), "x")
    assert analysis is not None
    written = [clause.args[0] for hook in analysis.symbols.hooks.values() for clause in hook.clauses[:1]]
    lowered = {hook.id: hook.condition for hook in core.hooks}
    pairs = zip(analysis.symbols.hooks, written, strict=True)
    return [(one, lowered[f"hook/{name}"]) for name, one in pairs]  # type: ignore[misc]


def disagreements(texts: list[str], rng: random.Random) -> tuple[list[str], int]:
    """What is called settled and is not, and how many were called settled."""
    analysis = analysed(decode(HEAD.encode(), "x"), "x")
    assert analysis is not None
    wrong, count = [], 0
    worlds = [facts(rng) for _ in range(60)]
    for (node, expression), text in zip(compiled(texts), texts, strict=True):
        verdict = Settling(analysis.symbols).verdict(node)
        count += verdict is not None
        if verdict is not None and any(
            truth(evaluate(expression, world)) is not verdict.holds for world in worlds
        ):
            wrong.append(text)
    return wrong, count


def test_what_is_called_settled_is_settled() -> None:
    rng = random.Random(5)
    wrong, count = disagreements([condition(rng) for _ in range(400)], rng)
    assert wrong == [] and count > 60


def test_the_law_sees_a_range_that_forgets_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled, "_with_null", lambda operator, holds, left, right: holds)
    rng = random.Random(5)
    wrong, _ = disagreements(["argument.size >= 3", "argument.size < 3", "maybe != room.spare"], rng)
    assert wrong == ["argument.size >= 3", "maybe != room.spare"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("argument.count > 9", "1 to 12"), ("limits.turns > 8", "2 to 8"), ("grade > 2", "0 to 2")],
)
def test_ranges_come_from_types_and_limits(text: str, said: str) -> None:
    found = settled_in(f'hook h on before_call {{ if {text} deny """No.""" }}')
    assert [one.help.startswith(f"`{text.split(' ')[0]}` is {said}.") for one in found] in ([True], [])
    assert bool(found) is (said != "1 to 12")


def settled_in(body: str) -> list[Diagnostic]:
    return [one for one in check(HEAD + body) if one.code == "HD310"]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("if calling(hold) and calling(drop)", "calling(hold) and calling(drop)"),
        ("if calling(drop) and argument.size > 3", "argument.size > 3"),
        ("if calling(drop) and not argument.size > 3", "argument.size > 3"),
        ("if called(hold) and not called(hold)", "called(hold) and not called(hold)"),
        ("if called(hold) or not called(hold)", "called(hold) or not called(hold)"),
        ("if false", "false"),
        ("if called(hold) and 1 > 2", "1 > 2"),
    ],
)
def test_the_smallest_part_is_underlined(body: str, fault: str) -> None:
    text = HEAD + f'hook h on before_call {{ {body} deny """No.""" }}'
    (found,) = settled_in(text.removeprefix(HEAD))
    assert at_fault(text, found) == fault


@pytest.mark.parametrize(
    "body",
    [
        "if true",
        "if calling(hold) and argument.count > 8",
        "if calling(hold) or calling(drop)",
        "if argument.size > 3",
        "if argument.size == argument.size",
        "if limits.pace > 2",
        "if maybe > 2",
    ],
)
def test_what_may_go_either_way_is_left_alone(body: str) -> None:
    assert settled_in(f'hook h on before_call {{ {body} deny """No.""" }}') == []


def test_a_rule_that_no_reply_can_keep_is_found() -> None:
    rules = """prompt system {
  section rules unordered {
    rule long \"\"\"Say much.\"\"\"
      check chars(reply) > 200
    rule short \"\"\"Say little.\"\"\"
      check chars(reply) <= limits.reply_chars
    rule some \"\"\"Say something.\"\"\"
      check chars(reply) > 100 and chars(reply) < 110
  }
}
"""
    text = HEAD[: HEAD.index("prompt system")] + rules
    (found,) = [one for one in check(text) if one.code == "HD310"]
    assert at_fault(text, found) == "chars(reply) > 200" and "at most 120 characters" in found.message
    assert text[found.labels[0].span.start :].startswith("reply_chars")


def test_a_branch_that_is_never_reached_is_found() -> None:
    def branch(text: str) -> list[str]:
        body = f'input a: string\ninput n: int(min: 1)\nprompt system {{ section p """{text}""" }}'
        whole_text = whole(body)
        return [at_fault(whole_text, one) for one in check(whole_text) if one.code == "HD310"]

    shown = "{{ a }}{{ n }}"
    assert branch('{% if a == "x" %}1{% elif a == "y" %}2{% else %}3{% endif %}' + shown) == []
    assert branch('{% if a == "x" %}1{% elif a == "x" %}2{% endif %}' + shown) == ['a == "x"']
    assert branch("{% if n > 0 %}1{% endif %}" + shown) == ["n > 0"]
    assert branch('{% if a == "x" %}{% if a == "x" %}1{% endif %}{% endif %}' + shown) == []


def test_a_range_reads_as_people_say_it() -> None:
    assert [str(one) for one in (Range(1, 4), Range(low=0), Range(high=3), Range(2, 2), Range(0.5, 1e7))] == [
        "1 to 4", "0 or more", "at most 3", "2", "0.5 to 10000000",
    ]  # fmt: skip
