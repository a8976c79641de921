"""Advice is given where a careful author would want it, and nowhere else."""

from pathlib import Path

import pytest

from harness_dsl.cli.repair import repair
from harness_dsl.lint.checking import checked
from harness_dsl.lint.examples import whole
from harness_dsl.syntax.checks.declarations import ENFORCED
from harness_dsl.syntax.source import read
from runtime.limits import Limits
from tests.language.helpers import at_fault, check

TOOL = 'tool get_quote(link_id: int) -> any { """Quote one product.""" }\n'


def faults(body: str, code: str) -> list[str]:
    """What is underlined by the findings with `code`."""
    text = whole(body)
    return [at_fault(text, found) for found in check(text) if found.code == code]


# ── HD218 ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_limits_that_the_runtime_keeps_are_known() -> None:
    assert set(ENFORCED) == set(Limits.__dataclass_fields__)


@pytest.mark.parametrize(
    ("body", "unread"),
    [
        ("limits { reply_char 60 }", ["reply_char"]),
        ("limits { reply_chars 60  turns 4  wall_ms 900 }", []),
        ('limits { pace 3 }\nprompt system { section p """{{ limits.pace }}""" }', []),
        ("limits { pace 3 }\nhook h on before_reply { if chars(reply) > limits.pace log }", []),
        ('limits { café 3 }\nprompt system { section p """{{ limits.cafe\u0301 }}""" }', []),
        ('module m "1.0.0"\nlimits { pace 3 }', []),
    ],
)
def test_a_limit_that_nothing_reads(body: str, unread: list[str]) -> None:
    assert faults(body, "HD218") == unread


def test_a_misspelt_limit_is_corrected_on_request(tmp_path: Path) -> None:
    path = tmp_path / "x.harness"
    path.write_text(whole("limits { reply_char 60 }"))
    assert repair(str(path)) == 0
    assert repair(str(path), unsafe=True) == 1
    assert "reply_chars 60" in path.read_text()


# ── HD219 ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "unused"),
    [
        ('prompt system { section p """Be kind.""" }', True),
        ('use prices.t\nprompt system { section p """Be kind.""" }', False),
        ('prompt system {\n  use prices.law\n  section p """Be kind."""\n}', False),
        ('use prices.t\nprompt system { section p """Ask {{ prices.t }}.""" }', False),
    ],
)
def test_an_import_of_which_nothing_is_used(body: str, unused: bool, tmp_path: Path) -> None:
    (tmp_path / "prices.harness").write_text(
        'module prices "1.0.0"\ntool t() -> any { """T.""" }\nprompt system { section law """L.""" }\n'
    )
    path = tmp_path / "x.harness"
    path.write_text('harness x "1.0.0"\nimport "prices.harness" as prices\n' + body)
    found = checked(read(path), str(path)).found
    assert ("HD219" in [one.code for one in found]) is unused
    assert [one for one in found if one.severity == "error"] == []


# ── HD411 ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("canonical", "wording", "said"),
    [
        ("Never promise a date.", "Promise a date.", "lacks a negation"),
        ("Promise a date.", "Never promise a date.", "adds a negation"),
        ("Never promise a date.", "Avoid promising a date.", ""),
        ("Don't shout.", "Speak softly, and do not shout.", ""),
        ("不要承诺日期。", "请承诺日期。", "lacks a negation"),
        ("不要承诺日期。", "避免承诺日期。", ""),
        ("观众问价格。", "观众问还有没有货。", ""),
        ("不超过六十个字。", "最多六十个字。", ""),
        ("这个不错。", "这个很好。", ""),
        ("Say 3 things.", "Say 4 things.", "lacks the number 3"),
        ("Say 3 things.", "Say three things.", ""),
        ("说3件事。", "说三件事。", ""),
        ("Say it.", "Say it in 10 words.", "adds the number 10"),
        ("Prices from 1,299 to 1.5", "From 1,299 up to 1.5 a piece", ""),
        ("It is a note.", "It is a notebook.", ""),
    ],
)
def test_a_wording_that_drifts(canonical: str, wording: str, said: str) -> None:
    body = f'prompt system {{ section p """{canonical}""" }}\nalternatives {{ section.p """{wording}""" }}'
    found = [one.message for one in check(whole(body)) if one.code == "HD411"]
    assert found == ([f"this wording {said}"] if said else [])


# ── HD508 ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("hook", "unguarded"),
    [
        ("", ["pay"]),
        ('hook h on before_call { if calling(pay) and not called(ask) deny """No.""" }', []),
        ('hook h on before_call { if not called(ask) deny """No.""" }', []),
        ('hook h on before_call { if calling(ask) deny """No.""" }', ["pay"]),
        ("hook h on before_call { if calling(pay) log }", ["pay"]),
        ('hook h on after_call { if calling(pay) deny """No.""" }', ["pay"]),
        ("hook h on before_call { if calling(pay) require ask }", []),
    ],
)
def test_a_call_that_cannot_be_undone(hook: str, unguarded: list[str]) -> None:
    tools = (
        'tool ask() -> any { """Ask.""" effect read }\ntool pay() -> any { """Pay.""" effect irreversible }\n'
    )
    assert faults(tools + hook, "HD508") == unguarded


# ── HD509, HD602 ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("condition", "vain"),
    [
        ("room.closed", True),
        ("true", True),
        ("count(room.names) > 2 and not room.closed", True),
        ('room.closed and reply contains "x"', False),
        ("count(number(reply)) > 0", False),
        ("not called(get_quote)", False),
        ("room.closed or loaded(s)", False),
        ("every price(reply) in results(get_quote)", False),
        ('(reply | trim) matches r"x"', False),
    ],
)
def test_a_retry_that_cannot_help(condition: str, vain: bool) -> None:
    body = (
        "type Room { closed: bool  names: string[] }\ninput room: Room\n"
        f'{TOOL}reply skill s {{ when """W.""" }}\n'
    )
    hook = f'hook h on before_reply {{ if {condition} retry """Again.""" }}'
    assert faults(body + hook, "HD509") == ([condition] if vain else [])
    assert faults(body + hook.replace("retry", "deny"), "HD509") == []


@pytest.mark.parametrize(
    ("inputs", "text", "found"),
    [
        ("input message: string", "Say {{ message }}", ["message"]),
        ("input 弹幕: string", "Say {{ 弹幕 }}", ["弹幕"]),
        ("input comments: string[]", "{% for c in comments %}{{ c }}{% endfor %}", ["comments"]),
        ("input message: string", '{% if message contains "?" %}It is a question.{% endif %}', []),
        ("input shop_name: string", "Say {{ shop_name }}", []),
    ],
)
def test_a_stranger_that_is_not_marked(inputs: str, text: str, found: list[str]) -> None:
    assert faults(f'{inputs}\nprompt system {{ section p """{text}""" }}', "HD602") == found


# ── HD707 ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "varied"),
    [
        (f'fixed {TOOL}alternatives {{ tool.get_quote named "q" }}', ["tool.get_quote"]),
        (f'fixed {TOOL}alternatives {{ tool.get_quote """Say a price.""" }}', ["tool.get_quote"]),
        (f'fixed {TOOL}alternatives {{ tool.get_quote.link_id named "n" }}', []),
        (
            'tool t(fixed a: int "A.", b: int) -> any { """T.""" }\n'
            'alternatives { tool.t.a named "x"  tool.t.b named "y"  tool.t.a.description """B.""" }',
            ["tool.t.a", "tool.t.a.description"],
        ),
        (
            'type Q { fixed a: int\n b: int }\nalternatives { type.Q.a named "x"  type.Q.b named "y" }',
            ["type.Q.a"],
        ),
        (
            'fixed reply skill s { when """W.""" do unordered { step a """A.""" fixed step b """B.""" } }\n'
            'alternatives { skill.s named "x"  skill.s.when """V."""\n'
            'skill.s.a """C."""  skill.s.b """D.""" }',
            ["skill.s", "skill.s.when", "skill.s.b"],
        ),
        (
            'hook h on before_reply { if chars(reply) > 9 deny fixed """No.""" }\n'
            'alternatives { hook.h """Not so.""" }',
            ["hook.h"],
        ),
        (
            'prompt system { section p unordered { fixed rule a """A."""\n rule b """B.""" }\n'
            '  section q fixed """Q.""" }\n'
            'alternatives { section.p.a """C."""  section.p.b """D."""\n'
            'section.q named "x"  section.q """R.""" }',
            ["section.p.a", "section.q"],
        ),
    ],
)
def test_what_is_fixed_and_varied(body: str, varied: list[str]) -> None:
    text = whole(body)
    found = [one for one in check(text) if one.severity == "error" or one.code == "HD707"]
    assert [at_fault(text, one) for one in found] == varied, found


# ── HD708, HD709, HD805, HD806 ─────────────────────────────────────────────────────────────────────────


def test_tools_and_skills_that_no_section_lists() -> None:
    skill = 'reply skill s { when """W.""" }\n'
    assert faults(TOOL + skill, "HD708") == ["get_quote", "s"]
    listed = "prompt system { section t catalog tools\n section s catalog skills }"
    assert faults(TOOL + skill + listed, "HD708") == []
    assert faults('module m "1.0.0"\n' + TOOL, "HD708") == []


def test_descriptions_that_are_said_twice() -> None:
    other = TOOL.replace("get_quote", "get_item")
    assert faults(TOOL + other, "HD709") == ['"""Quote one product."""']
    assert faults(TOOL + other.replace("Quote one", "Show one"), "HD709") == []
    again = other.replace("Quote one product.", "\n  quote  one\n  PRODUCT.\n")
    assert len(faults(TOOL + again, "HD709")) == 1
    skills = 'reply skill a { when """W.""" }\nreply skill b { when """W.""" }'
    assert faults(skills, "HD709") == ['"""W."""']


def test_skills_that_no_test_expects() -> None:
    skills = 'reply skill a { when """A.""" }\nreply skill b { when """B.""" }\n'
    assert faults(skills, "HD805") == []
    test = 'test "t" { user "u"  expect skill a  expect no skill b }'
    assert faults(skills + test, "HD805") == ["b"]


@pytest.mark.parametrize(
    ("expectations", "opposed"),
    [
        ("expect call t(a: 1)  expect no call t", ["expect no call t"]),
        ("expect no call t(a: 1)  expect call t(a: 1, b: 2)", ["expect no call t(a: 1)"]),
        ("expect no call t(a: 1)  expect call t(b: 2)", []),
        ("expect no call t(a: 1)  expect call t(a: 2)", []),
        ("expect call t  expect no call u", []),
        ("expect skill s  expect no skill s", ["expect no skill s"]),
    ],
)
def test_expectations_that_no_turn_can_keep(expectations: str, opposed: list[str]) -> None:
    body = (
        'tool t(a: int, b: int = 1) -> any { """T.""" }\ntool u() -> any { """U.""" }\n'
        f'reply skill s {{ when """W.""" }}\ntest "x" {{ user "u"  {expectations} }}'
    )
    assert faults(body, "HD806") == opposed


@pytest.mark.parametrize("name", ["live_shop", "course_tutor", "bank_desk"])
def test_the_examples_are_left_alone(name: str) -> None:
    folder = Path(__file__).resolve().parents[2] / "examples" / name
    for path in sorted(folder.rglob("*.harness")):
        found = checked(read(path), str(path)).found
        assert [one for one in found if one.severity != "info"] == []
