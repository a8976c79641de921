"""The loss of the SFT trainer: equal to a slow reference and to TRL's own, whatever the padding."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def model() -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=50,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def batch() -> dict[str, Any]:
    from trainer.sft.collate import Collator, Row

    rows = [
        Row((5, 6, 7, 8, 1, 9, 10, 1), (-100, -100, 7, 8, 1, -100, 10, 1), "long"),
        Row((5, 6, 11, 1), (-100, -100, 11, 1), "short"),
    ]
    return dict(Collator(pad_id=0, end_id=1, max_length=16)(rows))


def reference(model: Any, rows: dict[str, Any]) -> float:
    """Token by token, each row alone and without padding."""
    total, count = 0.0, 0
    for ids, labels, present in zip(rows["input_ids"], rows["labels"], rows["attention_mask"], strict=True):
        length = int(present.sum())
        logits = model(ids[None, :length]).logits[0].double()
        for at in range(1, length):
            if labels[at] != -100:
                total -= float(torch.log_softmax(logits[at - 1], -1)[labels[at]])
                count += 1
    return total / count


def learner(model: Any, out: Path, kind: Any) -> Any:
    from datasets import Dataset
    from trl import SFTConfig

    arguments = SFTConfig(
        output_dir=str(out), use_cpu=True, bf16=False, gradient_checkpointing=False, report_to="none",
        max_length=None, dataset_kwargs={"skip_prepare_dataset": True}, remove_unused_columns=False,
    )  # fmt: skip
    return kind(
        model=model, args=arguments, train_dataset=Dataset.from_dict({"input_ids": [[1]], "labels": [[1]]}),
        data_collator=lambda rows: rows, processing_class=_tokenizer(),
    )  # fmt: skip


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.WordLevel({"<pad>": 0, "<end>": 1}, unk_token="<pad>"))
    return PreTrainedTokenizerFast(tokenizer_object=core, pad_token="<pad>", eos_token="<end>")


def test_loss_equals_the_slow_reference(model: Any, tmp_path: Path) -> None:
    from trainer.sft.learner import Learner

    rows = batch()
    wanted = reference(model, rows)
    ours = learner(model, tmp_path, Learner).compute_loss(model, rows)
    assert float(ours) == pytest.approx(wanted, abs=1e-5)


def test_loss_is_the_one_that_trl_computes(model: Any, tmp_path: Path) -> None:
    from trl import SFTTrainer

    from trainer.sft.learner import Learner

    theirs = learner(model, tmp_path, SFTTrainer).compute_loss(model, batch())
    ours = learner(model, tmp_path, Learner).compute_loss(model, batch())
    assert float(ours) == pytest.approx(float(theirs), abs=1e-5)


def test_a_step_of_several_batches_weighs_every_token_alike(model: Any, tmp_path: Path) -> None:
    from trainer.sft.learner import Learner

    trainer = learner(model, tmp_path, Learner)
    rows = batch()
    trained = int((rows["labels"][:, 1:] != -100).sum())
    halves = [{key: value[index : index + 1] for key, value in rows.items()} for index in range(2)]
    parts = sum(float(trainer.compute_loss(model, half, num_items_in_batch=trained)) for half in halves)
    assert parts == pytest.approx(float(trainer.compute_loss(model, rows)), abs=1e-5)


def test_a_loss_over_all_tokens_would_be_noticed(model: Any) -> None:
    rows = batch()
    careless = model(input_ids=rows["input_ids"], labels=rows["input_ids"]).loss
    assert float(careless) != pytest.approx(reference(model, rows), abs=1e-3)
