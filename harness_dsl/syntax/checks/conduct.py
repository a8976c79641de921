"""Skills and hooks."""

from harness_dsl.diagnostics import Fix
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.clauses import known_word, one, said, word_of
from harness_dsl.syntax.checks.declarations import IMPLEMENTATION, TARGET
from harness_dsl.syntax.checks.texts import FEEDBACK, check_text
from harness_dsl.syntax.expressions import Scope
from harness_dsl.syntax.labels import proposed_label
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.references import Miss, Target, target_of
from harness_dsl.syntax.symbols import Symbols

EVENTS = ("before_turn", "before_call", "after_call", "before_reply")
ACTIONS = ("deny", "retry", "replace", "inject", "require", "log")
RULE = Scope("rule")


def check(analysis: Analysis) -> None:
    for skill in analysis.symbols.skills.values():
        _skill(analysis, skill)
    for hook in analysis.symbols.hooks.values():
        _hook(analysis, hook)


def _skill(analysis: Analysis, skill: t.SkillDecl) -> None:
    found = said(analysis, skill.clauses, skill.name, ("when", "uses", "do"))
    when = one(found, "when", t.Prose)
    if when is None:
        analysis.report.say(
            "HD110", f"the skill `{skill.name.text}` does not say when", skill.name, 'Add `when """…"""`.'
        )
    else:
        check_text(analysis, when.quote)
    uses: set[str] = set()
    for name in found["uses"].args if "uses" in found else []:
        if isinstance(name, t.Ident):
            if name.text not in analysis.symbols.tools:
                analysis.report.unknown("HD202", "tool", name, list(analysis.symbols.tools))
            elif name.text in uses:
                analysis.report.say("HD109", f"`{name.text}` is listed twice", name, "Remove one.")
            uses.add(name.text)
    items = one(found, "do", t.Items)
    if items is not None:
        check_items(analysis, items)


def check_items(analysis: Analysis, items: t.Items) -> None:
    """Steps or rules: known by position in an ordered list, by label in an unordered one."""
    seen: dict[str, t.Ident] = {}
    taken = {item.label.text for item in items.items if item.label is not None}
    for item in items.items:
        label = item.label
        if items.ordered and label is not None:
            analysis.report.say(
                "HD204",
                f"the label `{label.text}` stands in an ordered list",
                label,
                "Remove it, or make the list `unordered`.",
            )
        elif not items.ordered and label is None:
            analysis.report.say(
                "HD205",
                "this item of an unordered list has no label",
                t.Node(item.start, min(item.end, item.text.quote.start + 3)),
                "Write a name before its text.",
                fix=_label(analysis, item, taken),
            )
        elif label is not None:
            if label.text in seen:
                analysis.report.say(
                    "HD201",
                    f"label `{label.text}` is used twice",
                    label,
                    "Rename one of the two.",
                    (seen[label.text], "first used here"),
                )
            seen.setdefault(label.text, label)
        check_text(analysis, item.text.quote)
        if item.check is not None:
            analysis.expressions.condition(item.check, RULE)


def _label(analysis: Analysis, item: t.ItemDecl, taken: set[str]) -> Fix:
    """A list with an item without label means nothing yet, so a label changes no meaning."""
    label = proposed_label(item, taken)
    taken.add(label)
    before = analysis.report.span(t.Node(item.text.quote.start, item.text.quote.start))
    return Fix(f"label it `{label}`", before, f"{label} ", safe=True)


def _hook(analysis: Analysis, hook: t.HookDecl) -> None:
    known_word(analysis, hook.event, "event", EVENTS)
    found = said(analysis, hook.clauses, hook.name, ("if", "action", "max", "fail"))
    condition = found.get("if")
    if condition is None:
        analysis.report.say(
            "HD110", f"the hook `{hook.name.text}` has no condition", hook.name, "Add `if …`."
        )
    else:
        event = hook.event.text if hook.event.text in EVENTS else ""
        expression: t.Expr = condition.args[0]  # type: ignore[assignment]  # the grammar puts one there
        analysis.expressions.condition(expression, Scope("hook", event))
    word_of(analysis, found.get("fail"), "way to fail", ("open", "closed"))
    same: set[str] = set()
    for clause in hook.clauses:
        if clause.word == "same" and isinstance(clause.args[0], t.Quote):
            target = value_of(clause.args[0])
            if not TARGET.fullmatch(target):
                analysis.report.say(
                    "HD506", f'"{target}" is not `module:function`', clause.args[0], IMPLEMENTATION
                )
            elif target in same:
                analysis.report.say("HD109", f"`{target}` is listed twice", clause, "Remove one.")
            same.add(target)
    action = one(found, "action", t.Action)
    if action is None:
        analysis.report.say(
            "HD110",
            f"the hook `{hook.name.text}` takes no action",
            hook.name,
            f"Add one of {', '.join(ACTIONS)}.",
        )
        return
    _action(analysis, action)
    _maximum(analysis, action, one(found, "max", t.Number))


def _action(analysis: Analysis, action: t.Action) -> None:
    if action.message is not None:
        check_text(analysis, action.message.quote, FEEDBACK)
    elif action.word in ("deny", "retry", "replace", "inject"):
        analysis.report.say(
            "HD110", f"`{action.word}` needs a message", action, f'Write `{action.word} """…"""`.'
        )
    if action.target is not None:
        target = required(action.target, analysis.symbols)
        if isinstance(target, Miss):
            analysis.report.unknown("HD202", target.what, target.at, target.known)


def required(path: t.Path, symbols: Symbols) -> Target | Miss:
    """What `require` names: a tool or skill, with or without `tool.` or `skill.` before it."""
    if path.segments:
        target = target_of(path, symbols)
        if isinstance(target, Target) and target.kind not in ("tool", "skill"):
            return Miss(path.root, "tool or skill", [])
        return target
    name = path.root
    for root, table in (("tool", symbols.tools), ("skill", symbols.skills)):
        if name.text in table:
            whole = t.Path(path.start, path.end, t.Ident(name.start, name.end, root), [name])
            return target_of(whole, symbols)
    return Miss(name, "tool or skill", [*symbols.tools, *symbols.skills])


def _maximum(analysis: Analysis, action: t.Action, maximum: t.Number | None) -> None:
    if maximum is None:
        return
    if action.word not in ("retry", "require", "inject"):
        analysis.report.say("HD504", f"`max` has no meaning for `{action.word}`", maximum, "Remove it.")
    elif not (maximum.text.isdigit() and 1 <= int(maximum.text[:5]) <= 100):
        analysis.report.say("HD115", "a hook retries 1 to 100 times", maximum, "Write a whole number.")
