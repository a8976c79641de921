"""A bar chart of shares with their intervals."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from trainer.evaluate.report import Score

_COLOURS = ("#8a8f98", "#2a6fdb", "#d9822b", "#3b9c6a")


def plot_scores(scores: Mapping[str, Sequence[Score]], path: Path, title: str = "") -> None:
    """Write a PNG: one group of bars per suite, one bar per model in `scores`, whiskers are the intervals.

    Models may have been scored on different suites; a missing bar stays empty. The file appears whole or
    not at all.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    suites = list(dict.fromkeys(score.suite for given in scores.values() for score in given))
    figure = Figure(figsize=(2.2 + 1.8 * len(suites), 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    width = 0.8 / max(1, len(scores))
    for place, (model, given) in enumerate(scores.items()):
        by_suite = {score.suite: score for score in given}
        for index, suite in enumerate(suites):
            if suite not in by_suite:
                continue
            score = by_suite[suite]
            at, share = index + (place - (len(scores) - 1) / 2) * width, 100 * score.share
            whiskers = [[max(0.0, share - 100 * score.low)], [max(0.0, 100 * score.high - share)]]
            colour = _COLOURS[place % len(_COLOURS)]
            axes.bar(at, share, width * 0.92, color=colour, label=model if index == 0 else None)
            axes.errorbar(at, share, yerr=whiskers, color="#222222", capsize=3, linewidth=1)
            axes.text(
                at, min(103, 100 * score.high + 1.5), f"{share:.0f}", ha="center", va="bottom", fontsize=8
            )
    axes.set_xticks(range(len(suites)), suites)
    axes.set_ylim(0, 112)
    axes.set_ylabel("calls and reply right, %")
    axes.set_title(title, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=len(scores), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.png")
    figure.savefig(aside, dpi=150)
    aside.replace(path)
