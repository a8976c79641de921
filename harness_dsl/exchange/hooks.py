"""Hook settings as hooks of the language: those whose commands always end in the same way.

A harness is declared and a command is run, so most commands have no place in it: each is refused with the
reason, rather than taken for one that allows everything.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness_dsl.exchange.found import Loss, Refusal
from harness_dsl.exchange.hook_commands import Decision, decision, fixed_outcome
from harness_dsl.exchange.names import Names, identifier
from harness_dsl.exchange.prose import paragraph, quoted, without_surrogates
from harness_dsl.exchange.reading_hooks import EVENTS, OF_TOOLS, HookSource, read_hooks
from harness_dsl.exchange.tidy import analyse, with_mentions
from harness_dsl.lint import lint
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.patterns import Refused, is_exponential
from harness_dsl.syntax.quotes import value_of


@dataclass(slots=True)
class ImportedHooks:
    """`text`: a module with the hooks, or the harness they were put into; "" if none could be taken over.
    `hooks`: what each was read from, by its identifier.
    """

    text: str = ""
    hooks: dict[str, HookSource] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)


class _Unsayable(Exception):
    """A hook cannot be taken over; the message says why."""


def import_hooks(path: Path, harness: Analysis | None = None) -> ImportedHooks:
    """The hooks of the settings at `path`. `harness`: whose tools the matchers name, and which the hooks are
    put into; it has no errors. Without it they make a module, which knows no tools.
    """
    result = ImportedHooks()
    tools = {} if harness is None else _tools(harness)
    names = Names()
    for name in {} if harness is None else harness.symbols.hooks:
        names.identifier(name)
    written = []
    for found in read_hooks(path):
        if isinstance(found, Refusal):
            result.refusals.append(found)
        elif isinstance(found, Loss):
            result.losses.append(found)
        else:
            text = _taken(found, names, None if harness is None else tools, result)
            written += [text] if text else []
    if written:
        name = identifier(path.resolve().stem)
        head = f'module {name} "1.0.0"\n  {quoted(f"Hook settings of {name}, as imported.")}'
        result.text = _laid_out(head if harness is None else harness.file.text.rstrip("\n"), written, harness)
    return result


def _tools(harness: Analysis) -> dict[str, str]:
    """The identifier of each tool, by the name that is shown."""
    return {
        value_of(decl.named) if decl.named is not None else name: name
        for name, decl in harness.symbols.tools.items()
    }


def _taken(source: HookSource, names: Names, tools: dict[str, str] | None, result: ImportedHooks) -> str:
    """The declaration of `source`; "" if it is refused."""
    losses = [Loss(source.file, at, what) for at, what in source.losses]
    try:
        body = _body(source, tools, losses)
    except _Unsayable as reason:
        result.refusals.append(Refusal(source.file, source.at, source.event, str(reason)))
        return ""
    result.losses += losses
    words = "_".join(part for pattern in source.matchers or [] for part in re.findall(r"\w+", pattern))
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", source.event).lower()
    name = names.identifier(identifier(f"{kind}_{words}".strip("_")[:60]))
    result.hooks[name] = source
    return f"hook {name} on {EVENTS[source.event]} {{\n  {body}\n}}"


def _body(source: HookSource, tools: dict[str, str] | None, losses: list[Loss]) -> str:
    """Condition and action. Raises `_Unsayable`."""
    outcome = fixed_outcome(source.command)
    if outcome is None:
        raise _Unsayable("what its command decides is not known before it runs")
    decided = decision(outcome)
    if decided is None:
        raise _Unsayable("its command answers with something that hooks of this language cannot do")
    action = _action(source, decided, losses)
    if source.matchers is not None and source.event not in OF_TOOLS:
        losses.append(Loss(source.file, source.at, "a matcher at an event that is about no tool"))
    return f"if {_condition(source, tools)}\n  {action}"


def _condition(source: HookSource, tools: dict[str, str] | None) -> str:
    if source.matchers is None or source.event not in OF_TOOLS:
        return "true"
    shown = ", ".join(f"`{pattern}`" for pattern in source.matchers)
    meant = [_meaning(pattern) for pattern in source.matchers]
    if tools is None:
        raise _Unsayable(f"a module has no tool {shown}: name the harness that has it")
    matched = [id_ for name, id_ in tools.items() if any(means(name) for means in meant)]
    if not matched:
        raise _Unsayable(f"no tool of the harness is shown as {shown}")
    return " or ".join(f"calling({name})" for name in matched)


def matches(pattern: str, name: str) -> bool:
    """Whether a matcher means the tool shown as `name`: names are matched whole, hyphens or not.

    Raises `_Unsayable` for a pattern that is none.
    """
    return _meaning(pattern)(name)


def _meaning(pattern: str) -> Callable[[str], bool]:
    """Whether a name is meant by the matcher `pattern`. Raises `_Unsayable`."""
    if re.fullmatch(r"[\w|-]+", pattern):
        names = pattern.split("|")
        return lambda name: name in names
    try:
        compiled = re.compile(pattern)
        slow = is_exponential(pattern)
    except (re.error, RecursionError, OverflowError, Refused):
        raise _Unsayable(f"`{pattern}` is no pattern of this language") from None
    if slow:
        raise _Unsayable(f"the pattern `{pattern}` can take exponential time")
    return lambda name: compiled.fullmatch(name) is not None


def _action(source: HookSource, decided: Decision, losses: list[Loss]) -> str:
    """What happens whenever the hook is asked."""

    def lose(what: str) -> None:
        losses.append(Loss(source.file, source.at, what))

    if decided.failed:
        lose("a failure that blocks nothing: it is logged, and its user is told nothing")
        return "log\n  fail open"
    if decided.block:
        if not decided.reason:
            lose("that a hook blocks without a word: it says `Not allowed.`")
        return _blocking(source.event, _text(decided.reason or "Not allowed."), lose)
    if not decided.reason:
        raise _Unsayable("it does nothing")
    if source.event == "UserPromptSubmit":
        return f"inject {_text(decided.reason)}"
    lose("words for the user that no model reads: they are logged")
    return f"log {_text(decided.reason)}\n  fail open"


def _blocking(event: str, text: str, lose: Callable[[str], None]) -> str:
    match event:
        case "PreToolUse" | "UserPromptSubmit":
            return f"deny {text}"
        case "PostToolUse":
            return f"inject {text}"
        case _:
            lose("that every reply is sent back: here one in each turn")
            return f"inject {text} max 1"


def _text(text: str) -> str:
    return paragraph(without_surrogates(text), "  ")


def _laid_out(head: str, written: list[str], harness: Analysis | None) -> str:
    """The whole file, with mentions in the new texts as references."""
    path = "hooks.harness" if harness is None else harness.file.path
    text = "\n\n".join([head, *written]) + "\n"
    analysis = analyse(text, path)
    if not analysis.ok:
        raise AssertionError(f"generated text is wrong: {analysis.diagnostics[0]}")
    new = [found for found in lint(analysis) if found.span.start >= len(head)]
    formatted, _ = format_text(with_mentions(analysis, new), path)
    assert formatted is not None, "what could be analysed can be laid out"
    return formatted
