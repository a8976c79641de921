"""Other names and wordings, moved ids, and the choices of the default Surface."""

from typing import assert_never

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.canonical import canonical_texts
from harness_dsl.syntax.checks.clauses import known_word
from harness_dsl.syntax.checks.names import usable
from harness_dsl.syntax.checks.texts import FEEDBACK, TEXT, check_quote, check_text
from harness_dsl.syntax.moves import destinations
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.references import Miss, Target, shape_of, target_of
from harness_dsl.syntax.written import source, written

SETTINGS: dict[str, tuple[str, ...]] = {
    "markup": ("markdown", "xml", "plain"),
    "tool_docs": ("json_schema", "python", "markdown", "typescript", "xml"),
    "call_syntax": (
        "hermes_json",
        "qwen_xml",
        "pythonic",
        "llama_json",
        "fenced_json",
        "verbose_xml",
        "concise_xml",
    ),
}


def check(analysis: Analysis) -> None:
    for id_, quote in canonical_texts(analysis.symbols):
        # Of two texts with one id, which is reported elsewhere, the first has been checked.
        analysis.canonical.setdefault(id_, quote)
    named: dict[tuple[str, str], t.Quote] = {}
    for entry in analysis.symbols.alternatives:
        if isinstance(entry, t.OtherNames):
            _names(analysis, entry, named)
        else:
            _wordings(analysis, entry)
    gone: dict[str, t.MovedDecl] = {}
    ends = destinations(analysis.symbols.moved)
    circles = [moved for moved in analysis.symbols.moved if ends[written(moved.old)] is None]
    if circles:
        analysis.report.say(
            "HD208", "these moves go round in a circle", circles[0].old, "Let the last lead to a declared id."
        )
    for moved in analysis.symbols.moved:
        end = ends[written(moved.old)]
        if end is not None:
            _moved(analysis, moved, end)
        first = gone.setdefault(written(moved.old), moved)
        if first is not moved:
            analysis.report.say(
                "HD208",
                "this id has moved twice",
                moved.old,
                "Keep one of the two.",
                (first.old, "moved here"),
            )
    seen: set[str] = set()
    for setting in analysis.symbols.settings:
        name = setting.name.text
        if name not in SETTINGS:
            analysis.report.unknown("HD114", "surface setting", setting.name, list(SETTINGS))
            continue
        known_word(analysis, setting.value, name, SETTINGS[name])
        if name in seen:
            analysis.report.say("HD109", f"a second `{name}`", setting, "Keep one of the two.")
        seen.add(name)


def text_id(target: Target, analysis: Analysis) -> str | None:
    """The id of the text that a wording for `target` replaces; None if it has no text of its own."""
    if target.kind in ("text", "item"):
        return target.id
    suffix = {"tool": "description", "skill": "when", "hook": "message"}
    if target.kind in suffix:
        return f"{target.id}/{suffix[target.kind]}"
    if target.kind in ("param", "field", "type", "input"):
        return f"{target.id}/description"
    if target.kind == "section":
        section = next(
            decl for decl in analysis.symbols.sections.values() if target.id.endswith("/" + decl.name.text)
        )
        return target.id if isinstance(section.content, t.Prose) else None
    return None


def _resolved(analysis: Analysis, path: t.Path) -> Target | None:
    target = target_of(path, analysis.symbols)
    if isinstance(target, Miss):
        analysis.report.unknown("HD202", target.what, target.at, target.known)
        return None
    return target


def _names(analysis: Analysis, entry: t.OtherNames, named: dict[tuple[str, str], t.Quote]) -> None:
    """`named` has the names of earlier entries, by the symbol they are for."""
    target = _resolved(analysis, entry.target)
    for name in entry.names:
        check_quote(analysis, name)
        value = value_of(name)
        if not usable(value):
            analysis.report.say(
                "HD704", "this is no usable name", name, "Use a word on one line without backticks."
            )
        first = named.setdefault((written(entry.target), value), name)
        if first is not name:
            analysis.report.say(
                "HD705", f"`{value}` is said twice", name, "Keep one of the two.", (first, "the other one")
            )
    if target is not None and target.kind not in ("tool", "param", "value", "skill", "section", "field"):
        analysis.report.say(
            "HD405",
            f"`{written(entry.target)}` has no shown name",
            entry.target,
            "Name a tool, parameter, skill, section, field or enum value.",
        )


def _wordings(analysis: Analysis, entry: t.OtherWordings) -> None:
    target = _resolved(analysis, entry.target)
    scope = FEEDBACK if entry.target.root.text == "hook" else TEXT
    for text in entry.texts:
        check_text(analysis, text, scope)
    if target is None:
        return
    id_ = text_id(target, analysis)
    canonical = analysis.canonical.get(id_) if id_ is not None else None
    if canonical is None:
        analysis.report.say(
            "HD405", f"`{written(entry.target)}` has no text to reword", entry.target, "Name a text."
        )
        return
    wanted = mentions(analysis.template(canonical).parts)
    for text in entry.texts:
        got = mentions(analysis.template(text).parts)
        if got != wanted:
            missing = sorted(wanted - got) or sorted(got - wanted)
            word = "lacks" if wanted - got else "adds"
            analysis.report.say(
                "HD410",
                f"this wording {word} " + ", ".join(f"`{name}`" for name in missing),
                text,
                "Refer to the same symbols, values and limits as the canonical text.",
                (canonical, "the canonical text"),
            )


def mentions(parts: list[t.PartNode]) -> set[str]:
    """What a template refers to and prints, and under which conditions, each as it would be written.

    Wordings that may stand for each other have equal mentions (`harness_dsl.ir.verify_texts.mentions`).
    """
    found: set[str] = set()
    for part in parts:
        match part:
            case t.Chunk():
                continue
            case t.Shown():
                if not (
                    isinstance(part.expression, t.LiteralExpr) and isinstance(part.expression.value, t.Quote)
                ):
                    found.add(f"{{{{ {source(part.expression)} }}}}")
            case t.IfPart():
                then, otherwise = sorted(mentions(part.then)), sorted(mentions(part.otherwise))
                found.add(f"{{% if {source(part.condition)} %}} with {then}, else {otherwise}")
            case t.ForPart():
                head = f"{{% for {part.variable.text} in {source(part.values)} %}}"
                found.add(f"{head} with {sorted(mentions(part.body))}")
            case _:
                assert_never(part)
    return found


def _moved(analysis: Analysis, moved: t.MovedDecl, end: t.Path) -> None:
    """`end`: where later moves lead from the new id on."""
    # A chain that leads nowhere is reported where it ends.
    new = _resolved(analysis, end) if end is moved.new else target_of(end, analysis.symbols)
    if not isinstance(new, Target):
        return
    old = target_of(moved.old, analysis.symbols)
    if isinstance(old, Target):
        analysis.report.say(
            "HD208", f"`{written(moved.old)}` still exists", moved.old, "Move an id that is gone."
        )
    elif shape_of(moved.old, new.kind) is None:
        analysis.report.say(
            "HD208", "the two ids are of different kinds", moved.old, f"Write it like `{written(moved.new)}`."
        )
