"""Agent Skills: front matter as people write it, and bodies that come back byte for byte."""

from pathlib import Path

import pytest

from harness_dsl.cli.main import main
from harness_dsl.exchange.exporting import export
from harness_dsl.exchange.importing import Imported, import_harness
from harness_dsl.exchange.tidy import analyse
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import compile_text


def imported(tmp_path: Path, data: bytes, folder: str = "brew-tea") -> Imported:
    path = tmp_path / "skills" / folder / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    result = import_harness("skills", tmp_path / "skills")
    if result.text:
        found = lint(analyse(result.text, "x.harness"))
        assert [str(each) for each in found if each.severity != "info"] == []
    return result


def exported(result: Imported) -> dict[str, str]:
    compiled = compile_text(result.text)
    assert compiled.core is not None and compiled.surface is not None
    return export(compiled.core, compiled.surface, "agent-skills").files


def description(result: Imported) -> str:
    core = compile_text(result.text).core
    assert core is not None
    return "".join(part.text for part in core.skills[0].when.canonical if part.kind == "literal")


HEAD = b"---\nname: brew-tea\ndescription: Use for tea.\n---\n"
BODIES = [
    b"",
    b"\n# Tea\n\nBoil.\n",
    b"no line end",
    b"# CRLF\r\n\r\n- one\r\n\ttab\rold Mac\n",
    b"  indented\n    more\n\n   \n trailing  \n\n\n",
    b'{{ user }} {% raw %} {{{ """ """" {"a": 1} {"""x"""}\n',
    b"---\n---- inside --- and\n---\n",
    "中文。\u2028\u00a0\ufeff\x0b\x0c\x85\n".encode(),
    b"\\n \\u0041 \\\n",
    b"mentions brew_tea and `brew-tea` and {brew_tea}\n",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_comes_back_byte_for_byte(tmp_path: Path, body: bytes) -> None:
    result = imported(tmp_path, HEAD + body)
    assert result.losses == [] and result.refusals == []
    assert exported(result) == {"brew-tea/SKILL.md": (HEAD + body).decode()}


def test_a_byte_order_mark_and_crlf_front_matter_change_nothing(tmp_path: Path) -> None:
    result = imported(tmp_path, b"\xef\xbb\xbf" + HEAD.replace(b"\n", b"\r\n") + b"body\r\n")
    assert result.refusals == []
    assert exported(result) == {"brew-tea/SKILL.md": HEAD.decode() + "body\r\n"}


@pytest.mark.parametrize(
    ("matter", "text"),
    [
        ("description: Use it: always, and when: asked", "Use it: always, and when: asked"),
        ("description: >\n  Folded\n  text.", "Folded text."),
        ("description: |\n  Two\n  lines.", "Two\nlines."),
        ('description: "a ---- b --- c"', "a ---- b --- c"),
        ("description: yes --- no ----", "yes --- no ----"),
        ("description: on", "on"),
    ],
)
def test_descriptions_as_people_write_them(tmp_path: Path, matter: str, text: str) -> None:
    result = imported(tmp_path, f"---\nname: brew-tea\n{matter}\n---\nbody\n".encode())
    assert result.refusals == []
    assert description(result) == text
    assert "body\n" in exported(result)["brew-tea/SKILL.md"]


@pytest.mark.parametrize("tools", ["[Read, 'Bash(git *)']", "Read, Bash(git *)", "Read Bash(git *)"])
def test_allowed_tools_are_reported_however_they_are_written(tmp_path: Path, tools: str) -> None:
    result = imported(
        tmp_path, f"---\nname: brew-tea\ndescription: d\nallowed-tools: {tools}\n---\n".encode()
    )
    assert [(loss.pointer, loss.what) for loss in result.losses] == [
        ("/allowed-tools", "that it may use only Read, Bash(git *)")
    ]


def test_unknown_and_misspelt_fields_and_other_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "skills" / "brew-tea").mkdir(parents=True)
    (tmp_path / "skills" / "brew-tea" / "steep.py").write_text("")
    path = tmp_path / "skills" / "brew-tea" / "SKILL.md"
    path.write_text("---\nname: brew-tea\ndescription: d\nlicence: MIT\non: x\n---\nbody\n")
    result = import_harness("skills", tmp_path / "skills")
    assert [(loss.pointer, loss.what) for loss in result.losses] == [
        ("/licence", "`licence`; is `license` meant?"),
        ("/on", "`on`"),
        ("", "the file `steep.py` beside it"),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"# no front matter\n", "it does not begin with front matter between `---` lines"),
        (b"----\nname: a\n----\n", "it does not begin with front matter between `---` lines"),
        (b"---\nname: a\ndescription: b\n", "its front matter is never closed by a line `---`"),
        (b"---\nname: a\n---\n", "it has no description: nothing says when to use it"),
        (b"---\nname: a\nname: b\ndescription: c\n---\n", "its front matter is no plain YAML: "),
        (b"---\n- a\n---\n", "its front matter is no plain YAML: it is no mapping of names to values"),
        (b"---\nname: caf\xe9\n---\n", "byte 0xe9 at 13 is not UTF-8"),
        (b"---\nname: a\ndescription: b\n---\n\0", "a NUL character in the text"),
    ],
)
def test_a_bad_skill_is_refused_with_one_sentence(tmp_path: Path, data: bytes, reason: str) -> None:
    result = imported(tmp_path, data)
    assert [refusal.reason[: len(reason)] for refusal in result.refusals] == [reason]
    assert "\n" not in result.refusals[0].reason


def test_the_command_writes_folders(tmp_path: Path) -> None:
    imported(tmp_path, HEAD + b"\nBody.\n")
    harness, folder = tmp_path / "tea.harness", tmp_path / "out"
    assert main(["import", "skills", str(tmp_path / "skills"), "-o", str(harness)]) == 0
    assert main(["compile", str(harness), "--target", "agent-skills", "-o", str(folder)]) == 0
    assert (folder / "brew-tea" / "SKILL.md").read_bytes() == HEAD + b"\nBody.\n"
    assert main(["compile", str(harness), "--target", "agent-skills"]) == 2
