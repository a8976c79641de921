"""Every rule does what its examples say, changes no reference, and keeps what the checks ask for."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.rewording import rewriter
from augmentors.rewording.checks import refusals
from augmentors.rewording.prose import read, spell
from augmentors.rewording.rewriter import rewordings, role_of
from augmentors.rewording.rule import LITERAL, OTHER, SKILL, TOOL, Rule
from augmentors.rewording.rules import RULES
from harness_dsl.ir.core import Core
from harness_dsl.ir.texts import Literally, Reference, Template, Text
from harness_dsl.ir.walk import parts, texts
from tests.augmentors.rewording.writable import writable
from tests.strategies import cores, small_shop

LETTERS = {"T": TOOL[0], "S": SKILL[0], "O": OTHER[0], "L": LITERAL[0]}
CORE, _ = small_shop()


def sentence(example: str) -> str:
    return re.sub(r"(?<![A-Za-z])[TSOL](?![A-Za-z])", lambda letter: LETTERS[letter[0]], example)


def plain(text: str) -> Template:
    return (Literally(text=text),)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_does_what_its_examples_say_and_passes_the_checks(rule: Rule) -> None:
    assert rule.examples
    for before, after in rule.examples:
        assert rule.apply(sentence(before)) == sentence(after)
        assert [*refusals(plain(sentence(before)), plain(sentence(after)))] == []


def test_rules_have_names_of_their_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_rule_keeps_every_reference_of_any_sentence() -> None:
    """On the examples of all rules of its language, not only where it is meant to fit."""
    marks = re.compile(r"[\ue000-\uf8ff]")
    for rule in RULES:
        for other in RULES:
            for before, _ in other.examples if other.language == rule.language else ():
                changed = rule.apply(sentence(before))
                assert sorted(marks.findall(changed)) == sorted(marks.findall(sentence(before))), rule.name


def kept(text: Text, core: Core) -> int:
    """The laws of a rewording, for one text; gives how many there were."""
    found = [*rewordings(text, 3, 3)]
    assert found == [*rewordings(text, 3, 3)], "equal seeds give equal wordings"
    for one in found:
        assert one.template != text.canonical and one.rules
        assert references(one.template) == references(text.canonical)
        assert bool(one.refused) == any(refusals(text.canonical, one.template))
        assert read(spell(one.template), core, text.canonical) == one.template
    assert len({spell(one.template) for one in found}) == len(found)
    return len(found)


def references(template: Template) -> list[str]:
    return sorted(part.target for part in parts(template) if isinstance(part, Reference))


@given(cores())
@settings(max_examples=8)
def test_texts_of_generated_harnesses_keep_the_laws(core: Core) -> None:
    for text in filter(writable, texts(core)):
        kept(text, core)


PROSE = [
    "先用 T 查价，再报价。不要承诺日期；查不到就直说。",
    "Before you say a price, call T. Never promise a date.",
    "问价格用 T，问库存用 T。Use T to look up the price.",
    '请客户回复“T”，再用 `T` 查。Never say "T" before you call **T**.',
    "- Do not guess.\n- Ask again if the number is missing.\n\n```\ndo not change this\n```\n",
]


@given(st.lists(st.sampled_from(PROSE), min_size=1, max_size=3), st.integers(0, 99))
@settings(max_examples=20)
def test_texts_with_references_keep_the_laws(some: list[str], seed: int) -> None:
    template: list[Literally | Reference] = []
    for at, piece in enumerate("\n\n".join(some).split("T")):
        if at:
            template.append(Reference(target="tool/get_quote"))
        template.append(Literally(text=piece))
    text = Text(id="skill/s/step/1", canonical=tuple(template))
    assert kept(text, CORE) > 0
    for one in rewordings(text, seed, 2):
        code = [piece.text for piece in one.template if isinstance(piece, Literally) and "```" in piece.text]
        assert all("do not change this" in piece for piece in code)


def test_a_rule_that_loses_a_negation_makes_nothing_that_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin."""
    losing = Rule("en.twin", "en", "twin", re.compile(r"never ", re.IGNORECASE), "", ())
    monkeypatch.setattr(rewriter, "RULES", (losing,))
    text = Text(id="skill/s/step/1", canonical=plain("We never promise a date."))
    found = [*rewordings(text, 0, 3)]
    assert found and all([one.code for one in wording.refused] == ["HD724"] for wording in found)


def test_other_seeds_give_other_wordings() -> None:
    text = Text(id="skill/s/step/1", canonical=plain(PROSE[1] + " 还没核对就必须先问清。"))
    chosen = {spell(next(rewordings(text, seed, 1)).template) for seed in range(12)}
    assert len(chosen) >= 3


def test_what_a_text_does_is_told_by_its_id() -> None:
    roles = {role_of(text.id) for text in texts(CORE)}
    assert {"description", "when", "step", "rule", "section", "message"} >= roles
    with pytest.raises(ValueError, match="no text"):
        role_of("tool/get_quote")


def test_letters_of_private_use_are_left_alone() -> None:
    text = Text(id="skill/s/step/1", canonical=plain("Never say \ue000 or \uec00."))
    assert [*rewordings(text, 0, 3)] == []


def test_shouted_words_and_the_middle_of_sentences_stay() -> None:
    rule = next(rule for rule in RULES if rule.name == "en.do-not")
    assert rule.apply("Do NOT wait.") == "Do NOT wait."
    assert rule.apply("do not wait.") == "do not wait."


@pytest.mark.parametrize(
    "asked",
    [
        "Tell the reader until when the loan runs now.",
        "Ask the viewer if the size fits.",
        "Tell the viewer when the order arrives.",
        "Keep the book until after the holiday ends.",
    ],
)
def test_clauses_that_ask_stay_behind_what_asks_them(asked: str) -> None:
    assert [rule.name for rule in RULES if rule.name.endswith("-first") and rule.apply(asked) != asked] == []
