"""Shown names: legal for every target, and different where the model has to tell them apart."""

import re

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.checks.texts import check_quote
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import literal_options

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What OpenAI-style targets take as the name of a tool or parameter."""
BUILT_IN = "load_skill"
"""The tool that a harness with skills has beside those it declares."""
Entry = tuple[str, t.Node]


def check(analysis: Analysis) -> None:
    for space, entries in spaces(analysis).items():
        seen: dict[str, Entry] = {}
        for name, at in entries:
            key = sanitised(name) if space == "tool" else name
            if space == "tool" and key == BUILT_IN and analysis.symbols.skills:
                analysis.report.say(
                    "HD702",
                    f"the built-in `{BUILT_IN}` has this name",
                    at,
                    'Give the tool another with `named "…"`: a model loads a skill by calling that one.',
                )
            elif key in seen:
                first, where = seen[key]
                same = first == name
                analysis.report.say(
                    "HD702",
                    f"two are shown as `{name}`" if same else f"`{name}` and `{first}` become one name",
                    at,
                    'Give one of them another name with `named "…"`.',
                    (where, "the other one"),
                )
            seen.setdefault(key, (name, at))
            _legal(analysis, space, name, at)


def sanitised(name: str) -> str:
    """A tool's name as targets with that rule make of it."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]


def usable(name: str) -> bool:
    """Whether a model can be shown `name`: one printable line without backticks."""
    return name == name.strip() != "" and name.isprintable() and "`" not in name and len(name) <= 200


def _legal(analysis: Analysis, space: str, name: str, at: t.Node) -> None:
    if isinstance(at, t.Quote):
        check_quote(analysis, at)
    if not usable(name):
        analysis.report.say(
            "HD704", "this is no usable name", at, "Use a word on one line without backticks."
        )
    elif space == "tool" and not LEGAL.fullmatch(name):
        analysis.report.say(
            "HD701",
            f"`{name}` is no legal tool name",
            at,
            'Show it under a name of at most 64 letters a-z, digits, `_` and `-`: `named "…"`.',
        )


def spaces(analysis: Analysis) -> dict[str, list[Entry]]:
    """Shown names by namespace: `tool`, `skill`, `section`, and one for the members of each owner."""
    symbols = analysis.symbols
    found: dict[str, list[Entry]] = {
        "tool": [_shown(tool.name, tool.named) for tool in symbols.tools.values()],
        "skill": [_shown(skill.name, skill.named) for skill in symbols.skills.values()],
        "section": [_shown(section.name, section.named) for section in symbols.sections.values()],
    }
    for tool in symbols.tools.values():
        # What is declared twice has its own finding.
        params = symbols.params(tool.name.text).values()
        found[f"param of {tool.name.text}"] = [_shown(p.name, p.named) for p in params]
        for param in tool.params:
            _values(found, f"value of {tool.name.text}.{param.name.text}", param.type)
        _values(found, f"value of {tool.name.text}", tool.returns)
    for name, decl in symbols.types.items():
        if isinstance(decl, t.AliasDecl):
            _values(found, f"value of type {name}", decl.type)
            continue
        found[f"field of {name}"] = [_shown(f.name, f.named) for f in symbols.fields(name).values()]
        for field in decl.fields:
            _values(found, f"value of type {name}.{field.name.text}", field.type)
    return found


def _shown(name: t.Ident, named: t.Quote | None) -> Entry:
    return (value_of(named), named) if named is not None else (name.text, name)


def _values(found: dict[str, list[Entry]], space: str, type_: t.TypeNode) -> None:
    options = {value_of(option.value): option for option in reversed(list(literal_options(type_)))}
    shown = [option.named or option.value for option in reversed(options.values())]
    if shown:
        found[space] = [(value_of(quote), quote) for quote in shown]
