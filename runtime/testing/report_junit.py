"""Results of tests as JUnit XML, in the form that CI systems read: a suite for each file and row."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from runtime.testing.events import Outcome, Plan, Shown
from runtime.testing.results import FileResults

# What XML 1.0 has no way to say, not even by number.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(files: Sequence[FileResults]) -> bytes:
    """The document, in UTF-8. Characters that XML has no way to say are written as `\\x1b`."""
    root = Element("testsuites", name="harnessc test")
    for file in files:
        for shown, outcomes in file.rows():
            _suite(root, file, shown, outcomes)
        if file.failed is not None:
            _unusable(root, file)
    suites = list(root)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.set("time", _seconds(sum(float(suite.get("time", "0")) for suite in suites)))
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(root: Element, file: FileResults, shown: Shown, outcomes: Sequence[Outcome]) -> None:
    name = file.path if shown.row is None else f"{file.path} (variant {shown.row} of seed {file.plan.seed})"
    failed = sum(not outcome.passed and not outcome.died for outcome in outcomes)
    suite = SubElement(
        root,
        "testsuite",
        name=_legal(name),
        tests=str(len(outcomes)),
        failures=str(failed),
        errors=str(sum(outcome.died for outcome in outcomes)),
        skipped="0",
        time=_seconds(sum(outcome.seconds for outcome in outcomes)),
    )
    properties = SubElement(suite, "properties")
    for key, value in _properties(file.plan, shown).items():
        SubElement(properties, "property", name=key, value=_legal(value))
    for outcome in outcomes:
        _case(suite, file, shown, outcome)


def _properties(plan: Plan, shown: Shown) -> dict[str, str]:
    known = {"core_digest": shown.core, "surface_digest": shown.surface, "engine": plan.engine}
    if shown.row is not None:
        known |= {"seed": str(plan.seed), "variant": str(shown.row)}
        known |= {"policy": plan.policy} if plan.policy is not None else {}
    return known | ({"model": plan.model} if plan.model is not None else {})


def _case(suite: Element, file: FileResults, shown: Shown, outcome: Outcome) -> None:
    owner = file.harness if shown.row is None else f"{file.harness}.variant_{shown.row}"
    case = SubElement(
        suite,
        "testcase",
        classname=_legal(owner),
        name=_legal(outcome.test.title),
        time=_seconds(outcome.seconds),
        file=_legal(file.path),
    )
    if outcome.passed:
        return
    what = SubElement(
        case,
        "error" if outcome.died else "failure",
        message=_legal(outcome.problems[0]),
        type="died" if outcome.died else "expectation",
    )
    what.text = _legal("\n".join([*outcome.problems, f"the reply: {outcome.reply or '(nothing)'}"]))


def _unusable(root: Element, file: FileResults) -> None:
    """A suite that says why there are no more results of `file`."""
    assert file.failed is not None
    suite = SubElement(
        root, "testsuite", name=_legal(file.path), tests="1", failures="0", errors="1", skipped="0", time="0"
    )
    case = SubElement(suite, "testcase", classname=_legal(file.harness or file.path), name="load", time="0")
    first = file.failed.message.splitlines()[0] if file.failed.message else ""
    SubElement(case, "error", message=_legal(first), type="load").text = _legal(file.failed.message)


def _legal(text: str) -> str:
    return _ILLEGAL.sub(lambda found: f"\\x{ord(found.group()):02x}", text)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
