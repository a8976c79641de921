"""A conversation that speaks of a symbol which another shape does not have keeps its shape."""

import pytest

from augmentors.adapters.merge_tools import MergeTools
from augmentors.adapters.refactorings import shape
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.transcript import Generated, Mention, ReplyText, Transcript, User
from tests.strategies import small_shop

SHOP, SURFACE = small_shop()
MERGED = MergeTools(merged=("tool/check_stock", "tool/get_coupon"), into="ask", choice="what")
LOST = "tool/check_stock/param/link_id"


def talk_about(symbol: str) -> Transcript:
    said = ReplyText(text=("the ", Mention(symbol=symbol), " is 3"))
    return Transcript(core_digest=core_digest(SHOP), events=(User(text="?"), Generated(events=(said,))))


@pytest.mark.parametrize(
    ("symbol", "carried"), [(LOST, False), ("tool/check_stock", True), ("tool/get_quote", True)]
)
def test_only_what_has_a_counterpart_is_carried(symbol: str, carried: bool) -> None:
    """As words, the name of a parameter of a merged tool would be one that a variant may not show."""
    assert shape(SHOP, SURFACE, (MERGED,)).adapter.carries(talk_about(symbol)) == carried


def test_no_row_is_drawn_in_a_shape_without_what_it_speaks_of() -> None:
    policy = Policy.of({"merge-tools": {}})
    merged = {
        symbol: [
            set(step.merged)
            for row in range(30)
            for step in draw(
                SHOP, SURFACE, policy, 0, row, conversation=talk_about(symbol)
            ).certificate.refactorings
            if isinstance(step, MergeTools)
        ]
        for symbol in (LOST, "tool/check_stock")
    }
    assert any("tool/check_stock" in tools for tools in merged["tool/check_stock"])
    assert not any("tool/check_stock" in tools for tools in merged[LOST])
