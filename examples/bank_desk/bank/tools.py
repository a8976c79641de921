"""Tools of a bank's service desk. Parameters are the declared identifiers; `desk` is the harness's input.

A desk is JSON of the declared type `Desk`: the session, the customer with accounts, cards and payees, rates,
branches and fees. Time stands still at `desk["now"]`. Money is counted in decimals. The functions that write
change `desk["session"]` and `desk["customer"]` in place.
"""

from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from runtime.tools import ToolFailure

Json = dict[str, Any]

TRIES = 3
"""Wrong answers after which identity can no longer be checked here."""
DISPUTE_DAYS = 60
ANSWER_DAYS = 10
REPLACEMENT_DAYS = 7


def verify_identity(id_last4: str, phone_last4: str, *, desk: Json) -> Json:
    """Check who is writing. Fails with `mismatch`, and with `locked` after three of them."""
    session, customer = desk["session"], desk["customer"]
    if session["tries"] >= TRIES:
        raise ToolFailure("locked", "too many tries; the customer has to come to a branch")
    if (id_last4, phone_last4) != (customer["id_last4"], customer["phone_last4"]):
        session["tries"] += 1
        raise ToolFailure("mismatch", "the answers do not match")
    session["verified"] = True
    accounts = [
        {key: holding[key] for key in ("account", "kind", "currency")} for holding in customer["holdings"]
    ]
    return {"name": f"{customer['name'][0]}*", "accounts": accounts}


def get_balance(account: str, *, desk: Json) -> Json:
    """What an account holds now. Fails with `not_verified`, `not_found`."""
    holding = _holding(desk, account)
    return {**{key: holding[key] for key in ("available", "booked", "currency")}, "as_of": desk["now"]}


def list_transactions(
    account: str,
    since: str | None = None,
    until: str | None = None,
    direction: str = "all",
    *,
    desk: Json,
) -> list[Json]:
    """The lines of an account's statement, the newest first, at most fifty. Fails as `get_balance` does."""
    lines = [
        line
        for line in _holding(desk, account)["transactions"]
        if (since is None or line["on"] >= since)
        and (until is None or line["on"] <= until)
        and (direction == "all" or (line["amount"] > 0) == (direction == "in"))
    ]
    return sorted(lines, key=lambda line: (line["on"], line["transaction"]), reverse=True)[:50]


def prepare_transfer(
    account: str, payee: str, amount: int | float, memo: str | None = None, *, desk: Json
) -> Json:
    """Work out a transfer and keep it until it is confirmed, cancelled or replaced by another.

    Fails with `not_verified`, `not_found`, `unknown_payee`, `over_limit`, `insufficient`.
    """
    holding = _holding(desk, account)
    found = next((one for one in desk["customer"]["payees"] if one["name"] == payee), None)
    if found is None:
        raise ToolFailure("unknown_payee", f"{payee} is not among the customer's payees")
    sum_ = Decimal(str(amount))
    if sum_ > Decimal(str(desk["customer"]["daily_limit"])):
        raise ToolFailure("over_limit", f"at most {desk['customer']['daily_limit']} a day")
    fee = _fee(desk["fees"], "跨行转账" if found["outside"] else "行内转账")
    if sum_ + fee > Decimal(str(holding["available"])):
        raise ToolFailure("insufficient", f"{holding['available']} can be spent")
    lines = [("amount", sum_), ("fee", fee), ("total", sum_ + fee)]
    draft = {
        "draft": f"D{_next(desk, 'D')}",
        "payee": payee,
        "ends": found["account"][-4:],
        "lines": [{"what": what, "amount": _number(part)} for what, part in lines],
        "currency": holding["currency"],
    }
    desk["session"].update(draft=draft, draft_from=account)
    return draft


def confirm_transfer(draft: str, *, desk: Json) -> Json:
    """Send the prepared transfer; cannot be undone. Fails with `not_verified`, `not_found`,
    `insufficient`.
    """
    _verified(desk)
    session = desk["session"]
    prepared = session["draft"]
    if prepared is None or prepared["draft"] != draft:
        raise ToolFailure("not_found", f"there is no prepared transfer {draft}")
    holding = _holding(desk, session["draft_from"])
    total = Decimal(str(prepared["lines"][2]["amount"]))
    left = Decimal(str(holding["available"])) - total
    if left < 0:
        raise ToolFailure("insufficient", f"{holding['available']} can be spent")
    transaction = f"T{_next(desk, 'T')}"
    holding["available"] = _number(left)
    holding["transactions"].append(
        {
            "form": "transfer",
            "transaction": transaction,
            "on": desk["now"][:10],
            "amount": _number(-total),
            "counterparty": prepared["payee"],
            "memo": None,
        }
    )
    session.update(draft=None, draft_from=None)
    return {
        "transaction": transaction,
        "total": _number(total),
        "left": _number(left),
        "at": desk["now"],
    }


def cancel_transfer(*, desk: Json) -> Json:
    """Forget the prepared transfer. Fails with `not_found` where there is none."""
    draft = desk["session"]["draft"]
    if draft is None:
        raise ToolFailure("not_found", "no transfer is prepared")
    desk["session"].update(draft=None, draft_from=None)
    return {"draft": draft["draft"]}


def freeze_card(card: str, reason: str, *, desk: Json) -> Json:
    """Freeze a card; only a branch can undo it. Fails with `not_verified`, `not_found`,
    `already_frozen`.
    """
    _verified(desk)
    found = next((one for one in desk["customer"]["cards"] if one["card"] == card), None)
    if found is None:
        raise ToolFailure("not_found", f"the customer has no card that ends in {card}")
    if found["frozen_at"] is not None:
        raise ToolFailure("already_frozen", f"frozen since {found['frozen_at']}")
    found["frozen_at"] = desk["now"]
    replacement = _today(desk) + timedelta(days=REPLACEMENT_DAYS)
    return {"card": card, "frozen_at": desk["now"], "replacement_by": replacement.isoformat()}


def open_dispute(transaction: str, reason: str, details: str | None = None, *, desk: Json) -> Json:
    """Dispute a transaction of any of the customer's accounts.

    Fails with `not_verified`, `not_found`, `too_old` after sixty days, `already_open`.
    """
    _verified(desk)
    lines = [line for holding in desk["customer"]["holdings"] for line in holding["transactions"]]
    line = next((one for one in lines if one["transaction"] == transaction), None)
    if line is None:
        raise ToolFailure("not_found", f"there is no transaction {transaction}")
    if _today(desk) - date.fromisoformat(line["on"]) > timedelta(days=DISPUTE_DAYS):
        raise ToolFailure("too_old", f"{transaction} is older than {DISPUTE_DAYS} days")
    case = f"C{transaction[1:]}"
    if any(one["case"] == case for one in desk["customer"]["disputes"]):
        raise ToolFailure("already_open", f"{case} is open")
    answer_by = _today(desk) + timedelta(days=ANSWER_DAYS)
    dispute = {"case": case, "amount": line["amount"], "answer_by": answer_by.isoformat()}
    desk["customer"]["disputes"].append(dispute)
    return dispute


def get_rate(base: str, quote: str = "CNY", *, desk: Json) -> Json:
    """How much of `quote` one unit of `base` buys, to four decimals. Fails with `not_found`."""
    rate = _rate(desk, base) / _rate(desk, quote)
    return {"rate": _number(round(rate, 4)), "as_of": desk["now"]}


def convert(amount: int | float, base: str, quote: str = "CNY", *, desk: Json) -> Json:
    """What an amount is worth, to the cent, halves to even. Fails with `not_found`."""
    rate = _rate(desk, base) / _rate(desk, quote)
    worth = (Decimal(str(amount)) * rate).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    return {"amount": _number(worth), "rate": _number(round(rate, 4))}


def find_branches(city: str, weekend: bool = False, *, desk: Json) -> list[Json]:
    """The branches of a city. Fails with `not_found` where there is none."""
    branches = [one for one in desk["branches"].get(city, []) if one["weekend"] or not weekend]
    if not branches:
        raise ToolFailure("not_found", f"there is no such branch in {city}")
    return branches


def get_fees(name: str | None = None, *, desk: Json) -> Json:
    """All fees, or the one or the group that is called `name`. Fails with `not_found`."""
    found = desk["fees"] if name is None else _named(desk["fees"], name)
    if found is None:
        raise ToolFailure("not_found", f"there is no fee {name}")
    return dict(found)


def _verified(desk: Json) -> None:
    if not desk["session"]["verified"]:
        raise ToolFailure("not_verified", "the customer's identity has not been checked")


def _holding(desk: Json, account: str) -> Json:
    _verified(desk)
    for holding in desk["customer"]["holdings"]:
        if holding["account"] == account:
            found: Json = holding
            return found
    raise ToolFailure("not_found", f"the customer has no account {account}")


def _today(desk: Json) -> date:
    return datetime.fromisoformat(desk["now"]).date()


def _named(fee: Json, name: str) -> Json | None:
    if fee["name"] == name:
        return fee
    for item in fee["items"]:
        found = _named(item, name)
        if found is not None:
            return found
    return None


def _fee(fees: Json, name: str) -> Decimal:
    found = _named(fees, name)
    return Decimal(0) if found is None else Decimal(str(found["amount"] or 0))


def _rate(desk: Json, currency: str) -> Decimal:
    rate = desk["rates"].get(currency)
    if rate is None:
        raise ToolFailure("not_found", f"there is no rate for {currency}")
    return Decimal(str(rate))


def _next(desk: Json, letter: str) -> int:
    """The number after the highest that begins with `letter`, so that ids are new and the same each run."""
    held = [
        line["transaction"] for holding in desk["customer"]["holdings"] for line in holding["transactions"]
    ]
    draft = desk["session"]["draft"]
    used = [*held, *([draft["draft"]] if draft else [])]
    return 1 + max((int(id_[1:]) for id_ in used if id_.startswith(letter)), default=0)


def _number(value: Decimal) -> int | float:
    """A JSON number: whole amounts as integers."""
    return int(value) if value == value.to_integral_value() else float(value)
