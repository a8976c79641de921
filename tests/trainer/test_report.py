"""Reports: shares and intervals from items, JSON that holds every item, a plot that is an image."""

import json
from pathlib import Path

from trainer.evaluate.plot import plot_scores
from trainer.evaluate.report import ItemResult, Score, SuiteResult
from trainer.evaluate.wilson import wilson
from trainer.sft.logs import write_json


def item(number: int, calls: bool, reply: bool, before: bool | None = None) -> ItemResult:
    return ItemResult(
        id=f"test-{number}-1",
        kind="price",
        user="3号多少钱",
        core_digest="sha256:0",
        surface_digest=f"sha256:{number}",
        right=calls and reply,
        calls=calls,
        reply=reply,
        reasons=(),
        output="亲，89元",
        before=before,
    )


def result(*items: ItemResult) -> SuiteResult:
    return SuiteResult(
        suite="uptake", harness="shop", model="m", core_digest="sha256:0", seed=3, seconds=1.5, items=items
    )


def test_an_item_counts_only_if_calls_and_reply_are_right() -> None:
    found = result(item(1, True, True, True), item(2, True, False, True), item(3, False, True, False))
    interval = wilson(1, 3)
    assert found.score == Score("uptake", 1, 3, 1 / 3, interval.low, interval.high)
    assert (found.part("calls").right, found.part("reply").right) == (2, 2)
    before = found.before()
    assert before is not None and (before.right, before.total) == (2, 3)
    assert result(item(1, True, True)).before() is None


def test_json_holds_counts_intervals_and_every_item(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write_json(path, result(item(1, True, True, True), item(2, True, False, True)).as_json())
    data = json.loads(path.read_text("utf-8"))
    assert data["score"]["right"] == 1 and data["score"]["total"] == 2
    assert data["score"]["low"] < 0.5 < data["score"]["high"]
    assert data["before"]["right"] == 2
    assert [entry["surface_digest"] for entry in data["items"]] == ["sha256:1", "sha256:2"]
    assert data["seed"] == 3 and data["version"]
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_the_plot_is_an_image_that_shows_every_bar(tmp_path: Path) -> None:
    from matplotlib import image

    scores = {
        "fixed": [Score.of("own", 90, 100), Score.of("variants", 0, 100)],
        "hsa": [Score.of("own", 85, 100), Score.of("variants", 70, 100), Score.of("uptake", 60, 100)],
    }
    plot_scores(scores, tmp_path / "plots" / "both.png", "shop")
    plot_scores({"fixed": scores["fixed"]}, tmp_path / "one.png")
    both, one = (image.imread(tmp_path / name) for name in ("plots/both.png", "one.png"))
    assert both.shape[1] > one.shape[1] > 100
    colours = {
        tuple(round(255 * float(part)) for part in pixel[:3]) for pixel in both.reshape(-1, both.shape[2])
    }
    assert {(0x8A, 0x8F, 0x98), (0x2A, 0x6F, 0xDB)} <= colours
