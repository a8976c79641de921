"""Type declarations and every type that is written somewhere."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.recursion import walk
from harness_dsl.syntax.checks.texts import check_quote, check_text
from harness_dsl.syntax.kinds import BUILTIN
from harness_dsl.syntax.patterns import check_pattern
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import literal_options
from harness_dsl.syntax.values import number

CONSTRAINTS: dict[str, tuple[str, ...]] = {
    "string": ("min_length", "max_length", "pattern", "format"),
    "int": ("min", "max"),
    "decimal": ("min", "max"),
    "float": ("min", "max"),
}
DEPTH = 40


def check(analysis: Analysis) -> None:
    for decl in analysis.symbols.types.values():
        check_text(analysis, decl.description)
        if decl.name.text in (*BUILTIN, "map"):
            analysis.report.say("HD201", f"`{decl.name.text}` is a built-in type", decl.name, "Rename it.")
        if isinstance(decl, t.RecordDecl):
            for field in decl.fields:
                check_type(analysis, field.type)
                check_text(analysis, field.description)
        else:
            check_type(analysis, decl.type)


def check_type(analysis: Analysis, node: t.TypeNode) -> None:
    """A type as written at a field, parameter, input or result."""
    for part, depth in walk(node):
        if depth > DEPTH:
            analysis.report.say(
                "HD117", f"types are nested more than {DEPTH} deep", node, "Name a part of it."
            )
            return
        if isinstance(part, t.NamedType):
            _named(analysis, part)
        elif isinstance(part, t.GenericType):
            _generic(analysis, part)
        elif isinstance(part, t.ListTypeNode) and part.bounds:
            _bounds(analysis, part.bounds)
        elif isinstance(part, t.LiteralType):
            check_quote(analysis, part.value)
    _distinct(analysis, node)


def _generic(analysis: Analysis, node: t.GenericType) -> None:
    if node.name.text != "map":
        analysis.report.unknown(
            "HD301", "generic type", node.name, ["map"], "Write `T[]` for a list and `map<T>` for a map."
        )
    elif node.extra:
        analysis.report.say(
            "HD302",
            "`map` takes one type, that of its values",
            t.Node(node.extra[0].start, node.extra[-1].end),
            "Leave it out: the keys of a map are always texts.",
        )


def _distinct(analysis: Analysis, node: t.TypeNode) -> None:
    seen: dict[str, t.LiteralType] = {}
    for option in literal_options(node):
        value = value_of(option.value)
        if not value:
            analysis.report.say("HD302", "an enum value is empty", option.value, "Say what it is.")
        if value in seen:
            analysis.report.say(
                "HD307",
                f'"{value}" is listed twice',
                option.value,
                "Remove one.",
                (seen[value], "listed here"),
            )
        seen.setdefault(value, option)


def _named(analysis: Analysis, node: t.NamedType) -> None:
    name = node.name.text
    if name not in BUILTIN and name not in analysis.symbols.types:
        if name == "number":
            analysis.report.say("HD301", "no type `number`", node.name, "Write `int`, `decimal` or `float`.")
            return
        known = [*BUILTIN, *analysis.symbols.types]
        analysis.report.unknown("HD301", "type", node.name, known, "Declare it with `type`.")
        return
    allowed = CONSTRAINTS.get(name, ())
    seen: dict[str, t.Constraint] = {}
    for constraint in node.constraints:
        word = constraint.name.text
        if word not in allowed:
            help_ = f"Use {', '.join(allowed)}." if allowed else "Remove it."
            analysis.report.say("HD302", f"`{name}` has no constraint `{word}`", constraint.name, help_)
        elif word in seen:
            analysis.report.say("HD302", f"`{word}` is said twice", constraint.name, "Keep one of the two.")
        else:
            _constraint(analysis, name, constraint)
        seen.setdefault(word, constraint)
    _range(analysis, node, seen)


def _constraint(analysis: Analysis, type_name: str, constraint: t.Constraint) -> None:
    word, value = constraint.name.text, constraint.value
    if word in ("pattern", "format"):
        if isinstance(value, t.Number):
            analysis.report.say("HD302", f"`{word}` needs a string", value, f'Write `{word}: "…"`.')
        elif word == "pattern":
            check_pattern(value, analysis.report)
        return
    if not isinstance(value, t.Number):
        analysis.report.say("HD302", f"`{word}` needs a number", value, f"Write `{word}: 1`.")
        return
    whole = type_name == "int" or word.endswith("_length")
    if whole and "." in value.text:
        analysis.report.say("HD302", f"`{word}` needs a whole number", value, "Remove the fraction.")
    elif word.endswith("_length") and value.text.startswith("-"):
        analysis.report.say("HD302", "a length is never negative", value, "Write 0 or more.")
    elif len(value.text) > 16:
        analysis.report.say("HD302", "a bound has at most 15 digits", value, "Write a smaller number.")


def _range(analysis: Analysis, node: t.NamedType, seen: dict[str, t.Constraint]) -> None:
    for low, high in (("min", "max"), ("min_length", "max_length")):
        a, b = seen.get(low), seen.get(high)
        values = [c.value for c in (a, b) if c is not None and isinstance(c.value, t.Number)]
        if len(values) == 2 and number(values[0]) > number(values[1]):
            empty = f"{values[0].text}..{values[1].text}"
            analysis.report.say("HD302", f"no value is in {empty}", node, "Swap the two numbers.")


def _bounds(analysis: Analysis, bounds: t.Bounds) -> None:
    for side in (bounds.low, bounds.high):
        if side is not None and ("." in side.text or "-" in side.text or len(side.text) > 9):
            analysis.report.say("HD302", "a length is a whole number", side, "Write for example `[1..3]`.")
            return
    if bounds.low and bounds.high and int(bounds.low.text) > int(bounds.high.text):
        analysis.report.say("HD302", "no list has such a length", bounds, "Swap the two numbers.")
