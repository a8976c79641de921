"""Every example is what its reader expects: clean, formatted, tested, varied and taken elsewhere."""

import json
from pathlib import Path

import pytest

from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.cli.main import main
from harness_dsl.exchange.exporting import TARGETS, Target, export
from harness_dsl.ir.core import Core, Span
from tests.examples.bench import EXAMPLES, MAIN, WORLD, main_file, opened, results, versions, world

HARNESSES = sorted(EXAMPLES.rglob("*.harness"))
NO_SKILL_FOLDER = "is no name for a skill: 1 to 64 of a-z and 0-9, in words joined by `-`"
"""What the target `agent-skills` says of a skill that is named in snake_case."""


@pytest.mark.parametrize("example", MAIN)
def test_it_has_what_an_example_is_to_show(example: str) -> None:
    core, text = opened(example).core, main_file(example).read_text("utf-8")
    assert len(core.tests) >= 10
    assert {hook.event for hook in core.hooks} >= {"before_call", "before_reply"}
    assert "import " in text and "\nuse " in text and "\noverride " in text
    rules = [item for section in core.prompt.sections for item in getattr(section.content, "items", ())]
    assert sum(rule.check is not None for rule in rules) >= 3
    assert {tool.effect for tool in core.tools} == {"read", "write", "irreversible"}


@pytest.mark.parametrize("path", HARNESSES, ids=[path.stem for path in HARNESSES])
def test_it_is_clean_and_formatted(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--info", "--format", "json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["fmt", "--check", str(path)]) == 0


@pytest.mark.parametrize("example", MAIN)
def test_its_tests_pass(example: str) -> None:
    assert {title: found.problems for title, found in results(example).items() if not found.passed} == {}


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize("example", MAIN)
def test_its_tests_pass_wherever_its_limits_may_be_moved(example: str, row: int) -> None:
    loaded = opened(example)
    policy = Policy.of({"limits": {}, "rename": {}, "wordings": {}})
    variant = draw(loaded.core, loaded.surface, policy, seed=5, row=row)
    assert variant.core.limits != loaded.core.limits
    found = results(example, tightest(variant.core), surface=variant.surface)
    assert {title: one.problems for title, one in found.items() if not one.passed} == {}


def tightest(core: Core) -> Core:
    """`core` with the shortest replies and the fewest calls that its limits allow."""
    limits = [
        limit.model_copy(update={"value": int(limit.legal.min)}) if isinstance(limit.legal, Span) else limit
        for limit in core.limits
    ]
    return core.model_copy(update={"limits": tuple(limits)})


@pytest.mark.parametrize("example", MAIN)
def test_every_tool_is_called_and_every_reply_skill_loaded_by_a_test(example: str) -> None:
    core = opened(example).core
    expected = json.dumps([test.model_dump(mode="json") for test in core.tests])
    tools = [tool.id for tool in core.tools if f'"{tool.id}"' not in expected]
    skills = [skill.id for skill in core.skills if skill.role == "reply" and f'"{skill.id}"' not in expected]
    assert (tools, skills) == ([], [])


@pytest.mark.parametrize("example", MAIN)
def test_its_variants_hold(example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    assert main(["augment", str(main_file(example)), "-n", "50", "--seed", "3", "-o", str(rows)]) == 0
    assert main(["verify", str(rows), "--harness", str(main_file(example))]) == 0
    assert "50 of 50 rows hold" in capsys.readouterr().err


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("example", MAIN)
def test_every_target_takes_it(example: str, target: Target) -> None:
    core, surface = opened(example).core, opened(example).surface
    found = export(core, surface, target)
    if target == "agent-skills" and example != "bank_desk":
        assert {fault.symbol for fault in found.faults} == {
            skill.id for skill in core.skills if "_" in skill.id
        }
        assert all(fault.reason.endswith(NO_SKILL_FOLDER) for fault in found.faults)
        found = export(core, surface, target, sanitise=True)
    assert found.faults == []
    assert found.document or found.text or found.files


@pytest.mark.parametrize("example", MAIN)
def test_it_compiles_from_the_command_line(example: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert main(["compile", str(main_file(example)), "-o", str(out)]) == 0
    assert Core.model_validate(json.loads(out.read_text("utf-8"))["core"]) == opened(example).core


@pytest.mark.parametrize(
    ("example", "fixture", "shown"),
    [
        ("live_shop", "rooms/beauty.yaml", "3号 玻尿酸补水面膜"),
        ("live_shop", "rooms/clothes.yaml", "1号 亚麻衬衫 Linen shirt"),
        ("course_tutor", "courses/statistics.yaml", "1.2 方差与标准差"),
        ("course_tutor", "courses/python.yaml", "1.2 Loops"),
        ("bank_desk", "desks/arrived.yaml", "会话开始时身份未核对"),
        ("bank_desk", "desks/visitor.yaml", "Riverside Bank"),
    ],
)
def test_it_is_shown_in_both_languages(example: str, fixture: str, shown: str) -> None:
    protocol = versions(example).of(opened(example).core, opened(example).surface).protocol
    assert shown in protocol.render({WORLD[example]: world(example, fixture)}).text
