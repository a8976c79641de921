"""A row is the same whatever seeds the hashes of a process, and whatever it drew before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("live_shop/shop.harness", "course_tutor/tutor.harness", "bank_desk/desk.harness")
ROWS = 50
NEW_CORES = "refactoring capability"

DRAWER = """
import sys
from pathlib import Path

from augmentors.compact import to_row
from augmentors.footprint import Footprint
from augmentors.policy import Policy
from augmentors.registry import OPERATORS
from augmentors.rewording.books import book_of
from augmentors.rows import opening
from augmentors.transport import lower
from augmentors.variants import draw
from harness_dsl.ir.canonical import canonical_json
from harness_dsl.syntax.opening import open_harness

_, pace, left_out, folder, count, *examples = sys.argv
names = [name for name, operator in OPERATORS.items() if operator.kind not in left_out.split()]
everything = Policy.of({name: {} for name in names})
usual = Policy.of({name: {"probability": 0.3} for name in names})
opened = [open_harness(str(Path(folder) / example)) for example in examples]
books = [book_of(one.core, one.surface, None) for one in opened]
lines = {}
for step in range(int(count)):
    row = step * int(pace) % int(count)
    at = row % len(opened)
    one, policy = opened[at], everything if row % 2 else usual
    needed = Footprint.of([one.core.tools[0].id])
    variant = draw(one.core, one.surface, policy, 7, row, needed)
    said = opening(one.core, row).model_copy(update={"core_digest": variant.certificate.core})
    shown = canonical_json(lower(said, variant.core, variant.surface))
    lines[row] = to_row(variant.certificate, books[at], {}) + str(shown) + chr(10)
sys.stdout.reconfigure(encoding="utf-8", newline="")
sys.stdout.write("".join(lines[row] for row in sorted(lines)))
"""


def _drawing(seed: str, pace: int, left_out: str, cache: Path) -> subprocess.Popen[bytes]:
    """A fresh process that prints all rows in their order, and draws them `pace` apart."""
    env = {**os.environ, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-c", DRAWER, str(pace), left_out, str(ROOT / "examples"), str(ROWS)]
    return subprocess.Popen([*command, *EXAMPLES], stdout=subprocess.PIPE, cwd=ROOT, env=env)


@pytest.mark.parametrize(
    "left_out",
    [
        pytest.param(NEW_CORES, id="one Core"),
        # Each row has a Core of its own, about which everything is found out anew.
        pytest.param("", id="every operator", marks=pytest.mark.slow),
    ],
)
def test_rows_depend_neither_on_hashes_nor_on_what_was_drawn_before(left_out: str, tmp_path: Path) -> None:
    running = [_drawing(seed, pace, left_out, tmp_path / seed) for seed, pace in (("1", 1), ("2", 37))]
    one, other = (process.communicate()[0].split(b"\n") for process in running)
    assert [process.returncode for process in running] == [0, 0]
    assert len(one) > ROWS
    for mine, theirs in zip(one, other, strict=True):
        assert mine == theirs
