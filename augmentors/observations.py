"""What an augmentor may claim to keep, and what each way of changing a harness leaves of it.

The operators claim from here, and the checker holds them to it.
"""

from collections.abc import Iterable

ALL = "semantic calls, results, final state and reply constraints"
DECLARED = "what the author declares: that the wordings ask for the same"
WITHIN_FOOTPRINT = "semantic calls, results and final state of tasks within the footprint"
WELL_FORMED = "well-formedness; expectations are those of the new Core"
THROUGH_ADAPTER = "final state and replies; semantic calls through the adapter, in both directions"
SAME_ANSWER = "the harness, and what the task asks for; what tools answer on the way differs"

KNOWN = (ALL, DECLARED, WITHIN_FOOTPRINT, WELL_FORMED, SAME_ANSWER, THROUGH_ADAPTER)
"""Rows name a claim by its place here, so what is new comes last."""


def observations(claims: Iterable[str]) -> tuple[str, ...]:
    """The claims without repetition, in order."""
    return tuple(dict.fromkeys(claims))
