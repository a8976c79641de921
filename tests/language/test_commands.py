"""`harnessc` as a user types it: exit status, output, and files that are never half written."""

import argparse
import json
import os
import stat
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from harness_dsl.cli.files import write_atomically
from harness_dsl.cli.main import COMMANDS, QUICK, available, main, only_paths
from harness_dsl.ir.canonical import canonical_json
from harness_dsl.syntax.artefact import ArtefactError, load_ir

GOOD = 'harness x "1.0.0"\n\nprompt system {\n  section p """Be kind."""\n}\n'
UGLY = 'harness x   "1.0.0"\nprompt system { section p """Be kind.""" } # end\n'
BAD = 'harness x "1.0.0"\n\nprompt system {\n  sction p """Be kind."""\n}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("good", GOOD), ("ugly", UGLY), ("bad", BAD)):
        (tmp_path / f"{name}.harness").write_text(text, "utf-8")
    return tmp_path


def run(*words: object) -> int:
    return main([str(word) for word in words])


def test_check_says_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", folder / "good.harness") == 0
    assert run("check", folder) == 1
    out = capsys.readouterr().out
    assert f"{folder / 'bad.harness'}:4:3: error[HD101]" in out and "Did you mean `section`?" in out


def test_check_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", folder / "bad.harness", "--format", "json") == 1
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["code"], entry["line"], entry["column"], entry["end_column"]) == ("HD101", 4, 3, 9)


def test_fmt_rewrites_only_what_differs(folder: Path) -> None:
    before = (folder / "good.harness").stat().st_mtime_ns
    assert run("fmt", "--check", folder / "ugly.harness") == 1
    assert (folder / "ugly.harness").read_text() == UGLY
    assert run("fmt", folder / "good.harness", folder / "ugly.harness") == 0
    assert (folder / "ugly.harness").read_text() == GOOD.rstrip() + "  # end\n"
    assert (folder / "good.harness").stat().st_mtime_ns == before
    assert run("fmt", "--check", folder / "ugly.harness") == 0


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n").encode()])
def test_fmt_writes_line_feeds_and_no_byte_order_mark(folder: Path, data: bytes) -> None:
    path = folder / "good.harness"
    path.write_bytes(data)
    assert run("fmt", "--check", path) == 1
    assert run("fmt", path) == 0
    assert path.read_bytes() == GOOD.encode()
    assert run("fmt", "--check", path) == 0


def test_fmt_leaves_a_file_with_mistakes_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fmt", folder / "bad.harness") == 1
    assert (folder / "bad.harness").read_text() == BAD
    assert "HD101" in capsys.readouterr().err


def test_fmt_shows_a_diff(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fmt", "--diff", folder / "ugly.harness") == 1
    assert '-harness x   "1.0.0"\n' in capsys.readouterr().out
    assert (folder / "ugly.harness").read_text() == UGLY


def test_compile_writes_what_load_reads(folder: Path) -> None:
    out = folder / "x.json"
    assert run("compile", folder / "good.harness", "-o", out) == 0
    artefact = load_ir(out)
    assert artefact.core.name == "x"
    data = json.loads(out.read_bytes())
    assert sorted(data) == ["core", "digests", "schema_version", "surface"]
    assert canonical_json(data) + b"\n" == out.read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema_version": "2.0"}, "schema version 2.0"),
        ({"schema_version": "1.1"}, "schema version 1.1.* compile the source again"),
        ({"core": {"schema_version": "1.1", "new": 1}}, "schema version 1.1.* compile the source again"),
        ({"surface": {"schema_version": "2.0"}}, "schema version 2.0.* compile the source again"),
        ({"schema_version": None}, "no compiled harness"),
        ({"core": {"name": 1}}, "no valid IR"),
        ({"digests": {}}, "changed after it was compiled"),
        ({"surface": {"markup": "xml"}}, "Surface has another digest"),
    ],
)
def test_load_refuses_in_one_sentence(folder: Path, change: dict[str, object], said: str) -> None:
    out = folder / "x.json"
    assert run("compile", folder / "good.harness", "-o", out) == 0
    out.write_text(json.dumps({**json.loads(out.read_text()), **change}))
    with pytest.raises(ArtefactError, match=said) as raised:
        load_ir(out)
    assert "\n" not in str(raised.value)


def test_diff_lists_edits_with_lines_and_classes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = folder / "new.harness"
    new.write_text(GOOD.replace("Be kind.", "Be very kind."))
    assert run("diff", folder / "good.harness", folder / "good.harness") == 0
    assert "no edits" in capsys.readouterr().out
    assert run("diff", folder / "good.harness", new, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    (edit,) = data["edits"]
    assert (edit["id"], edit["contract"], edit["behaviour"]) == ("prompt/system/section/p", "none", "wording")
    assert (edit["old_line"], edit["new_line"]) == (4, 4)
    assert data["verdict"]["needed"] == "patch" and not data["verdict"]["version_suffices"]


@pytest.mark.parametrize(
    "words",
    [
        ["chek"],
        ["check", "--formt", "json"],
        ["check", "/nowhere/at/all.harness", "--format", "yaml"],
        ["diff", "/nowhere/a", "/nowhere/b"],
        ["compile"],
        [],
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    assert not words or len(shown.err.strip().splitlines()) == 1


def test_a_missing_file_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "/nowhere/at/all.harness") == 2
    assert "HD112" in capsys.readouterr().out


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"check", "fmt", "compile", "diff"} <= set(available()) <= set(COMMANDS)
    for command in ("check", "fmt", "compile", "diff"):
        assert run(command, "--help") == 0
        assert f"usage: harnessc {command}" in capsys.readouterr().out


def imported(*words: str) -> set[str]:
    code = (
        "import sys\nfrom harness_dsl.cli.main import main\n"
        f"try: main({list(words)!r})\nexcept SystemExit: pass\n"
        "print('|'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.strip().splitlines()[-1].split("|"))


def test_help_imports_the_standard_library_only() -> None:
    tops = {name.split(".")[0] for name in imported("--help")}
    assert tops - set(sys.stdlib_module_names) <= {
        "harness_dsl", "__main__", "__mp_main__", "sitecustomize", "_virtualenv", "distutils-precedence",
        "__editable___harness_dsl_0_1_0_finder", "a1_coverage", "_distutils_hack",
    }  # fmt: skip


def test_check_imports_neither_pydantic_nor_lark(shop_path: Path) -> None:
    tops = {name.split(".")[0] for name in imported("check", str(shop_path.parent / "shop_mini.harness"))}
    assert not tops & {"pydantic", "lark", "ruamel", "rich", "torch", "transformers"}


@pytest.mark.parametrize("name", QUICK)
def test_options_of_paths_alone_are_those_that_argparse_gives(name: str) -> None:
    module = import_module(f"harness_dsl.cli.{name}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert vars(only_paths(module, ["a", "b"])) == vars(parser.parse_args(["a", "b"]))


def test_the_process_ends_with_the_status_and_all_of_its_output(folder: Path) -> None:
    """It ends at once; what it has printed must be out by then, into a pipe too."""
    for words in (["check", "."], ["check", "--format", "json", "."], ["fmt", "--diff", "."]):
        command = [sys.executable, "-m", "harness_dsl.cli.main", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and len(done.stdout) > 80 and done.stdout.endswith("\n")


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    many = folder / "many.harness"
    many.write_text(BAD.replace("sction", "sction\nsction " * 4000))
    process = subprocess.Popen(
        [sys.executable, "-m", "harness_dsl.cli.main", "check", str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.wait(60)
    assert "Traceback" not in errors and "BrokenPipe" not in errors


def test_a_terminal_that_cannot_show_a_character_is_no_error(folder: Path) -> None:
    path = folder / "bad.harness"
    path.write_text(BAD.replace("kind", "友善"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "harness_dsl.cli.main", "check", str(path)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.returncode == 1
    assert rb"\u53cb" in done.stdout and b"Traceback" not in done.stderr


def test_standard_input_to_output() -> None:
    command = [sys.executable, "-m", "harness_dsl.cli.main", "fmt", "-"]
    done = subprocess.run(command, input=UGLY.encode(), capture_output=True, check=True)
    assert done.stdout.decode() == GOOD.rstrip() + "  # end\n"


def test_writing_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o640)

    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == 0o640
