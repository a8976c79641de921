"""Prompt sections and the constraints on their order."""

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.clauses import known_word
from harness_dsl.syntax.checks.conduct import check_items
from harness_dsl.syntax.checks.texts import check_text


def check(analysis: Analysis) -> None:
    prompt = analysis.symbols.prompt
    header = analysis.symbols.header
    if prompt is None:
        if header is not None and header.module:
            return
        if "prompt" not in analysis.file.lost and "system" not in analysis.file.lost:
            analysis.report.say(
                "HD110", "the file has no system prompt", t.Node(0, 0), "Add `prompt system { … }`."
            )
        return
    if not prompt.sections and not analysis.file.lost:
        where = t.Node(prompt.start, prompt.start + len("prompt"))
        analysis.report.say("HD110", "the prompt has no section", where, "Add `section NAME …`.")
    catalogs: dict[str, t.SectionDecl] = {}
    for section in prompt.sections:
        match section.content:
            case t.Prose():
                check_text(analysis, section.content.quote)
            case t.Items():
                check_items(analysis, section.content)
            case t.Catalog():
                _catalog(analysis, section, section.content, catalogs)
    _order(analysis, prompt)


def _catalog(
    analysis: Analysis, section: t.SectionDecl, catalog: t.Catalog, seen: dict[str, t.SectionDecl]
) -> None:
    known_word(analysis, catalog.of, "catalog", ("tools", "skills"))
    if catalog.of.text in seen:
        first = seen[catalog.of.text]
        analysis.report.say(
            "HD109",
            f"a second catalog of {catalog.of.text}",
            section.name,
            "Keep one.",
            (first.name, "the first"),
        )
    seen.setdefault(catalog.of.text, section)


def _order(analysis: Analysis, prompt: t.PromptDecl) -> None:
    symbols, report = analysis.symbols, analysis.report
    good = []
    for rule in prompt.order:
        names = [rule.section] + ([rule.other] if rule.other else [])
        missing = [name for name in names if name.text not in symbols.sections]
        for name in missing:
            report.unknown("HD202", "section", name, list(symbols.sections))
        if not missing:
            good.append(rule)
    for place in ("first", "last"):
        rules = [rule for rule in good if rule.relation == place]
        for rule in rules[1:]:
            if rule.section.text != rules[0].section.text:
                good.remove(rule)
                report.say(
                    "HD206",
                    f"two sections are to be {place}",
                    rule,
                    "Keep one.",
                    (rules[0], f"the other {place}"),
                )
    cycle = order_cycle(good, list(symbols.sections))
    if cycle is not None:
        rule, circle = cycle
        report.say(
            "HD206",
            "these constraints go round in a circle: " + " → ".join(circle),
            rule,
            "Remove one of them.",
        )


def edges(rules: list[t.OrderRule], sections: list[str]) -> list[tuple[str, str, t.OrderRule]]:
    """(earlier, later, because of) for every pair that the constraints decide."""
    found = []
    for rule in rules:
        name = rule.section.text
        if rule.relation == "first":
            found += [(name, other, rule) for other in sections if other != name]
        elif rule.relation == "last":
            found += [(other, name, rule) for other in sections if other != name]
        elif rule.other is not None:
            pair = (name, rule.other.text) if rule.relation == "before" else (rule.other.text, name)
            found.append((*pair, rule))
    return found


def in_order(names: list[str], rules: list[t.OrderRule]) -> list[str]:
    """`names` in the order that keeps every rule and is closest to the given one: of those that may come
    next, always the first.
    """
    earlier: dict[str, set[str]] = {name: set() for name in names}
    for before, after, _ in edges(rules, names):
        earlier[after].add(before)
    found: list[str] = []
    left = list(names)
    while left:
        following = next(name for name in left if earlier[name] <= set(found))
        found.append(following)
        left.remove(following)
    return found


def order_cycle(rules: list[t.OrderRule], sections: list[str]) -> tuple[t.OrderRule, list[str]] | None:
    """A cycle of the constraints, if there is one: the constraint that closes it and the sections on it."""
    later: dict[str, list[tuple[str, t.OrderRule]]] = {}
    for before, after, rule in edges(rules, sections):
        later.setdefault(before, []).append((after, rule))
    done: set[str] = set()
    for start in sections:
        path: list[str] = []
        stack = [(start, iter(later.get(start, ())))]
        path.append(start)
        while stack:
            name, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                done.add(name)
                stack.pop()
                path.pop()
                continue
            after, rule = step
            if after in path:
                return rule, [*path[path.index(after) :], after]
            if after not in done:
                stack.append((after, iter(later.get(after, ()))))
                path.append(after)
    return None
