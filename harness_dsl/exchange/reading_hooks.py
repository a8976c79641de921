"""Hook settings of coding agents: events, matchers, commands (https://docs.claude.com/en/docs/claude-code/hooks).

They are written in several shapes; one entry that cannot be read is left out alone.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness_dsl.exchange.found import Loss, Refusal, pointer
from harness_dsl.exchange.json_files import documents

EVENTS = {
    "PreToolUse": "before_call",
    "PostToolUse": "after_call",
    "UserPromptSubmit": "before_turn",
    "Stop": "before_reply",
}
"""Events that this language has too."""

OF_TOOLS = ("PreToolUse", "PostToolUse")

OTHERS = (
    "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop", "Notification", "PreCompact",
    "PostCompact", "PermissionRequest", "PostToolUseFailure", "Setup",
)  # fmt: skip
"""Events of a program, not of a turn."""

MATCH_ALL = ("", "*", ".*")
_OF_MATCHER = ("tools", "tool", "tool_name", "toolName", "names", "name")


@dataclass(slots=True)
class HookSource:
    """One command. `matchers`: patterns of tool names, any of which counts; None: every tool."""

    file: str
    at: str
    event: str
    matchers: list[str] | None
    command: str
    losses: list[tuple[str, str]] = field(default_factory=list)


FoundHook = HookSource | Refusal | Loss


def read_hooks(path: Path) -> Iterator[FoundHook]:
    """Every hook of the settings file, or of all JSON files under the folder."""
    for document in documents(path):
        if isinstance(document, Refusal):
            yield document
        else:
            yield from _settings(document.file, document.value, document.at)


def _settings(file: str, value: Any, at: str) -> Iterator[FoundHook]:
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _listed(file, entry, f"{at}/{index}")
        return
    if not isinstance(value, dict):
        yield Refusal(file, at, "", "it is no object with hooks")
        return
    hooks = value.get("hooks", value)
    own = at if "hooks" not in value else f"{at}/hooks"
    if "hooks" in value:
        for key in [key for key in value if key != "hooks"]:
            yield Loss(file, at + pointer(key), _setting(key, value[key]))
    if isinstance(hooks, list):
        for index, entry in enumerate(hooks):
            yield from _listed(file, entry, f"{own}/{index}")
        return
    if not isinstance(hooks, dict):
        yield Refusal(file, own, "", "`hooks` is neither an object nor a list")
        return
    for event, entries in hooks.items():
        place = own + pointer(event)
        if "hooks" not in value and event not in (*EVENTS, *OTHERS) and not _meant(event):
            yield Loss(file, place, _setting(event, entries))
            continue
        yield from _event(file, event, entries, place)


def _setting(key: str, value: Any) -> str:
    return "that all hooks are switched off" if key == "disableAllHooks" and value is True else f"`{key}`"


def _listed(file: str, entry: Any, at: str) -> Iterator[FoundHook]:
    """An entry of a flat list, which says its event itself."""
    event = (
        next((entry[key] for key in ("event", "hook_event_name") if key in entry), None)
        if isinstance(entry, dict)
        else None
    )
    if not isinstance(event, str):
        yield Refusal(file, at, "", "a hook that names no event")
        return
    rest = {key: value for key, value in entry.items() if key not in ("event", "hook_event_name")}
    yield from _group(file, event, rest, at)


def _event(file: str, event: str, entries: Any, at: str) -> Iterator[FoundHook]:
    if isinstance(entries, dict):
        yield from _group(file, event, entries, at)
        return
    if not isinstance(entries, list):
        yield Refusal(file, at, event, "its hooks are no list")
        return
    for index, entry in enumerate(entries):
        yield from _group(file, event, entry, f"{at}/{index}")


def _group(file: str, event: str, entry: Any, at: str) -> Iterator[FoundHook]:
    """A matcher with its hooks; or a hook with a matcher of its own; or a command alone."""
    if isinstance(entry, str):
        entry = {"command": entry}
    if not isinstance(entry, dict):
        yield Refusal(file, at, event, "a hook that is no object")
        return
    if event not in EVENTS:
        yield Refusal(file, at, event, f"the event `{event}` {_why_not(event)}")
        return
    losses: list[tuple[str, str]] = []
    matchers = _matchers(entry.get("matcher"), f"{at}/matcher", losses)
    if isinstance(matchers, str):
        yield Refusal(file, f"{at}/matcher", event, matchers)
        return
    inner = entry.get("hooks", [{key: value for key, value in entry.items() if key != "matcher"}])
    if "hooks" in entry:
        losses += [
            (at + pointer(key), f"`{key}` of hooks") for key in entry if key not in ("matcher", "hooks")
        ]
    if not isinstance(inner, list):
        yield Refusal(file, f"{at}/hooks", event, "its hooks are no list")
        return
    for index, hook in enumerate(inner):
        place = f"{at}/hooks/{index}" if "hooks" in entry else at
        yield _hook(file, event, matchers, hook, place, losses)
        losses = []


def _meant(event: str) -> list[str]:
    """The event whose name is misspelt."""
    import difflib

    return difflib.get_close_matches(event, [*EVENTS, *OTHERS], n=1, cutoff=0.8)


def _why_not(event: str) -> str:
    if event in OTHERS:
        return "is about the program, and hooks of this language about a turn"
    close = _meant(event)
    return f"is unknown; is `{close[0]}` meant?" if close else "is unknown"


def _hook(
    file: str, event: str, matchers: list[str] | None, hook: Any, at: str, losses: list[tuple[str, str]]
) -> HookSource | Refusal:
    if isinstance(hook, str):
        hook = {"command": hook}
    if not isinstance(hook, dict):
        return Refusal(file, at, event, "a hook that is no object")
    kind = hook.get("type", "command")
    if kind != "command":
        return Refusal(
            file, at, event, f"a hook of type {json.dumps(kind, ensure_ascii=False)}, not a command"
        )
    command = hook.get("command")
    if not isinstance(command, str) or not command.strip():
        return Refusal(file, at, event, "a hook without a command")
    own = [
        *losses,
        *((at + pointer(key), f"`{key}` of a hook") for key in hook if key not in ("type", "command")),
    ]
    return HookSource(file, at, event, matchers, command, own)


def _matchers(value: Any, at: str, losses: list[tuple[str, str]]) -> list[str] | str | None:
    """The patterns of a matcher, None for every tool; or, as text, why it cannot be read."""
    if isinstance(value, dict):
        named = [key for key in _OF_MATCHER if key in value]
        if not named:
            return "a matcher that is an object without tools"
        losses += [(at + pointer(key), f"`{key}` of a matcher") for key in value if key != named[0]]
        value = value[named[0]]
    if value is None:
        return None
    patterns = value if isinstance(value, list) else [value]
    if not all(isinstance(pattern, str) for pattern in patterns):
        return "a matcher that is no text"
    if not patterns:
        return "a matcher that matches nothing"
    plain = [pattern.strip() for pattern in patterns]
    return None if any(pattern in MATCH_ALL for pattern in plain) else plain
