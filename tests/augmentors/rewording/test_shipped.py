"""The banks of the examples hold, are drawn from, and say what the rules make of real texts."""

import re
from pathlib import Path

import pytest

from augmentors.coverage import Coverage
from augmentors.index import index
from augmentors.policy import Policy
from augmentors.rewording.banked import beside, with_banks
from augmentors.rewording.rewriter import rewordings
from augmentors.rows import Recipe, make
from augmentors.verifying import Against, failing
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.syntax.opening import open_harness

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SHIPPED = ["live_shop/shop.harness", "bank_desk/desk.harness", "course_tutor/tutor.harness"]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_bank_is_drawn_from_and_verified(name: str) -> None:
    opened = open_harness(EXAMPLES / name)
    bank = with_banks(opened.core, [beside(EXAMPLES / name)])
    recipe = Recipe(bank.core, opened.surface, Policy.of({"wordings": {}, "language": {}}), 1, bank=bank)
    made = [make(recipe, row) for row in range(14)]
    against = Against(opened.core, opened.surface, again=True, bank=bank)
    assert [*failing(against, [(at, one.line) for at, one in enumerate(made)], Coverage())] == []
    plain = {text.id for text in index(opened.core).texts.values() if text.alternatives}
    worded = {id_ for one in made for step in one.certificate.operators for id_ in step.changed}
    assert len(worded) >= max(28, 3 * len(plain)), "most of them have no other wording without the bank"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_rules_reword_most_texts_of_an_example(name: str) -> None:
    known = index(open_harness(EXAMPLES / name).core)
    free = [text for text in known.texts.values() if text.id not in known.frozen]
    made = [[*rewordings(text, 0, 1)] for text in free]
    assert not any(one.refused for some in made for one in some), "what a rule makes passes the checks"
    assert sum(map(bool, made)) >= 0.55 * len(free)


def test_the_rules_reword_the_lines_that_say_when_real_skills_are_used(corpora: Path) -> None:
    lines = [
        found[1]
        for path in sorted((corpora / "skills").glob("*/*/SKILL.md"))
        if (found := re.search(r"^description: *[\"']?([^\n]{20,}?)[\"']?$", path.read_text("utf-8"), re.M))
    ]
    assert len(lines) > 60
    worded = 0
    for at, line in enumerate(lines):
        text = Text(id=f"skill/s{at}/when", canonical=(Literally(text=line),))
        made = [*rewordings(text, 0, 2)]
        assert not any(one.refused for one in made), line
        worded += bool(made)
    assert worded >= 0.8 * len(lines)
