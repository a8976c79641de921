"""Policies: what can be written, and what is said about mistakes in one."""

from pathlib import Path

import pytest

from augmentors.policy import Policy, PolicyError
from augmentors.policy_names import check_names
from augmentors.registry import OPERATORS
from augmentors.variants import draw
from tests.strategies import small_shop


def load(tmp_path: Path, text: str) -> Policy:
    path = tmp_path / "policy.yaml"
    path.write_text(text, "utf-8")
    return Policy.load(path)


def test_a_policy_file_is_read(tmp_path: Path) -> None:
    policy = load(
        tmp_path,
        """
        original: 0.2
        operators:
          reorder: {probability: 0.5, lists: [tools]}
          rename: {probability: 0.8, pool: held-out, swap: 0.1}
        """,
    )
    assert policy.original == 0.2
    assert [choice.operator for choice in policy.operators] == ["rename", "reorder"]
    assert policy.operators[0].probability == 0.8
    assert policy == Policy.of(
        {
            "rename": {"probability": 0.8, "pool": "held-out", "swap": 0.1},
            "reorder": {"probability": 0.5, "lists": ["tools"]},
        },
        original=0.2,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("operators: {renaem: {}}", "did you mean `rename`"),
        ("operatrs: {}", "did you mean `operators`"),
        ("operators: {rename: {pol: train}}", "did you mean `pool`"),
        ("operators: {rename: {pool: tain}}", "train"),
        ("operators: {rename: {probability: 2}}", "`probability` must be at most 1"),
        ("operators: {rename: {share: 0}}", "share"),
        ("operators: {rename: {probability: true}}", "`probability` must be a number"),
        ('operators: {rename: {probability: "0.5"}}', "`probability` must be a number"),
        ("operators: {rename: {probability: .nan}}", "`probability` must be a number"),
        ("operators: {rename: {share: true}}", "`share` must be a number"),
        ("operators: {merge-tools: {most: true}}", "`most` must be a whole number"),
        ('operators: {merge-tools: {most: "3"}}', "`most` must be a whole number"),
        ("operators: {merge-tools: {most: 1}}", "`most` must be at least 2"),
        ("operators: {feedback: {alike: 1}}", "`alike` must be true or false"),
        ("operators: {hooks: {tested: {hook/a: [true]}}}", "`tested.hook/a.0` must be a whole number"),
        ("operators: {markup: {forms: xml}}", "`forms` must be a list"),
        ("operators: {markup: {forms: []}}", "`forms` must have at least 1"),
        ("operators: {remove-tool: {tools: [2024-01-01]}}", "no number, text, list or mapping"),
        ("original: 3", "original"),
        ("original: .nan", "`original` must be a number"),
        ("original: yes", "original"),
        ("operators: [rename]", "mapping"),
        ("operators: {rename: 3}", "mapping"),
        ("just text", "mapping"),
        ("a: [1", ":1:"),
        ("operators: {rename: {}, rename: {}}", "the key `rename` stands twice"),
    ],
)
def test_a_mistake_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "policy.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "where", "marked"),
    [
        ("operators:\n  rename: {}\n  renaem: {}\n", ":3:3: ", "renaem"),
        ("original: 0.1\noperatrs: {}\n", ":2:1: ", "operatrs"),
        ("operators:\n  rename: {pool: train,\n    pol: train}\n", ":3:5: ", "pol"),
        ("operators:\n  rename: {probability: 2}\n", ":2:12: ", "probability"),
        ("operators:\n  rename: {probability: true}\n", ":2:12: ", "probability"),
        ("operators:\n  rename: {kinds: [tool, tol]}\n", ":2:26: ", "tol"),
        ("# 中\noriginal: 3\n", ":2:1: ", "original"),
        ("operators:\n- rename\n", ":1:1: ", "operators"),
    ],
)
def test_a_mistake_is_said_at_its_place(tmp_path: Path, text: str, where: str, marked: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load(tmp_path, text)
    assert f"policy.yaml{where}" in str(caught.value)
    line, marks = caught.value.excerpt.split("\n")
    at = marks.index("^")
    assert line[at : at + marks.count("^")] == marked


@pytest.mark.parametrize(
    ("operator", "where", "said"),
    [
        ("remove-tool: {tools: [tool/get_itm]}", ":2:25: ", "did you mean `tool/get_item`?"),
        ("flatten-parameter: {tools: [tool/get_item, tool/z]}", ":2:46: ", "no `tool/z`; known are `tool/"),
        ("limits: {only: {limit/replychars: [1]}}", ":2:19: ", "did you mean `limit/reply_chars`?"),
        ("hooks: {tested: {hook/z: [1]}}", ":2:20: ", "no `hook/z`"),
        ("hooks: {tested: {hook/price_is_quoted: [1, 2]}}", ":2:46: ", "has no implementation 2: it has 1"),
        ("hooks: {tested: {hook/no_links: [1]}}", ":2:36: ", "none beside its condition"),
        ("hooks: {tested: {hook/price_is_quoted: [0]}}", ":2:43: ", "has no implementation 0"),
        ("add-rule: {only: [thanks_last, no_brakets]}", ":2:34: ", "did you mean `no_brackets`?"),
    ],
)
def test_what_is_not_there_is_said_at_its_place(tmp_path: Path, operator: str, where: str, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy = load(tmp_path, f"operators:\n  {operator}\n")
        check_names(policy, small_shop()[0], tmp_path / "policy.yaml")
    assert f"policy.yaml{where}`" in str(caught.value)
    assert said in str(caught.value)
    assert "^" in caught.value.excerpt


def test_what_is_there_may_be_named(tmp_path: Path) -> None:
    operators = {
        "remove-tool": {"tools": ["tool/get_item"]},
        "add-rule": {"only": ["no_brackets"]},
        "hooks": {"tested": {"hook/price_is_quoted": [1]}},
        "limits": {"only": {"limit/opener": ["喂"]}},
    }
    check_names(Policy.of(operators), small_shop()[0], tmp_path / "none.yaml")


def test_a_file_that_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no such file"):
        Policy.load(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("original: \xe9".encode("latin-1"))
    with pytest.raises(PolicyError, match="UTF-8"):
        Policy.load(tmp_path / "latin.yaml")


def test_yaml_runs_no_code(tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        load(tmp_path, "original: !!python/object/apply:os.getcwd []")


def test_the_default_policy_changes_how_a_harness_is_shown_and_nothing_else() -> None:
    names = {choice.operator for choice in Policy.default().operators}
    assert {OPERATORS[name].kind for name in names} == {"preserving", "task-relative"}
    # What came after rows were recorded is drawn where a policy names it.
    assert names == {"rename", "wordings", "hide", "distractors", "reorder", "markup", "tool-docs"}


def test_another_pool_reaches_every_operator_that_has_one() -> None:
    policy = Policy.of({"rename": {}, "limits": {}, "reorder": {}}).with_pool("held-out")
    pools = {choice.operator: choice.parameters.get("pool") for choice in policy.operators}
    assert pools == {"rename": "held-out", "limits": "held-out", "reorder": None}


def test_another_pool_reaches_an_operator_that_has_drawn_already() -> None:
    core, surface = small_shop()
    policy = Policy.of({"rename": {"probability": 1.0}})
    draw(core, surface, policy, 0, 0)
    expected = draw(core, surface, Policy.of({"rename": {"pool": "held-out"}}), 0, 0)
    assert draw(core, surface, policy.with_pool("held-out"), 0, 0).surface == expected.surface


def test_another_pool_replaces_words_and_values_of_its_own() -> None:
    policy = Policy.of({"limits": {"only": {"limit/opener": ["宝子"]}}}).with_pool("held-out")
    assert policy.operators[0].parameters == {"pool": "held-out"}


def test_words_of_one_s_own_replace_the_shipped_ones() -> None:
    core, surface = small_shop()
    words = {
        "verbs": ["do"],
        "nouns": [f"thing{number}" for number in range(9)],
        "params": ["what"],
        "param_tails": ["now"],
        "skill_verbs": ["talk"],
        "skill_tails": ["well"],
    }
    settings = {"words": words, "related": 0, "declared": 0, "kinds": ["tool"], "styles": ["snake"]}
    names = draw(core, surface, Policy.of({"rename": settings}), 0, 0).surface.names
    assert all(names[tool.id].startswith("do_thing") for tool in core.tools)


def test_limits_may_be_given_the_values_to_draw_from() -> None:
    core, surface = small_shop()
    policy = Policy.of({"limits": {"only": {"limit/opener": ["宝子", "喂"], "limit/reply_chars": [31, 500]}}})
    for row in range(10):
        limits = draw(core, surface, policy, 0, row).certificate.limits
        assert limits == {"limit/opener": "宝子", "limit/reply_chars": 31}
