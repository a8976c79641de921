"""Prose: templates with their references, values and conditions."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.expressions import Scope
from harness_dsl.syntax.kinds import ANY
from harness_dsl.syntax.modules.prose import through_modules
from harness_dsl.syntax.quotes import bad_escapes
from harness_dsl.syntax.references import SHOWN_KINDS, Miss, target_of
from harness_dsl.syntax.template import template_of
from harness_dsl.syntax.written import known_present, written

TEXT = Scope("text")
FEEDBACK = Scope("text", strangers=True)
"""A hook's message is shown in a user turn."""


def check_quote(analysis: Analysis, quote: t.Quote) -> None:
    """A quoted text that is no template."""
    for start, end in bad_escapes(quote):
        analysis.report.say(
            "HD106", "this backslash begins no escape", t.Node(start, end), 'Write `\\\\`, or use r"…".'
        )


def check_text(analysis: Analysis, quote: t.Quote | None, scope: Scope = TEXT) -> None:
    """A text for the model."""
    if quote is None:
        return
    check_quote(analysis, quote)
    template = template_of(quote, analysis.file.path)
    analysis.templates[id(quote)] = template
    analysis.report.found.extend(map(analysis.report.sources.placed, template.diagnostics))
    through_modules(analysis, quote, template.parts)
    if not template.parts and not template.diagnostics:
        analysis.report.say("HD409", "this text is empty", quote, "Say something, or leave it out.")
    check_parts(analysis, template.parts, scope)


def check_parts(analysis: Analysis, parts: list[t.PartNode], scope: Scope) -> None:
    for part in parts:
        match part:
            case t.Chunk():
                continue
            case t.Shown():
                _shown(analysis, part.expression, scope)
            case t.IfPart():
                analysis.expressions.condition(part.condition, scope)
                known = scope.present | known_present(part.condition)
                check_parts(analysis, part.then, scope._replace(present=known))
                check_parts(analysis, part.otherwise, scope)
            case t.ForPart():
                _loop(analysis, part, scope)


def is_reference(expression: t.Expr, scope_loops: dict[str, object] | None = None) -> bool:
    """Whether `{{ expression }}` prints a name or a limit rather than a value."""
    if not isinstance(expression, t.Path):
        return False
    root = expression.root.text
    return root in ("tool", "skill", "type", "section", "limits") and root not in (scope_loops or {})


def _shown(analysis: Analysis, expression: t.Expr, scope: Scope) -> None:
    if isinstance(expression, t.Path) and is_reference(expression):
        if expression.root.text in analysis.symbols.inputs:
            return  # the input may not be called so, which is said where it is declared
        target = target_of(expression, analysis.symbols)
        if isinstance(target, Miss):
            analysis.report.unknown("HD405", target.what, target.at, target.known)
        elif target.kind not in SHOWN_KINDS:
            analysis.report.say(
                "HD405",
                f"`{written(expression)}` has no shown name",
                expression,
                "Refer to a tool, parameter, skill, section, field, enum value or limit.",
            )
        return
    kind = analysis.expressions.kind(expression, scope)
    if kind.name in ("nullable", "null", "list", "record", "map"):
        advice = {
            "list": 'Join it with `| join(", ")`, or go through it with `{% for x in … %}`.',
            "nullable": 'Say what to print for null: `| default("…")`.',
        }.get(kind.name, "Print one of its fields, or `| json`.")
        analysis.report.say("HD408", f"{kind} cannot be printed", expression, advice)
    if not scope.strangers:
        _no_strangers(analysis, expression, scope)


def _no_strangers(analysis: Analysis, expression: t.Expr, scope: Scope) -> None:
    """The words of a stranger never stand in the prompt."""
    for path in paths(expression):
        root = path.root.text
        decl = analysis.symbols.inputs.get(root)
        if root in scope.tainted or (root not in scope.loops and decl is not None and decl.untrusted):
            label = (decl.name, "declared untrusted here") if decl is not None else None
            analysis.report.say(
                "HD601",
                f"untrusted `{root}` would stand in the system prompt",
                path,
                "Leave it out: the viewer's words reach the model in a user turn.",
                label,
            )


def paths(expression: t.Expr) -> list[t.Path]:
    """The values that `expression` reads."""
    match expression:
        case t.Path():
            return [expression]
        case t.Apply():
            return paths(expression.subject)
        case t.CallExpr():
            return paths(expression.argument)
        case t.Infix():
            return paths(expression.left) + paths(expression.right)
        case t.NotExpr():
            return paths(expression.operand)
        case t.EveryExpr():
            return paths(expression.subject) + paths(expression.within)
        case t.MatchesExpr():
            return paths(expression.subject)
        case _:
            return []


def _loop(analysis: Analysis, part: t.ForPart, scope: Scope) -> None:
    kind = analysis.expressions.kind(part.values, scope)
    item = ANY
    if kind.name == "list":
        item = kind.item or ANY
    elif kind.name != "any":
        analysis.report.say(
            "HD305", f"`for` needs a list, and this is {kind}", part.values, "Go through a list."
        )
    name = part.variable.text
    taken = name in analysis.symbols.inputs or name in scope.loops
    if taken or name in ("tool", "skill", "type", "section", "limits", "argument"):
        analysis.report.say(
            "HD203", f"`{name}` already means something here", part.variable, "Choose another name."
        )
    tainted = scope.tainted
    for path in paths(part.values):
        decl = analysis.symbols.inputs.get(path.root.text)
        if path.root.text in scope.tainted or (decl is not None and decl.untrusted):
            tainted = tainted | {name}
    check_parts(analysis, part.body, scope._replace(loops={**scope.loops, name: item}, tainted=tainted))
