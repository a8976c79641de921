"""A variant as a short row: what differs from the default Surface, by the numbers of its harness's codebook.

    {"v":"2.0","by":"0.1.0","seed":0,"row":7,"core":"…","surface":"…","ops":"rename:n hide:h","names":"…", …}

A row still holds all of the Surface, the claim and their digests; only the harness and the shipped banks are
needed to read it. The digest of the Surface tells whether what was read is what was written, also where a
bank has been edited since. What has no number stands in the row as it is.
"""

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from augmentors.adapters.refactorings import Refactored, RefactoringError
from augmentors.certificates import BadRow, Certificate, first_of
from augmentors.codebook import Codebook, bank, lengthened, shortened, wordings
from augmentors.digits import BadDigits, Digits, ranked, unranked, written
from augmentors.facets import coded, facets, uncoded
from augmentors.limit_values import with_limits
from augmentors.name_space import MANNERS
from augmentors.near_duplicates import RECIPES, look, near_duplicate, resembled
from augmentors.observations import KNOWN
from augmentors.row_fields import check_distractors, check_fields
from augmentors.settings_digits import settings_read, settings_written
from harness_dsl.ir.builtins import LOAD_SKILL_DESCRIPTION
from harness_dsl.ir.ids import LOAD_SKILL_TEXT, SemanticId, foreign
from harness_dsl.ir.quick_digest import quick_core_digest
from harness_dsl.ir.surface import ForeignTool, Surface
from harness_dsl.ir.texts import Template

VERSION = "2.0"
_REFACTORINGS: TypeAdapter[tuple[Refactored, ...]] = TypeAdapter(tuple[Refactored, ...])
_AS_THEY_ARE = ("markup", "tool_docs", "call_syntax", "implementations")
"""Parts of a Surface that have no numbers."""
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def to_row(certificate: Certificate, book: Codebook, extra: dict[str, Any] | None = None) -> str:
    """One JSON line. `extra` keys (messages, say) stand beside the certificate's."""
    shaped = book.shaped(certificate.refactorings)
    parts = _head(certificate, book, shaped), _surface(certificate, shaped), extra or {}
    return _encode({key: value for part in parts for key, value in part.items()}) + "\n"


def _head(certificate: Certificate, book: Codebook, shaped: Codebook) -> dict[str, Any]:
    """`shaped` is the book of the refactored harness, by which the Surface is numbered."""
    faulty = [fault.tool for fault in certificate.faults]
    differing = facets(shaped.core, shaped.baseline, certificate.surface, certificate.limits, faulty)
    operators, more, parameters = [], {}, {}
    for at, step in enumerate(certificate.operators):
        letters = coded(step.changed, differing)
        operators.append(f"{step.operator}:{letters or ''}")
        if letters is None:
            more[str(at)] = step.changed
        if step.parameters:
            parameters[str(at)] = step.parameters
    claims = certificate.observations
    data = {
        "v": VERSION,
        "by": certificate.tool_version,
        "draws": certificate.draws,
        "seed": certificate.seed,
        "row": certificate.row,
        "core": book.digest,
        "surface": shortened(certificate.surface_digest),
        "ops": " ".join(operators),
        "changed": more,
        "parameters": parameters,
        "claims": "".join(str(KNOWN.index(claim)) if claim in KNOWN else "" for claim in claims),
        "other_claims": [claim for claim in claims if claim not in KNOWN],
        "level": certificate.level,
        "wordings_of": certificate.bank or "",
        "limits": certificate.limits,
        "refactorings": [one.model_dump(mode="json") for one in certificate.refactorings],
        "faults": [fault.model_dump(mode="json", exclude_defaults=True) for fault in certificate.faults],
    }
    kept = {key: value for key, value in data.items() if value not in ("", {}, [])}
    if certificate.draws == 1:
        del kept["draws"]
    if certificate.footprint is not None:
        kept["needs"] = [book.numbers.get(id_, id_) for id_ in certificate.footprint.symbols]
    return kept


def _surface(certificate: Certificate, book: Codebook) -> dict[str, Any]:
    """The Surface by numbers, or whole if some part of it has none."""
    surface, baseline = certificate.surface, book.baseline
    parts = _names(surface, book) | _orders(surface, book) | _wordings(surface, book)
    hidden = [(int(id_ in surface.hidden), 2) for id_ in book.hideable]
    parts |= {"hidden": written(hidden)} | _distractors(surface, book)
    parts["settings"] = settings_written(book.core, baseline, surface)
    parts = {key: value for key, value in parts.items() if value not in ("", {}, [])}
    for key in _AS_THEY_ARE:
        if getattr(surface, key) != getattr(baseline, key):
            parts[key] = getattr(surface, key)
    if _reads_back(parts, surface, book):
        return parts
    return {"whole": surface.model_dump(mode="json")}


def _reads_back(parts: dict[str, Any], surface: Surface, book: Codebook) -> bool:
    """Whether `parts` say `surface`. Without distractors of the baseline, lists have other lengths."""
    try:
        return _read_surface(parts, book) == surface
    except BadDigits:
        return False


def _names(surface: Surface, book: Codebook) -> dict[str, Any]:
    before, now = book.baseline.names, surface.names
    changed = [(id_, now[id_]) for id_ in book.names if id_ in now and now[id_] != before.get(id_)]
    if not changed:
        return {}
    manner = book.likely_manner(changed)
    space, others = book.space(manner), []
    digits = []
    given = dict(changed)
    for id_, entry in space.table(book.names):
        size, name = entry.size, given.get(id_)
        if name is None:
            digits.append((0, size + 3))
        elif (number := entry.number(name)) is not None:
            digits.append((number + 1, size + 3))
        elif (longer := space.longer_number(id_, name)) is not None:
            digits += ((size + 1, size + 3), (longer, len(space.longer(id_))))
        else:
            digits.append((size + 2, size + 3))
            others.append(name)
    return {"names": written(digits), "manner": MANNERS.index(manner), "other_names": others}


def _orders(surface: Surface, book: Codebook) -> dict[str, Any]:
    digits: list[tuple[int, int]] = []
    for key, ids in _lists(surface, book).items():
        order = surface.orders.get(key)
        if order is None or order == book.baseline.orders.get(key):
            digits.append((0, 2))
            continue
        digits += ((1, 2), *(ranked(order, ids) or ()))
    return {"orders": written(digits)}


def _lists(surface: Surface, book: Codebook) -> dict[str, tuple[SemanticId, ...]]:
    """The free lists; that of the tools with the distractors of the row."""
    if not surface.distractors:
        return book.lists
    tools = [*(tool.id for tool in book.core.tools), *(foreign(tool.name) for tool in surface.distractors)]
    return {**book.lists, "tools": tuple(sorted(tools))}


def _wordings(surface: Surface, book: Codebook) -> dict[str, Any]:
    digits = []
    for text in book.worded:
        options, chosen = wordings(text), surface.wordings.get(text.id)
        if chosen == book.baseline.wordings.get(text.id):
            place = 0
        elif chosen is None:
            place = 1
        else:
            place = 1 + options.index(chosen) if chosen in options else 0
        digits.append((place, len(options) + 1))
    return {"wordings": written(digits)} | _loader(surface)


def _loader(surface: Surface) -> dict[str, Any]:
    """The number of the wording that the built-in describes itself in."""
    options, chosen = wordings(LOAD_SKILL_DESCRIPTION), surface.wordings.get(LOAD_SKILL_TEXT)
    return {"loader": options.index(chosen)} if chosen is not None and chosen in options else {}


def _distractors(surface: Surface, book: Codebook) -> dict[str, Any]:
    """A distractor of the bank by its number, a near duplicate by those of its tool and its recipe."""
    known, added = bank(), surface.distractors[len(book.baseline.distractors) :]
    if not added:
        return {}
    entries: list[Any] = []
    for tool in added:
        number = known.numbers.get(tool.name)
        is_shipped = number is not None and (known.tools[number] is tool or known.tools[number] == tool)
        entry = number if is_shipped else _near(tool, surface, book)
        entries.append(tool.model_dump(mode="json") if entry is None else entry)
    return {"distractors": entries, "bank": known.digest}


def _near(tool: ForeignTool, surface: Surface, book: Codebook) -> list[int] | None:
    """The numbers of a near duplicate; None if `tool` is none."""
    own = [one.id for one in book.core.tools]
    id_ = resembled(tool)
    if id_ not in own:
        return None
    at = own.index(id_)
    for number in range(len(RECIPES)):
        if look(surface, book.core.tools[at], number) == (tool.name, tool.description):
            same = near_duplicate(book.core, surface, book.core.tools[at], number) == tool
            return [at, number] if same else None
    return None


def _added(entry: Any, named: Surface, book: Codebook) -> ForeignTool:
    """The distractor that `_distractors` wrote, given the names and wordings of the row."""
    if isinstance(entry, int):
        return bank().tools[entry]
    if isinstance(entry, list):
        at, number = entry
        return near_duplicate(book.core, named, book.core.tools[at], number)
    return ForeignTool.model_validate(entry)


def is_compact(data: Any) -> bool:
    """Whether a JSON value is a row of this form, of whatever version."""
    return isinstance(data, dict) and "v" in data


def from_row(data: dict[str, Any], book: Codebook) -> Certificate:
    """The inverse of `to_row`. Raises `BadRow`."""
    if data.get("v") != VERSION:
        raise BadRow(f"rows of version {data.get('v')!r} are not known here: write them again with this tool")
    if data.get("core") != book.digest:
        raise BadRow("proof 1: the certificate is about another Core")
    wanted = data.get("wordings_of")
    known = book.drawn_with(wanted)
    if known is None:
        raise BadRow(f"proof 2: {_other_wordings(book, wanted)}")
    check_fields(data, known)
    try:
        return _certificate(data, known)
    except BadDigits as error:
        raise BadRow(f"{error}: the row is damaged, or its harness or bank has been edited since") from None
    except ValidationError as error:
        raise BadRow(first_of(error)) from None
    except RefactoringError as error:
        raise BadRow(f"proof 1: {error}") from None
    except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise BadRow(f"the row says something of no known form: {type(error).__name__}: {error}") from None


def _other_wordings(book: Codebook, wanted: object) -> str:
    if book.bank is None:
        return f"its wordings are of the bank {wanted}, which is not given here"
    return f"its wordings are of the bank {wanted}, and those given here are {book.bank}"


def _certificate(data: dict[str, Any], book: Codebook) -> Certificate:
    if data.get("bank", bank().digest) != bank().digest:
        raise BadDigits("its distractors are of another bank")
    whole, refactorings = data.get("whole"), _REFACTORINGS.validate_python(data.get("refactorings", ()))
    shaped = book.shaped(refactorings)
    check_distractors(data, shaped)
    surface = _read_surface(data, shaped) if whole is None else Surface.model_validate(whole)
    limits = data.get("limits", {})
    core = with_limits(shaped.core, limits)
    faults = data.get("faults", [])
    faulty = [fault["tool"] for fault in faults]
    differing = facets(shaped.core, shaped.baseline, surface, limits, faulty)
    explicit, parameters = data.get("changed", {}), data.get("parameters", {})
    operators = []
    for at, said in enumerate(str(data.get("ops", "")).split()):
        name, _, letters = said.partition(":")
        changed = explicit.get(str(at))
        ids = uncoded(letters, differing) if changed is None else tuple(changed)
        operators.append({"operator": name, "parameters": parameters.get(str(at), {}), "changed": ids})
    needs = data.get("needs")
    symbols = [book.ids[one] if isinstance(one, int) else one for one in needs or ()]
    return Certificate.model_validate(
        {
            "tool_version": data["by"],
            "draws": data.get("draws", 1),
            "seed": data["seed"],
            "row": data["row"],
            "base_core": lengthened(data["core"]),
            "core": quick_core_digest(core),
            "refactorings": refactorings,
            "limits": limits,
            "faults": faults,
            "surface": surface,
            "surface_digest": lengthened(data["surface"]),
            "operators": operators,
            "observations": [
                *(KNOWN[int(one)] for one in data.get("claims", "")),
                *data.get("other_claims", ()),
            ],
            "level": data["level"],
            "bank": data.get("wordings_of"),
            "footprint": None if needs is None else {"symbols": symbols},
        }
    )


def _read_surface(data: dict[str, Any], book: Codebook) -> Surface:
    baseline = book.baseline
    hidden = Digits(data.get("hidden", ""))
    shown: dict[str, Any] = {
        "names": _read_names(data, book),
        "wordings": _read_wordings(data, book) | _read_loader(data),
        "hidden": tuple(sorted(id_ for id_ in book.hideable if hidden.next(2))),
    }
    if "distractors" in data:
        named = baseline.model_copy(update=shown)
        added = (_added(one, named, book) for one in data["distractors"])
        shown["distractors"] = (*baseline.distractors, *added)
    hidden.end()
    shown |= settings_read(book.core, baseline, data.get("settings", ""))
    as_they_are = {key: data[key] for key in _AS_THEY_ARE if key in data}
    if as_they_are:
        read = Surface.model_validate(as_they_are)
        shown |= {key: getattr(read, key) for key in as_they_are}
    surface = baseline.model_copy(update=shown)
    return surface.model_copy(update={"orders": _read_orders(data, book, surface)})


def _read_names(data: dict[str, Any], book: Codebook) -> dict[SemanticId, str]:
    if "names" not in data:
        return book.baseline.names
    space, others = book.space(MANNERS[data["manner"]]), iter(data.get("other_names", ()))
    digits, names = Digits(data["names"]), dict(book.baseline.names)
    for id_, entry in space.table(book.names):
        size = entry.size
        digit = digits.next(size + 3)
        if digit == size + 2:
            names[id_] = next(others)
        elif digit == size + 1:
            longer = space.longer(id_)
            names[id_] = longer[digits.next(len(longer))]
        elif digit:
            names[id_] = entry.name(digit - 1)
    digits.end()
    return names


def _read_orders(data: dict[str, Any], book: Codebook, surface: Surface) -> dict[str, tuple[SemanticId, ...]]:
    if "orders" not in data:
        return book.baseline.orders
    digits, orders = Digits(data["orders"]), dict(book.baseline.orders)
    for key, ids in _lists(surface, book).items():
        if digits.next(2):
            orders[key] = unranked(digits, ids)
    digits.end()
    return orders


def _read_loader(data: dict[str, Any]) -> dict[SemanticId, Template]:
    if "loader" not in data:
        return {}
    return {LOAD_SKILL_TEXT: wordings(LOAD_SKILL_DESCRIPTION)[data["loader"]]}


def _read_wordings(data: dict[str, Any], book: Codebook) -> dict[SemanticId, Template]:
    if "wordings" not in data:
        return book.baseline.wordings
    digits, chosen = Digits(data["wordings"]), dict(book.baseline.wordings)
    for text in book.worded:
        options = wordings(text)
        place = digits.next(len(options) + 1)
        if place == 1:
            chosen.pop(text.id, None)
        elif place:
            chosen[text.id] = options[place - 1]
    digits.end()
    return chosen
