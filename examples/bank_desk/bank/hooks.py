"""Conditions of the bank desk in Python, equivalent to those that the harness declares."""

from harness_dsl.ir.facts import Facts

PRIVATE = frozenset(
    f"tool/{name}"
    for name in (
        "get_balance",
        "list_transactions",
        "prepare_transfer",
        "confirm_transfer",
        "freeze_card",
        "open_dispute",
    )
)


def identity_first(facts: Facts) -> bool:
    """Whether a private matter is called for before the customer is identified."""
    if facts.inputs["desk"]["session"]["verified"]:
        return False
    return facts.call is not None and facts.call.tool in PRIVATE
