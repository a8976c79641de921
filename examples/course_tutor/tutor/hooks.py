"""Conditions of the course tutor in Python, equivalent to those that the harness declares."""

from harness_dsl.ir.facts import Facts


def attempt_first(facts: Facts) -> bool:
    """Whether a solution is asked for that the learner has not tried to find."""
    call = facts.call
    if call is None or call.tool != "tool/get_solution":
        return False
    return call.arguments.get("exercise") not in facts.inputs["course"]["learner"]["attempted"]
