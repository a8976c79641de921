"""The page `docs/enforcement.md`: each principle and kind of fault, with the rules behind it."""

import re
from pathlib import Path

from harness_dsl.diagnostics.codes import CODES
from harness_dsl.lint.enforced import FAULTS, PRINCIPLES
from harness_dsl.lint.rules import every

_TEST = re.compile(r"^ *(?:async )?def test_bug_(\d+)_", re.MULTILINE)


def enforcers() -> dict[str, list[str]]:
    """Codes by the key of what they are there for; every principle and every fault has a list."""
    found: dict[str, list[str]] = {key: [] for key in (*PRINCIPLES, *FAULTS)}
    for rule in every():
        for key in rule.enforces:
            found[key].append(rule.code)
    return found


def named_tests(folder: Path) -> set[int]:
    """The faults that tests under `folder` are named by."""
    files = sorted(folder.rglob("test_*.py"))
    return {int(number) for file in files for number in _TEST.findall(file.read_text("utf-8"))}


def page() -> str:
    by_key = enforcers()
    lines = [
        "# What the rules are there for",
        "",
        "Written by `make update-golden`. Each rule ([diagnostics.md](diagnostics.md)) says which principles "
        "of [the language](language.md#principles) it enforces, and which faults it keeps out that users of "
        "other tools for prompts, skills, schemas and agents have met. Named tests try whether each fault "
        "can happen: `pytest -k test_bug_14_` runs those of one. Where no rule stands, nothing is left that "
        "a diagnostic could say: it works.",
        "",
        "## Principles",
        "",
        "| principle | what it says | rules |",
        "|---|---|---|",
    ]
    for key, principle in PRINCIPLES.items():
        lines.append(f"| {principle.number}. {principle.title} | {principle.about} | {_rules(by_key[key])} |")
    lines += ["", "## Faults", "", "| fault | what users met | rules | tests |", "|---|---|---|---|"]
    for key, fault in FAULTS.items():
        tests = f"`test_bug_{fault.number}_…`"
        lines.append(f"| {fault.number} `{key}` | {fault.about} | {_rules(by_key[key])} | {tests} |")
    return "\n".join(lines) + "\n"


def _rules(codes: list[str]) -> str:
    return ", ".join(f"[{code}](diagnostics.md#{_anchor(code)})" for code in codes)


def _anchor(code: str) -> str:
    """The anchor of the heading of `code` on its page, as Markdown renderers make it."""
    name, severity, _ = CODES[code]
    return f"{code.lower()}-{name}-{severity}"
