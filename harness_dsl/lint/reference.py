"""The reference of every diagnostic code, from the registry and the rules: for `explain` and the docs."""

from inspect import cleandoc
from typing import Any, NamedTuple

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.rules import RULES

GROUPS = {
    "HD1": "Syntax",
    "HD2": "Names and modules",
    "HD3": "Types and values",
    "HD4": "Templates",
    "HD5": "Hooks and effects",
    "HD6": "Safety",
    "HD7": "Surface and targets",
    "HD8": "Tests",
    "HD9": "Edits",
}
REGENERATE = "harnessc explain --all --format markdown > docs/diagnostics.md"


class Entry(NamedTuple):
    """`why`, `bad` and `good` are empty where no rule has them. Examples are bodies of a file."""

    code: str
    name: str
    severity: str
    summary: str
    why: str = ""
    bad: str = ""
    good: str = ""

    @property
    def suppression(self) -> str:
        """The comment that allows it; empty for errors."""
        return "" if self.severity == "error" else f"# allow {self.code}: reason"


def entries() -> list[Entry]:
    """Every code, in order."""
    rules = {rule.code: rule for rule in RULES}
    found = []
    for code, (name, severity, summary) in sorted(CODES.items()):
        entry = Entry(code, name, severity, summary)
        rule = rules.get(code)
        if rule is not None:
            why = cleandoc(type(rule).__doc__ or "")
            entry = entry._replace(why=why, bad=rule.bad.strip("\n"), good=rule.good.strip("\n"))
        found.append(entry)
    return found


def data(entry: Entry) -> dict[str, Any]:
    """`entry` as JSON-like data."""
    return {**entry._asdict(), "suppression": entry.suppression}


def text(entry: Entry) -> str:
    """`entry` for a terminal."""
    parts = [f"{entry.code} {entry.name} ({entry.severity})", entry.summary]
    if entry.why:
        parts.append(entry.why)
    for title, example in (("wrong:", entry.bad), ("right:", entry.good)):
        if example:
            parts.append(
                title + "\n\n" + "\n".join("    " + line if line else "" for line in example.split("\n"))
            )
    if entry.suppression:
        parts.append(f"To allow it in one place, write `{entry.suppression}` there.")
    return "\n\n".join(parts)


def markdown() -> str:
    """The page `docs/diagnostics.md`."""
    parts = [
        "# Diagnostics",
        f"Written by `{REGENERATE}`. A code never changes its meaning and is never used again. Errors make "
        "compiling impossible. Warnings and remarks (info, shown by `harnessc check --info`) can be allowed "
        "where they stand, by a comment with a reason: `# allow HD406: why`.",
    ]
    group = ""
    for entry in entries():
        title = GROUPS[entry.code[:3]]
        if title != group:
            parts.append(f"## {title}")
            group = title
        parts.append(_section(entry))
    return "\n\n".join(parts) + "\n"


def _section(entry: Entry) -> str:
    parts = [f"### {entry.code} `{entry.name}` ({entry.severity})", entry.summary, entry.why]
    for title, example in (("Wrong:", entry.bad), ("Right:", entry.good)):
        if example:
            parts.append(f"{title}\n\n```text\n{example}\n```")
    return "\n\n".join(part for part in parts if part)
