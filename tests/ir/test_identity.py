"""What is remembered by identity."""

import copy
import pickle

from harness_dsl.ir.identity import ByIdentity


def test_a_copy_remembers_nothing_since_ids_are_used_again() -> None:
    kept: ByIdentity[str] = ByIdentity(2)
    owner = ("one",)
    assert kept.get(owner, lambda: "first") == "first"
    assert kept.get(owner, lambda: "second") == "first"
    for other in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        assert other.get(owner, lambda: "second") == "second"
