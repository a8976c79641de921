"""Findings as SARIF, as GitHub workflow commands and as text: places, escapes, and how much is shown."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from harness_dsl.cli.check import MOST
from harness_dsl.cli.files import harness_files
from harness_dsl.cli.main import main
from harness_dsl.diagnostics import Diagnostic, Fix, Label, Span, github
from harness_dsl.lint import sarif
from harness_dsl.lint.rules import every
from harness_dsl.syntax import report
from tests.language.helpers import check
from tests.lint.running import found_in
from tests.lint.sarif_structure import violations

TEXT = 'harness x "1.0.0"\n\ntool get_quote(a: int) -> any { """T.""" }\n\nprompt system {\n  BODY\n}\n'
ODD = 'section a """😀😀你 get_quote."""\n  section b """get_quote""" # allow HD406: an id, {shown} as it is'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main(["check", *words])
    return status, capsys.readouterr().out


def run_of(out: str) -> Any:
    document = json.loads(out)
    assert violations(document) == []
    (run,) = document["runs"]
    return run


def test_sarif_of_an_odd_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("直播 间/a%b.harness")
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("BODY", ODD).replace("\n", "\r\n").encode())
    status, out = checked(capsys, "--format", "sarif", str(path))
    run = run_of(out)
    assert status == 1 and run["columnKind"] == "utf16CodeUnits"
    found, allowed = run["results"]
    place = found["locations"][0]["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"]) == "直播 间/a%b.harness"
    before = len('  section a """😀😀你 '.encode("utf-16-le")) // 2
    region = {"startLine": 6, "startColumn": before + 1, "endLine": 6, "endColumn": before + 10}
    assert place["region"] == region
    (change,) = found["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "{{ tool.get_quote }}"}}
    ]
    (kept,) = allowed["suppressions"]
    assert kept["justification"] == "an id, {shown} as it is" and kept["kind"] == "inSource"
    assert kept["location"]["physicalLocation"]["region"]["startLine"] == 7
    assert "suppressions" not in found


def test_sarif_braces_and_links_of_a_message_are_no_arguments_and_no_links() -> None:
    diagnostic = Diagnostic("HD101", 'unexpected `{`, "a [b](1)"', Span("x", 0, 1), "Write `{{ x }}`.")
    (result,) = sarif.document([diagnostic], [], {"x": "{"})["runs"][0]["results"]
    assert result["message"]["text"] == r'unexpected `{{`, "a \[b\](1)". Write `{{{{ x }}}}`.'


def test_sarif_of_every_rule_is_what_the_format_demands() -> None:
    for rule in every():
        found, files = found_in(rule.code, "bad")
        document = sarif.document(found, [], files)
        assert violations(document) == []
        rules = document["runs"][0]["tool"]["driver"]["rules"]
        for result in document["runs"][0]["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert len(result["message"]["text"]) > 10
        for known in rules:
            assert "Wrong:" in known["help"]["markdown"] and known["shortDescription"]["text"]


def test_sarif_with_a_mistake_in_it_is_noticed() -> None:
    found, files = found_in("HD406", "bad")
    document = json.loads(sarif.text(found, [], files))
    document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] = 0
    document["runs"][0]["results"][0]["level"] = "info"
    document["runs"][0]["tool"]["driver"].pop("name")
    assert len(violations(document)) == 3


def test_sarif_of_an_absolute_path_and_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "没有 x.harness"
    found = [Diagnostic("HD112", "cannot be read", Span(str(path), 0, 0))]
    document = sarif.document(found, [], {str(path): ""})
    assert violations(document) == []
    place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": path.as_uri()}}


def test_sarif_positions_are_utf16_whatever_stands_before() -> None:
    text = "a\n𝒳é\u0301你 b\nc"
    at = text.index("b")
    found = [Diagnostic("HD101", "m", Span("x", at, at + 3), labels=(Label(Span("x", 0, 1), "l"),))]
    result = sarif.document(found, [], {"x": text})["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 2, "startColumn": 7, "endLine": 3, "endColumn": 2,
    }  # fmt: skip
    assert result["relatedLocations"][0]["id"] == 0


COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def unescaped(value: str) -> str:
    for mark, char in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        value = value.replace(mark, char)
    return value


def read(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as GitHub reads it."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    values = dict(part.split("=", 1) for part in match[2].split(","))
    return match[1], {name: unescaped(value) for name, value in values.items()}, unescaped(match[3])


def test_github_escapes_paths_and_messages() -> None:
    path, message = "直播 间/a,b:c%2C\n.harness", "line one\r\nline, two: 100 %0A ::error::"
    text = "ab\ncd"
    shown = github.text([Diagnostic("HD406", message, Span(path, 1, 2), "Do\nthis.")], {path: text})
    assert "\n" not in shown and "\r" not in shown
    level, values, said = read(shown)
    assert level == "warning" and said == message + "\nDo\nthis."
    assert values == {
        "file": path, "line": "1", "col": "2", "endColumn": "3", "title": "HD406 bare-name",
    }  # fmt: skip


def test_github_gives_columns_on_one_line_only() -> None:
    text = "ab\ncd"
    found = [Diagnostic("HD101", "m", Span("x", 1, 4)), Diagnostic("HD505", "n", Span("x", 3, 3))]
    several, none = map(read, github.text(found, {"x": text}).split("\n"))
    assert several[1] == {"file": "x", "line": "1", "endLine": "2", "title": "HD101 unexpected-token"}
    assert none[0] == "notice" and (none[1]["col"], none[1]["endColumn"]) == ("1", "2")


def test_github_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x y.harness").write_text(TEXT.replace("BODY", 'sction a """b"""'), "utf-8")
    status, out = checked(capsys, "--format", "github", "x y.harness")
    level, values, _ = read(out.strip())
    assert (status, level, values["file"], values["line"]) == (1, "error", "x y.harness", "6")


def many(count: int) -> str:
    sections = "\n".join(f'  section s{n} """get_quote {n}"""' for n in range(count))
    return TEXT.replace("  BODY", f'{sections}\n  section last """{{{{ nothing }}}}"""')


def test_text_is_capped_and_shows_errors_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.harness").write_text(many(300), "utf-8")
    Path("y.harness").write_text(many(2), "utf-8")
    _, out = checked(capsys, "x.harness", "y.harness")
    lines = [line for line in out.split("\n") if line.startswith("x.harness:")]
    assert len(lines) == MOST + 1 and lines[-1] == f"x.harness: and {301 - MOST} more; `--all` shows them"
    assert "HD403" in out.split("y.harness")[0] and out.count("y.harness:") == 3
    for words in (["--all"], ["--format", "json"], ["--format", "sarif"], ["--format", "github"]):
        _, whole = checked(capsys, "x.harness", *words)
        assert len(re.findall(r"written out, so a rename", whole)) == 300, words


def test_text_says_what_can_be_fixed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = 'section a """Call get_quote."""\n  section rules """{{ tool.get_qoute }}"""'
    Path("x.harness").write_text(TEXT.replace("BODY", body), "utf-8")
    capsys.readouterr()
    assert main(["check", "x.harness"]) == 1
    shown = capsys.readouterr()
    assert "fixable with `check --fix`: refer to `tool.get_quote`" in shown.out
    assert "fixable with `check --fix --unsafe`: write `get_quote`" in shown.out
    assert shown.err.strip().endswith("1 error, 1 warning; 1 fixable with `--fix`")


def test_a_fix_names_what_it_writes() -> None:
    fix = Fix("t", Span("x", 0, 1), "b", safe=False)
    result = sarif.document([Diagnostic("HD202", "m", Span("x", 0, 1), fix=fix)], [], {"x": "a"})
    description = result["runs"][0]["results"][0]["fixes"][0]["description"]["text"]
    assert description == "t (may change the meaning)"


@pytest.mark.parametrize("words", [["/nowhere/x.harness"], ["ok.harness", "gone.harness"]])
def test_a_named_file_that_cannot_be_read_is_status_2(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.harness").write_text(TEXT.replace("BODY", 'section a """b"""'), "utf-8")
    for how in ("text", "json", "sarif", "github"):
        status, out = checked(capsys, *words, "--format", how)
        assert status == 2 and "HD112" in out
    assert main(["fmt", "--check", *words]) == 2


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ('{"core": {}, "surface": {}}', "x.json", "compiled harness"),
        ('{"tools": [{"name": "t"}]}', "x.json", "JSON, not a harness"),
        ('[{"name": "t"}]', "x.harness", "JSON, not a harness"),
        ('{"openapi": "3.0.0", "paths": {}}', "x.json", "an OpenAPI document"),
        ("---\nname: a\n---\nBody", "SKILL.md", "Agent Skill"),
    ],
)
def test_a_file_of_another_kind_is_called_what_it_is(
    text: str, name: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text, "utf-8")
    _, out = checked(capsys, name, "--format", "json")
    (found,) = json.loads(out)
    assert found["code"] == "HD120" and said in found["message"]


@pytest.mark.parametrize("text", ["{" + TEXT, "[" * 100_000, "---\nharness", '{"a": 1} x'])
def test_a_harness_with_a_stray_bracket_is_still_a_harness(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("x.harness").write_text(text, "utf-8")
    _, out = checked(capsys, "x.harness", "--format", "json")
    assert "HD120" not in {found["code"] for found in json.loads(out)}


def test_suggestions_for_a_thousand_misspelt_names_compare_a_bounded_number(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []

    def close_names(word: str, known: list[str]) -> list[str]:
        compared.append(len(known))
        return []

    monkeypatch.setattr(report, "close_names", close_names)
    tools = "\n".join(f'tool tool_{n}() -> any {{ """Tool {n}.""" }}' for n in range(300))
    skills = "\n".join(f'reply skill s{n} {{ when """W{n}.""" uses tol_{n} }}' for n in range(300))
    found = check(TEXT.replace("BODY", 'section a """b"""') + tools + "\n" + skills)
    assert len([one for one in found if one.code == "HD202"]) == 300
    assert 0 < sum(compared) <= report.COMPARED


def test_hidden_folders_are_not_entered(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TEXT.replace("BODY", 'section a """b"""')
    for name in ("a/b.harness", "c.harness", ".git/d.harness", "a/.e.harness", "a/f.harness/g.harness"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    assert harness_files(["."]) == ["a/b.harness", "a/f.harness/g.harness", "c.harness"]
    assert harness_files(["a", "c.harness"]) == ["a/b.harness", "a/f.harness/g.harness", "c.harness"]
    assert main(["check"]) == 0
    assert "3 files checked" in capsys.readouterr().err
