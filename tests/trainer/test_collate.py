"""Batches: padding is never trained, and rows that would waste a run are refused."""

import pytest

torch = pytest.importorskip("torch")

from trainer.sft.collate import IGNORED, Collator, DataFault, Row, check_row  # noqa: E402

PAD, END = 0, 1


def row(*labels: int, ids: tuple[int, ...] | None = None) -> Row:
    return Row(ids or tuple(7 if label == IGNORED else label for label in labels), labels, "row 3")


def test_padding_is_on_the_right_and_not_trained() -> None:
    batch = Collator(PAD, END, 8)([row(IGNORED, 5, END), row(IGNORED, IGNORED, 5, 6, END)])
    assert batch["input_ids"].tolist() == [[7, 5, END, PAD, PAD], [7, 7, 5, 6, END]]
    assert batch["labels"].tolist() == [[IGNORED, 5, END, IGNORED, IGNORED], [IGNORED, IGNORED, 5, 6, END]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (row(IGNORED, IGNORED, IGNORED), "the loss mask is empty"),
        (row(IGNORED, 5, 6), "the end token 1 is never trained"),
        (row(*[IGNORED] * 8, END), "9 tokens, more than max_length 8"),
        (Row((1, 2), (1,), "row 3"), "2 ids but 1 labels"),
    ],
)
def test_known_bug_42_a_faulty_mask_stops_the_run(bad: Row, said: str) -> None:
    with pytest.raises(DataFault, match="row 3") as caught:
        Collator(PAD, END, 8)([row(5, END), bad])
    assert said in str(caught.value)


def test_known_bug_42_pad_equal_to_end_is_refused() -> None:
    with pytest.raises(DataFault, match="also the end token"):
        Collator(END, END, 8)


def test_an_end_token_in_the_prompt_does_not_count_as_trained() -> None:
    with pytest.raises(DataFault, match="never trained"):
        check_row(row(IGNORED, 5, ids=(END, 5)), end_id=END, max_length=8)
