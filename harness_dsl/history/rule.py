"""The version rule: what a commit has to say about its edits before it may go in."""

import re

from harness_dsl.diagnostics import Diagnostic, Span
from harness_dsl.history.comparison import Comparison
from harness_dsl.history.precedence import went_back
from harness_dsl.ir.diff import Behaviour, Bump, Contract, Edit

NAMED = 3
"""So many edits are named in a message; the others are counted."""


def findings(comparison: Comparison) -> list[Diagnostic]:
    """What keeps the edits from going in: the version, the acknowledgement, and what is wrong with that.

    Reworded and otherwise shown text asks for a patch step, and goes in without one. No edit goes in with a
    version that comes before the last one.
    """
    found, header = comparison.found, comparison.version_line
    if found is None or header is None:
        return []
    problems = list(header.problems)
    needed = found.verdict.needed
    if went_back(*comparison.versions) or (needed >= Bump.MINOR and not found.verdict.version_suffices):
        problems.append(_version(comparison, header.version))
    missing = comparison.unacknowledged
    if missing and not header.problems:  # a comment that nearly says it is the one thing to correct
        words = ", ".join(sorted(missing))
        advice = f"Write `# acknowledges {words}: why` behind the version."
        if any(said.classes & missing for said in header.said):
            advice += " The comment that is there was written for an earlier edit."
        message = f"{' and '.join(sorted(missing))} edits are not acknowledged"
        problems.append(Diagnostic("HD902", f"{message}: {_causes(comparison)}", header.version, advice))
    return problems


def notes(comparison: Comparison) -> list[str]:
    """What goes in, and should be known."""
    if comparison.found is None:
        return []
    verdict = comparison.found.verdict
    said = []
    due = verdict.needed == Bump.PATCH and not verdict.version_suffices
    if due and not went_back(*comparison.versions):  # then it is a finding
        said.append(f"a patch step of the version is due: {step(comparison.versions[0], Bump.PATCH)}")
    if comparison.found.behaviour == Behaviour.WORDING:
        said.append("reworded text is claimed to mean the same: evaluate the model on it")
    return said


def _version(comparison: Comparison, at: Span) -> Diagnostic:
    """The version line does not say what it must."""
    assert comparison.found is not None
    old, new = comparison.versions
    needed = comparison.found.verdict.needed
    asked = f"the edits ask for a {needed} step of the version"
    if not went_back(old, new):
        message = f"{asked}, and {_declared(comparison)}: {_causes(comparison)}"
        return Diagnostic("HD901", message, at, f'Write "{step(old, needed)}".')
    message = f"the version goes back, {old} → {new}"
    if needed >= Bump.MINOR:
        message += f", and {asked}: {_causes(comparison)}"
    advice = f'Write "{old if needed == Bump.NONE else step(old, needed)}".'
    return Diagnostic("HD901", message, at, f"{advice} An edit that is taken back takes a new step, too.")


def step(version: str, needed: Bump) -> str:
    """The next version after `version` that is `needed` away; the first one after what is no version."""
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", version)
    if match is None:
        return "1.0.0"
    numbers = [int(number) for number in match.groups()]
    at = {Bump.MAJOR: 0, Bump.MINOR: 1, Bump.PATCH: 2}[needed]
    return ".".join(str(number + 1 if i == at else number * (i < at)) for i, number in enumerate(numbers))


def _declared(comparison: Comparison) -> str:
    assert comparison.found is not None
    old, new = comparison.versions
    declared = comparison.found.verdict.declared
    if old == new:
        return "the version is the same"
    return f"{old} → {new} is " + ("none" if declared == Bump.OTHER else f"a {declared} one")


def _causes(comparison: Comparison) -> str:
    """The edits of the highest classes."""
    assert comparison.found is not None
    needed = comparison.found.verdict.needed
    causes = [located.edit for located in comparison.edits if asks(located.edit, needed)]
    named = [f"{edit.id} {edit.what}" for edit in causes[:NAMED]]
    if len(causes) > NAMED:
        named.append(f"{len(causes) - NAMED} more")
    return ", ".join(named)


def asks(edit: Edit, needed: Bump) -> bool:
    """Whether `edit` is one for which the version has to take the step `needed` (minor or major)."""
    if needed == Bump.MAJOR:
        return edit.contract == Contract.NARROWING or edit.behaviour == Behaviour.SAFETY
    return edit.contract == Contract.WIDENING or edit.behaviour >= Behaviour.CAPABILITY
