"""Questions and answers of benchmark items: what a user says, and the calls that are right."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from harness_dsl.exchange.found import CaseSource, ExpectedCall, ToolSource, pointer
from harness_dsl.exchange.json_files import Document, documents

ANSWERS = "possible_answer"
"""The folder beside the items that holds their answers, in files of the same names."""

_TURN = re.compile(r"(?m)^(user|system): ?")
Benchmark = Literal["bfcl", "acebench"]


class Answers:
    """The answers to the items of each file under `path`, a file or a folder, by the id of the item."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, dict[str, Any]] = {}

    def of(self, file: str) -> dict[str, Any]:
        """The answers to the items of `file`, as documents call it; {}: there are none."""
        if file not in self._known:
            items = self._path / file if self._path.is_dir() else self._path
            beside = items.parent / ANSWERS / items.name
            self._known[file] = dict(_answers(beside)) if beside.is_file() else {}
        return self._known[file]


def _answers(path: Path) -> Iterator[tuple[str, Any]]:
    for document in documents(path):
        entries = [document.value] if isinstance(document, Document) else []
        for entry in entries:
            for one in entry if isinstance(entry, list) else [entry]:
                if isinstance(one, dict) and isinstance(one.get("id"), str) and "ground_truth" in one:
                    yield one["id"], one["ground_truth"]


def read_case(
    kind: Benchmark,
    item: dict[str, Any],
    file: str,
    at: str,
    tools: list[ToolSource],
    answers: dict[str, Any],
) -> CaseSource | None:
    """The test that `item` is, with what cannot be said of it; None: it asks nothing."""
    id_, question = item.get("id"), item.get("question")
    if not isinstance(id_, str) or question is None:
        return None
    case = CaseSource(file, at, id_, [], tools, None, group=id_)
    _question(case, question, f"{at}/question")
    if id_ in answers:
        _answer(kind, case, answers[id_], at)
    elif "irrelevance" in file:
        case.calls = []
    else:
        case.losses.append((f"{at}/question", "a question to which there is no answer"))
    for key in [key for key in item if key not in ("id", "question", "function")]:
        case.losses.append((at + pointer(key), f"`{key}` of an item"))
    return case


def _question(case: CaseSource, question: Any, at: str) -> None:
    """What the user says: text with `user:` and `system:` at the beginning of lines, or turns of messages."""
    if isinstance(question, str):
        parts = _TURN.split(question)
        said = list(zip(parts[1::2], parts[2::2], strict=True))
        messages = [{"role": role, "content": text.rstrip("\n")} for role, text in said]
        # Here the assistant is called `system`.
        names = {"system": "assistant"}
    else:
        turns = question if isinstance(question, list) else []
        messages = [message for turn in turns for message in (turn if isinstance(turn, list) else [turn])]
        names = {}
    for message in messages:
        role = message.get("role") if isinstance(message, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(content, str):
            case.losses.append((at, "a message without text"))
        elif role == "user":
            case.users.append(content)
        else:
            case.losses.append((at, f"what the {names.get(str(role), role)} said in a question"))


def _answer(kind: Benchmark, case: CaseSource, answer: Any, at: str) -> None:
    """The calls that are right. BFCL lists the allowed values of each argument, ACEBench gives one."""
    if isinstance(answer, str):
        case.losses.append((at, "the words of an answer that calls nothing"))
        case.calls = []
        return
    entries = answer if isinstance(answer, list) else [answer]
    if kind == "acebench" and len(entries) != 1:
        case.losses.append((at, "an answer in several variants"))
        return
    case.calls = []
    for entry in entries:
        for name, arguments in entry.items() if isinstance(entry, dict) else ():
            if isinstance(arguments, dict):
                case.calls.append(_call(kind, case, name, arguments, at))
            else:
                case.losses.append((at, "an expected call whose arguments are no object"))
    if any(isinstance(value, str) for call in case.calls for value in call.arguments.values()):
        case.losses.append((at, "that case and spacing of an expected text do not count"))


def _call(kind: Benchmark, case: CaseSource, name: str, arguments: dict[str, Any], at: str) -> ExpectedCall:
    if kind == "acebench":
        # Several calls of one tool are told apart by a number.
        names = {tool.name for tool in case.tools}
        plain = re.sub(r"_\d+$", "", name)
        return ExpectedCall(plain if name not in names and plain in names else name, arguments)
    known = {}
    for key, allowed in arguments.items():
        try:
            known[key] = _only(allowed)
        except _Vague as vague:
            case.losses.append((at, f"an expected argument that {vague}"))
    return ExpectedCall(name, known)


class _Vague(Exception):
    """More than one value is right; the message goes on after "that"."""


def _only(allowed: Any) -> Any:
    """The one value among `allowed`, where "" means that it may be left out."""
    if not isinstance(allowed, list):
        return _inside(allowed)
    values = [value for value in allowed if value != ""]
    if len(values) < len(allowed):
        raise _Vague("may be left out")
    if len(values) != 1:
        raise _Vague("may have several values")
    return _inside(values[0])


def _inside(value: Any) -> Any:
    """A value whose objects list what is allowed for each of their keys."""
    if isinstance(value, dict):
        return {key: _only(allowed) for key, allowed in value.items()}
    return [_inside(part) for part in value] if isinstance(value, list) else value
