"""Header, inputs, tools and limits."""

import re

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.clauses import one, said, word_of
from harness_dsl.syntax.checks.texts import check_quote, check_text
from harness_dsl.syntax.checks.types import check_type
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import ROOTS
from harness_dsl.syntax.values import check_json, exact

ENFORCED = {
    "turns": 1,
    "tool_calls": 0,
    "reply_chars": 1,
    "reply_tokens": 1,
    "think_tokens": 0,
    "wall_ms": 1,
}
"""The limits that the runtime enforces, each with its least value."""
EFFECTS = ("read", "write", "irreversible")
TARGET = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*")
IMPLEMENTATION = 'Write for example "shop.tools:get_quote".'
_NUMBER = r"(?:0|[1-9]\d{0,8})"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:[-+][0-9A-Za-z.+-]{{1,60}})?")
_UNITS = {"ms": 1, "s": 1000, "min": 60_000}


def check(analysis: Analysis) -> None:
    _header(analysis)
    for input_ in analysis.symbols.inputs.values():
        check_type(analysis, input_.type)
        check_text(analysis, input_.description)
        if input_.name.text in ROOTS:
            analysis.report.say(
                "HD203",
                f"`{input_.name.text}` already means something in templates",
                input_.name,
                "Rename it.",
            )
    for tool in analysis.symbols.tools.values():
        _tool(analysis, tool)
    for limit in analysis.symbols.limits.values():
        _limit(analysis, limit)


def milliseconds(duration: t.Number) -> int | None:
    """A duration such as `800ms`, `1.5s` or `2min`; None if it is no whole number of milliseconds or over
    a day.
    """
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|min)", duration.text)
    if match is None:
        return None
    value = float(match[1]) * _UNITS[match[2]]
    return int(value) if value.is_integer() and 0 < value <= 86_400_000 else None


def _header(analysis: Analysis) -> None:
    header = analysis.symbols.header
    if header is None:
        if not analysis.file.lost or not analysis.file.text.lstrip().startswith("harness"):
            analysis.report.say(
                "HD107", "the file has no header", t.Node(0, 0), 'Begin it with `harness NAME "1.0.0"`.'
            )
        return
    if analysis.file.decls[0] is not header:
        analysis.report.say(
            "HD107", "the header is not the first declaration", header.name, "Move it to the top."
        )
    version = value_of(header.version)
    if not _VERSION.fullmatch(version):
        analysis.report.say(
            "HD108", f'"{version}" is not MAJOR.MINOR.PATCH', header.version, 'Write for example "1.0.0".'
        )
    if header.description is not None:
        check_quote(analysis, header.description)


def _tool(analysis: Analysis, tool: t.ToolDecl) -> None:
    for param in tool.params:
        check_type(analysis, param.type)
        check_text(analysis, param.description)
        if param.default is not None:
            what = f"the default of `{param.name.text}`"
            check_json(param.default, param.type, analysis.symbols, analysis.report, what)
            if param.optional:
                analysis.report.say(
                    "HD504", "a parameter with a default is optional anyway", param.default, "Remove the `?`."
                )
    check_type(analysis, tool.returns)
    found = said(
        analysis, tool.clauses, tool.name, ("text", "effect", "idempotent", "impl", "timeout", "fails")
    )
    _description(analysis, tool, found)
    word_of(analysis, found.get("effect"), "effect", EFFECTS)
    impl = one(found, "impl", t.Impl)
    if impl is not None:
        check_implementation(analysis, impl)
    timeout = one(found, "timeout", t.Number)
    if timeout is not None and milliseconds(timeout) is None:
        analysis.report.say(
            "HD115",
            f"`{timeout.text}` is no usable duration",
            timeout,
            "Use whole milliseconds, at most a day.",
        )
    names: set[str] = set()
    for name in found["fails"].args if "fails" in found else []:
        if isinstance(name, t.Ident):
            if name.text in names:
                analysis.report.say("HD109", f"`{name.text}` is listed twice", name, "Remove one.")
            names.add(name.text)


def _description(analysis: Analysis, tool: t.ToolDecl, found: dict[str, t.Clause]) -> None:
    text = one(found, "text", t.Prose)
    if text is not None:
        check_text(analysis, text.quote)
        return
    analysis.report.say(
        "HD502",
        f"the tool `{tool.name.text}` has no description",
        tool.name,
        'Say in its body what it does: `"""…"""`.',
    )


def check_implementation(analysis: Analysis, impl: t.Impl) -> None:
    """`python "module:function"`, an http address, or a server and a tool."""
    target = value_of(impl.target)
    if impl.kind == "python" and not TARGET.fullmatch(target):
        analysis.report.say(
            "HD506",
            f'"{target}" is not `module:function`',
            impl.target,
            IMPLEMENTATION,
        )
    elif impl.kind == "http" and not re.fullmatch(r"https?://[^\s/]+(?:/\S*)?", target):
        analysis.report.say("HD506", f'"{target}" is no http address', impl.target, 'Write "https://…".')
    elif impl.kind == "mcp":
        for quote, what in ((impl.target, "server"), (impl.tool, "tool")):
            if quote is not None and not value_of(quote).strip():
                analysis.report.say("HD506", f"the {what} has no name", quote, "Say what it is called.")


def _is_whole(value: t.Number | t.Quote, least: int) -> bool:
    return isinstance(value, t.Number) and value.text.isdecimal() and int(value.text[:16]) >= least


def _limit(analysis: Analysis, limit: t.LimitDecl) -> None:
    report = analysis.report
    least = ENFORCED.get(limit.name.text)
    if least is not None and not _is_whole(limit.value, least):
        report.say(
            "HD115",
            f"`{limit.name.text}` is a whole number, at least {least}",
            limit.value,
            "The runtime enforces it; give a limit of your own another name.",
        )
        return
    if isinstance(limit.value, t.Quote):
        check_quote(analysis, limit.value)
    elif len(limit.value.text) > 16:
        report.say("HD115", "a limit has at most 15 digits", limit.value, "Write a smaller number.")
        return
    if limit.legal is not None:
        _legal(analysis, limit, limit.legal, least)


def _legal(analysis: Analysis, limit: t.LimitDecl, legal: t.Legal, least: int | None) -> None:
    """What a limit may be set to; `least`: of one that the runtime enforces."""
    report = analysis.report
    numbers = [value for value in legal.values if isinstance(value, t.Number)]
    unkept = [] if least is None else [number for number in numbers if not _is_whole(number, least)]
    if bool(numbers) != isinstance(limit.value, t.Number):
        report.say(
            "HD308",
            "the value and its range are of two kinds",
            legal,
            "Give both as numbers or both as words.",
        )
    elif unkept:
        report.say(
            "HD115",
            f"`{limit.name.text}` is a whole number, at least {least}, wherever in its range",
            unkept[0],
            "The runtime enforces it: correct the range.",
        )
    elif numbers:
        low, high = (exact(value) for value in numbers)
        if low > high:
            report.say("HD308", "the range is empty", legal, "Swap the two numbers.")
        elif isinstance(limit.value, t.Number) and not low <= exact(limit.value) <= high:
            report.say(
                "HD308",
                f"{limit.value.text} is outside its range",
                limit.value,
                "Move it into the range.",
                (legal, "the range"),
            )
    else:
        _choices(analysis, limit, legal)


def _choices(analysis: Analysis, limit: t.LimitDecl, legal: t.Legal) -> None:
    report = analysis.report
    words = [value_of(value) for value in legal.values if isinstance(value, t.Quote)]
    if isinstance(limit.value, t.Quote) and value_of(limit.value) not in words:
        report.say(
            "HD308",
            "the value is none of its choices",
            limit.value,
            "Add it to them.",
            (legal, "the choices"),
        )
    if len(set(words)) < len(words):
        report.say("HD308", "a choice is listed twice", legal, "Remove one.")
