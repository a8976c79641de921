"""What a shell command of hook settings says, where that is known without running it.

Commands such as `echo 'Not here.' >&2; exit 2` always end in the same way; any other may end in any way.
"""

import json
import re
from typing import Any, NamedTuple

_WORD = r"(?:'[^']*'|\"[^\"$`\\!]*\"|[^\s'\"\\$`*?\[\]{}()<>|&;#~!]|(?<=\w)#)+"
_TOKEN = re.compile(rf"[ \t]*(?:(?P<to>1?>&2)|(?P<end>&&|;|\n)|(?P<word>{_WORD}))[ \t]*")


class Outcome(NamedTuple):
    """`status`: 2 blocks, another one but 0 is a failure that blocks nothing."""

    status: int
    out: str
    err: str


class Decision(NamedTuple):
    """`block`: whether what is under way is stopped. `reason`: what the model, or whoever asked, is told."""

    block: bool
    reason: str
    failed: bool = False


def fixed_outcome(command: str) -> Outcome | None:
    """How `command` always ends; None: that is not known."""
    steps = _steps(command)
    if not steps:
        return None
    status, out, err = 0, "", ""
    for words, to_error, joined in steps:
        if joined == "&&" and status != 0:
            continue
        name, *arguments = words
        if name == "exit":
            if len(arguments) > 1 or not all(re.fullmatch(r"\d{1,3}", each) for each in arguments):
                return None
            return Outcome(int(arguments[0]) % 256 if arguments else status, out, err)
        said = _said(name, arguments)
        if said is None:
            return None
        status, text = said
        out, err = (out, err + text) if to_error else (out + text, err)
    return Outcome(status, out, err)


def _steps(command: str) -> list[tuple[list[str], bool, str]] | None:
    """Simple commands: words, whether they print to standard error, and what stands before them."""
    steps: list[tuple[list[str], bool, str]] = []
    words: list[str] = []
    to_error, joined, at = False, ";", 0
    text = command.strip(" \t\n").removesuffix(";") + "\n"
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        if token["word"]:
            words.append(re.sub(r"'([^']*)'|\"([^\"]*)\"", lambda m: m[1] or m[2] or "", token["word"]))
        elif token["to"]:
            to_error = True
        elif not words:
            # Nothing stands before a mark: a mistake, but for an empty line.
            if to_error or token["end"] != "\n" or joined == "&&":
                return None
        else:
            steps.append((words, to_error, joined))
            words, to_error, joined = [], False, token["end"]
    return steps


def _said(name: str, arguments: list[str]) -> tuple[int, str] | None:
    """The status of a command and what it prints."""
    match name:
        case "echo":
            plain = arguments[:1] != ["-n"]
            shown = arguments if plain else arguments[1:]
            # Shells disagree about further options and about backslashes.
            if any("\\" in word for word in shown) or (shown and shown[0].startswith("-")):
                return None
            return 0, " ".join(shown) + ("\n" if plain else "")
        case "printf" if len(arguments) == 1 and re.fullmatch(r"(?!-)[^%\\]*", arguments[0]):
            return 0, arguments[0]
        case "true" | ":":
            return 0, ""
        case "false" if not arguments:
            return 1, ""
        case _:
            return None


def decision(outcome: Outcome) -> Decision | None:
    """What a hook that ends so decides; None: something that only the program it is for understands.

    Standard output that is a JSON object is read as the documented answer of a hook.
    """
    if outcome.status == 2:
        return Decision(True, outcome.err.strip())
    if outcome.status != 0:
        return Decision(False, outcome.err.strip(), failed=True)
    answer = _object(outcome.out)
    if answer is None:
        return Decision(False, outcome.out.strip())
    own = answer.get("hookSpecificOutput")
    own = own if isinstance(own, dict) else {}
    known = {"decision", "reason", "suppressOutput", "hookSpecificOutput"}
    specific = {"hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"}
    if answer.keys() - known or own.keys() - specific:
        return None
    if answer.get("decision") == "block":
        return Decision(True, str(answer.get("reason") or ""))
    if own.get("permissionDecision") == "deny":
        return Decision(True, str(own.get("permissionDecisionReason") or ""))
    if "decision" in answer or "permissionDecision" in own:
        return None
    return Decision(False, str(own.get("additionalContext") or ""))


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
