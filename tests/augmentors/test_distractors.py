"""Distractors take no name that a tool of the harness is or was shown under."""

from augmentors.banks import distractors
from augmentors.checker import check
from augmentors.footprint import Footprint
from augmentors.identifiers import looks_like
from augmentors.policy import Policy
from augmentors.reading import everything_read
from augmentors.variants import draw
from tests.strategies import small_shop

CORE, SURFACE = small_shop()
NEEDS = Footprint.of(["tool/get_quote", "skill/item_qa"])
POLICY = Policy.of({"rename": {"declared": 0.0}, "distractors": {"most": 32}})


def test_a_name_that_was_renamed_away_goes_to_no_distractor() -> None:
    free = draw(CORE, SURFACE, POLICY, 0, 0, NEEDS).surface.distractors
    assert len(free) > 1
    taken = max(entry.tool.name for entry in distractors() if entry.tool in free)
    given = SURFACE.model_copy(update={"names": {**SURFACE.names, "tool/get_item": taken}})
    added = 0
    for row in range(12):
        variant = draw(CORE, given, POLICY, 0, row, NEEDS)
        shown = variant.surface.distractors
        added += len(shown)
        assert not any(looks_like(tool.name, taken) for tool in shown)
        assert check(CORE, given, variant.certificate, everything_read) == []
    assert added
