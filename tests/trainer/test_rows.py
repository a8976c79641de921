"""Training rows: what is trained is what the protocol says the model produced, and both arms see the same
tasks.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from augmentors.policy import Policy
from harness_dsl.protocol import Protocol
from trainer.sft.collate import IGNORED, Collator, DataFault, Row, check_row, row_of
from trainer.sft.config import ConfigError, SftConfig
from trainer.sft.rows import DrawnRow, RowSource, open_rows
from trainer.simulator.conversation import solve
from trainer.simulator.tasks import draw_task, kinds_for

POLICY = Path(__file__).parents[2] / "examples" / "live_shop" / "configs" / "hsa.policy.yaml"


def general(rng: random.Random) -> tuple[Sequence[int], Sequence[int]]:
    return [rng.randint(300, 400), 5], [IGNORED, 5]


def source(mini: Any, tokenizer: Any, **settings: Any) -> RowSource:
    here = Path("unused")
    config = SftConfig(harness=here, base=here, out=here, **{"steps": 10, "turns": 3, **settings})
    return RowSource(config, mini, Policy.load(POLICY), tokenizer, general)


def harness_rows(rows: RowSource, n: int) -> list[DrawnRow]:
    return [row for row in map(rows.row, range(n)) if row.origin]


@pytest.mark.parametrize("hsa", [True, False])
def test_labels_of_a_batch_are_the_protocols_mask(hsa: bool, mini: Any, tokenizer: Any) -> None:
    rows = source(mini, tokenizer, hsa=hsa, general_share=0.0)
    task = draw_task(4, "train", kinds_for(mini.core), turns=4)
    protocol = Protocol(mini.core, mini.surface, tokenizer)
    tokens = protocol.replay(solve(mini.core, task, mini.run))
    drawn = [row_of(protocol, tokens, "given"), *(row.row for row in harness_rows(rows, 4))]
    batch = Collator(tokenizer.pad_id, tokenizer.eos_id, 1024)(drawn)
    length = len(tokens.ids)
    for at, (token, segment) in enumerate(zip(tokens.ids, protocol.mask(tokens), strict=True)):
        assert batch["input_ids"][0, at] == token
        assert batch["labels"][0, at] == (token if segment else IGNORED)
    assert (batch["labels"][0, length:] == IGNORED).all()
    for row, ids, labels in zip(drawn, batch["input_ids"], batch["labels"], strict=True):
        trained = labels != IGNORED
        assert (ids[trained] == labels[trained]).all() and trained[len(row.ids) :].sum() == 0


def test_every_model_turn_is_trained_with_its_end_and_nothing_else_is(mini: Any, tokenizer: Any) -> None:
    rows = harness_rows(source(mini, tokenizer, general_share=0.0), 6)
    for drawn in rows:
        text = tokenizer.decode([label for label in drawn.row.labels if label != IGNORED])
        outputs = text.split("<|im_end|>")
        assert outputs.pop() == ""
        assert 3 <= len(outputs) <= 6
        assert "<|im_start|>" not in text and "<tool_response>" not in text


def test_known_bug_44_the_tools_that_are_called_stand_in_the_prompt(mini: Any, tokenizer: Any) -> None:
    for drawn in harness_rows(source(mini, tokenizer, general_share=0.0), 12):
        text = tokenizer.decode(drawn.row.ids)
        prompt, conversation = text.split("<|im_end|>", 1)
        called = [piece.split('"')[0] for piece in conversation.split('{"name": "')[1:]]
        assert all(f"\n{name}(" in prompt for name in called)


def test_a_row_without_its_prompt_would_be_noticed(mini: Any, tokenizer: Any) -> None:
    drawn = harness_rows(source(mini, tokenizer, general_share=0.0, turns=6), 1)[0]
    bare = tokenizer.decode(drawn.row.ids).split("<|im_end|>", 1)[1]
    called = [piece.split('"')[0] for piece in bare.split('{"name": "')[1:]]
    assert called and not any(f"\n{name}(" in bare for name in called)


def test_row_n_is_the_same_whoever_draws_it(mini: Any, tokenizer: Any) -> None:
    one, other = source(mini, tokenizer), source(mini, tokenizer)
    for index in range(20):
        one.row(index)
    assert one.row(7) == other.row(7)
    assert one.row(7) != one.row(8)
    assert source(mini, tokenizer, seed=1).row(7) != one.row(7)


def test_both_arms_see_the_same_questions_and_general_rows(mini: Any, tokenizer: Any) -> None:
    def questions(row: DrawnRow) -> list[str]:
        pieces = tokenizer.decode(row.row.ids).split("<|im_start|>user\n")[1:]
        return [piece.split("<|im_end|>")[0] for piece in pieces if not piece.startswith("<tool_response>")]

    fixed = [source(mini, tokenizer, hsa=False).row(index) for index in range(30)]
    hsa = [source(mini, tokenizer, hsa=True).row(index) for index in range(30)]
    assert [row.row for row in fixed if not row.origin] == [row.row for row in hsa if not row.origin]
    assert [questions(row) for row in fixed] == [questions(row) for row in hsa]
    assert len({row.origin.surface_digest for row in fixed if row.origin}) == 1
    assert len({row.origin.surface_digest for row in hsa if row.origin}) > 20


def test_general_rows_come_in_the_share_that_is_asked_for(mini: Any, tokenizer: Any) -> None:
    rows = source(mini, tokenizer, hsa=False, general_share=0.3, turns=1)
    share = sum(rows.row(index).origin is None for index in range(400)) / 400
    assert 0.22 < share < 0.38


def test_known_bug_42_a_mask_that_forgets_the_end_token_is_refused(mini: Any, tokenizer: Any) -> None:
    row = harness_rows(source(mini, tokenizer, general_share=0.0), 1)[0].row
    check_row(row, end_id=tokenizer.eos_id, max_length=1024)
    forgetful: Row = replace(
        row, labels=tuple(IGNORED if label == tokenizer.eos_id else label for label in row.labels)
    )
    with pytest.raises(DataFault, match="never trained"):
        check_row(forgetful, end_id=tokenizer.eos_id, max_length=1024)


def test_a_policy_that_names_what_the_harness_has_not_is_refused(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("operators:\n  remove-tool: {tools: [tool/none]}\n", "utf-8")
    harness = POLICY.parents[1] / "shop_mini.harness"
    config = SftConfig(harness=harness, base=tmp_path, out=tmp_path, steps=10, policy=policy)
    with pytest.raises(ConfigError, match="the harness has no `tool/none`"):
        open_rows(config)
