"""Train, dev and test share no product, no wording and no room; and a split that shares one is noticed."""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import get_args

import pytest

from trainer.simulator import vocabulary, wordings
from trainer.simulator.tasks import TOOLS_OF_KIND, draw_task
from trainer.simulator.vocabulary import Split

SPLITS: tuple[Split, ...] = get_args(Split)
KINDS = tuple(TOOLS_OF_KIND)


def shared(values: Callable[[Split], Iterable[object]]) -> set[object]:
    """What stands in more than one split."""
    return set().union(*(set(values(a)) & set(values(b)) for a, b in combinations(SPLITS, 2)))


def texts(split: Split) -> set[tuple[str, str]]:
    return {
        (kind, wording.text)
        for kind in KINDS
        for language in ("zh", "en")
        for wording in wordings.wordings(kind, split, language)
    }


def test_products_are_many_and_disjoint() -> None:
    assert len(set(vocabulary.PRODUCTS)) == len(vocabulary.PRODUCTS) >= 430
    assert not shared(vocabulary.products)
    assert sorted(name for split in SPLITS for name in vocabulary.products(split)) == sorted(
        vocabulary.PRODUCTS
    )


def test_wordings_are_disjoint_and_none_is_lost() -> None:
    assert not shared(texts)
    assert all(
        wordings.wordings(kind, split, language)
        for kind in KINDS
        for split in SPLITS
        for language in ("zh", "en")
    )


def test_drawn_tasks_share_neither_product_nor_wording_nor_room() -> None:
    def lineage(split: Split) -> set[object]:
        drawn = [draw_task(seed, split, KINDS, turns=3) for seed in range(150)]
        turns = [turn for task in drawn for turn in task.turns]
        rooms = {str(task.inputs["room"]["products"]) for task in drawn}
        return {turn.product for turn in turns if turn.product} | {(t.kind, t.wording) for t in turns} | rooms

    assert not shared(lineage)


def test_every_phrase_of_dev_and_test_is_met_in_training() -> None:
    for kind in KINDS:
        for language in ("zh", "en"):
            trained = "\n".join(w.text for w in wordings.wordings(kind, "train", language))
            assert all(phrase in trained for phrase in wordings.PHRASES[kind][language])


def test_a_split_by_seed_alone_would_be_noticed() -> None:
    def leaking(split: Split) -> set[object]:
        return {turn.wording for seed in range(60) for turn in draw_task(seed, "train", KINDS).turns} | {
            split
        }

    assert shared(leaking)


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_is_a_function_of_its_seed(kind: wordings.Kind) -> None:
    assert draw_task(5, "train", [kind], turns=4) == draw_task(5, "train", [kind], turns=4)
    assert draw_task(5, "train", [kind], turns=4) != draw_task(6, "train", [kind], turns=4)
