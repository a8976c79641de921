"""The reference of every diagnostic code, from the registry and the rules: for `explain` and the docs."""

from inspect import cleandoc
from typing import Any, NamedTuple

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.enforced import FAULTS, PRINCIPLES
from harness_dsl.lint.examples import Shown, shown
from harness_dsl.lint.rule import Rule
from harness_dsl.lint.rules import every

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

_HEAD = f"""# Diagnostics

Written by `{REGENERATE}`. A code never changes its
meaning and is never used again. Errors make compiling impossible. Warnings and remarks (info, shown by
`harnessc check --info`) can be allowed where they stand, by a comment with a reason: `# allow HD406: why`.
Which rule is there for which principle and fault: [enforcement.md](enforcement.md).

| you want | type |
|---|---|
| the safe fixes made | `harnessc check --fix` |
| those too that may change the meaning | `harnessc check --fix --unsafe` |
| a check whenever a file that is read changes | `harnessc check --watch` |
| findings for a program | `harnessc check --format json` |
| findings, fixes and what is allowed for a code scanner | `harnessc check --format sarif > findings.sarif` |
| findings beside the lines of a pull request on GitHub | `harnessc check --format github` in a workflow |
| one code explained | `harnessc explain HD406` or `harnessc explain bare-name` |

Text shows at most 50 findings of a file, errors first; `--all` shows the rest, and the other formats always
have all. Lines and columns count from 1; columns are characters, in SARIF UTF-16 code units. Exit status 0:
nothing to correct. 1: something to correct. 2: a file that is named cannot be read."""


class Entry(NamedTuple):
    """All that is known about a code. `principles` and `faults` are keys of `harness_dsl.lint.enforced`."""

    code: str
    name: str
    severity: str
    summary: str
    why: str
    bad: list[Shown]
    good: list[Shown]
    principles: list[str]
    faults: list[str]

    @property
    def suppression(self) -> str:
        """The comment that allows it; empty for errors."""
        return "" if self.severity == "error" else f"# allow {self.code}: reason"

    @property
    def enforces(self) -> str:
        """In one sentence; empty where there is nothing to say."""
        kept = "; ".join(PRINCIPLES[key].title.lower() for key in self.principles)
        out = " ".join(FAULTS[key].about for key in self.faults)
        return " ".join([*([f"Principle: {kept}."] if kept else []), *([f"Keeps out: {out}"] if out else [])])


def entries() -> list[Entry]:
    """Every code, in order."""
    return list(map(entry, every()))


def entry(rule: Rule) -> Entry:
    name, severity, summary = CODES[rule.code]
    return Entry(
        rule.code,
        name,
        severity,
        summary,
        cleandoc(type(rule).__doc__ or ""),
        shown(rule.bad),
        shown(rule.good),
        [key for key in rule.enforces if key in PRINCIPLES],
        [key for key in rule.enforces if key in FAULTS],
    )


def data(entry: Entry) -> dict[str, Any]:
    """`entry` as JSON-like data."""
    principles = [
        {"name": key, "number": PRINCIPLES[key].number, "title": PRINCIPLES[key].title}
        for key in entry.principles
    ]
    faults = [{"name": key, "number": FAULTS[key].number, "about": FAULTS[key].about} for key in entry.faults]
    return {
        "code": entry.code,
        "name": entry.name,
        "severity": entry.severity,
        "summary": entry.summary,
        "why": entry.why,
        "bad": [part._asdict() for part in entry.bad],
        "good": [part._asdict() for part in entry.good],
        "suppression": entry.suppression,
        "principles": principles,
        "faults": faults,
    }


def text(entry: Entry) -> str:
    """`entry` for a terminal."""
    parts = [f"{entry.code} {entry.name} ({entry.severity})", entry.summary, entry.why]
    for title, example in (("wrong", entry.bad), ("right", entry.good)):
        for caption, body in example:
            parts.append(f"{title} ({caption}):" if caption else f"{title}:")
            if body:
                parts.append("\n".join("    " + line if line else "" for line in body.split("\n")))
    if entry.suppression:
        parts.append(f"To allow it in one place, write `{entry.suppression}` there.")
    if entry.enforces:
        parts.append(entry.enforces)
    return "\n\n".join(parts)


def markdown() -> str:
    """The page `docs/diagnostics.md`."""
    parts = [_HEAD]
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
    for title, example in (("Wrong", entry.bad), ("Right", entry.good)):
        for caption, body in example:
            parts.append(
                f"{title} ({caption}):" if caption and body else f"{title}: {caption}".rstrip(": ") + ":"
            )
            if body:
                parts.append(f"```text\n{body}\n```")
    if entry.enforces:
        parts.append(entry.enforces)
    return "\n\n".join(parts)
