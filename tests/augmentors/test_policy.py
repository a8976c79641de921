"""Policies: what can be written, and what is said about mistakes in one."""

from pathlib import Path

import pytest

from augmentors.policy import Policy, PolicyError
from augmentors.registry import OPERATORS


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
        ("operators: {rename: {probability: 2}}", "probability"),
        ("operators: {rename: {share: 0}}", "share"),
        ("original: 3", "original"),
        ("original: yes", "original"),
        ("operators: [rename]", "mapping"),
        ("operators: {rename: 3}", "mapping"),
        ("just text", "mapping"),
        ("a: [1", ":1:"),
        ("operators: {rename: {}, rename: {}}", "rename"),
    ],
)
def test_a_mistake_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "policy.yaml" in str(caught.value)


def test_a_file_that_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="No such file"):
        Policy.load(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("original: \xe9".encode("latin-1"))
    with pytest.raises(PolicyError, match="UTF-8"):
        Policy.load(tmp_path / "latin.yaml")


def test_yaml_runs_no_code(tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        load(tmp_path, "original: !!python/object/apply:os.getcwd []")


def test_the_default_policy_changes_how_a_harness_is_shown_and_nothing_else() -> None:
    names = {choice.operator for choice in Policy.default().operators}
    assert names == {name for name, operator in OPERATORS.items() if operator.kind != "oracle-changing"}


def test_another_pool_reaches_every_operator_that_has_one() -> None:
    policy = Policy.of({"rename": {}, "limits": {}, "reorder": {}}).with_pool("held-out")
    pools = {choice.operator: choice.parameters.get("pool") for choice in policy.operators}
    assert pools == {"rename": "held-out", "limits": "held-out", "reorder": None}
