"""Results of tests on their way: between processes, to CI systems, to somebody who waits."""

from xml.etree import ElementTree

import pytest

from runtime.testing.events import (
    Done,
    Failed,
    Loaded,
    Named,
    Outcome,
    Plan,
    Shown,
    Started,
    event_line,
    event_of,
    plan_of,
    plan_text,
)
from runtime.testing.progress import Progress
from runtime.testing.report_junit import junit
from runtime.testing.results import FileResults


def test_a_long_run_says_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:

    file = FileResults(Plan("a.harness", variants=9))
    for every_s, lines in ((0.0, 9), (1000.0, 0)):
        progress = Progress(every_s)
        for row in (None, *range(9)):
            progress.saw(file, Shown(row, "c", "s"))
        progress.close()
        said = capsys.readouterr().err
        assert len(said.splitlines()) == lines
    assert not said
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress = Progress()
    progress.saw(file, Shown(8, "c", "s"))
    progress.close()
    assert capsys.readouterr().err == "\r\033[Ka.harness: variant 9 of 9\r\033[K"


REQUIRED = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "properties": set[str](),
    "property": {"name", "value"},
    "testcase": {"classname", "name", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
}
WITHIN = {
    "testsuites": ["testsuite"],
    "testsuite": ["properties", "testcase"],
    "properties": ["property"],
    "testcase": ["failure", "error"],
}
"""What consumers of JUnit XML read: attributes of each element, and its children in this order."""


def check_structure(element: ElementTree.Element) -> None:
    extra = {"file"} if element.tag == "testcase" else set()
    assert set(element.attrib) - extra == REQUIRED[element.tag]
    order = [WITHIN.get(element.tag, []).index(child.tag) for child in element]
    assert order == sorted(order)
    if element.tag in ("testsuites", "testsuite"):
        cases = list(element.iter("testcase"))
        counted = {"tests": len(cases)}
        counted |= {
            f"{tag}s": sum(case.find(tag) is not None for case in cases) for tag in ("failure", "error")
        }
        assert {key: int(element.attrib[key]) for key in counted} == counted
        assert float(element.attrib["time"]) >= 0
    for child in element:
        check_structure(child)


def test_junit_has_the_structure_that_its_readers_expect() -> None:

    named = Named("test/t", "t")
    file = FileResults(Plan("a.harness", variants=2, seed=4, policy="p.yaml"), harness="a")
    for row in (None, 0, 1):
        file.add(Shown(row, "c", f"s{row}"))
        file.add(Outcome(row, named, ("wrong",) if row == 0 else (), "said", 0.25))
        file.add(Outcome(row, named, ("gone",) if row == 1 else (), "", 0.5, died=row == 1))
    broken = FileResults(Plan("b.harness"), failed=Failed("b.harness:1:1: error\n  help", 1))
    root = ElementTree.fromstring(junit([file, broken]))
    check_structure(root)
    assert (root.attrib["failures"], root.attrib["errors"], len(root)) == ("1", "2", 4)
    with pytest.raises(AssertionError):
        root.set("failures", "0")
        check_structure(root)


@pytest.mark.parametrize("text", ["\x00", "a\x1b[0m", "\ud800", "\uffff", "]]>", "元😀\r\n\t\"'&<>"])
def test_junit_is_legal_xml_whatever_a_reply_holds(text: str) -> None:

    file = FileResults(Plan(f"{text}.harness"), harness=text)
    file.add(Shown(None, "c", "s"))
    file.add(Outcome(None, Named("test/t", text), (text,), text, 0.5))
    (suite,) = ElementTree.fromstring(junit([file]))
    (case,) = suite.iter("testcase")
    (failure,) = case
    legal = "元" in text or text == "]]>"
    shown = text if legal else case.attrib["name"]
    assert case.attrib["name"] == shown and failure.attrib["message"] == shown
    assert suite.attrib["failures"] == "1" and case.attrib["time"] == "0.500"
    assert legal or "\\x" in shown


def test_events_and_plans_come_back_as_they_were() -> None:
    plan = Plan("元.harness", variants=3, only=("a", "b"), policy="p.yaml", memory_mb=5)
    assert plan_of(plan_text(plan)) == plan and plan_of(plan_text(Plan("a"))) == Plan("a")

    named = Named("test/元", "元\n")
    for event in (
        Loaded("h", (named,), ("x",)),
        Shown(None, "a", "b"),
        Started(named),
        Outcome(3, named, ("no",), "\ud800", 0.25, True),
        Failed("why", 2, True),
        Done(),
    ):
        assert event_of(event_line(event)) == event and event_line(event).isascii()
