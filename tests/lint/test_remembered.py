"""`check` answers from its cache only what it would find out again."""

import builtins
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness_dsl.cli import remembered
from harness_dsl.cli.main import main
from harness_dsl.lint.examples import MAIN, Edit, File, Folder, whole
from harness_dsl.lint.rules import every

HARNESS = '''harness shop "1.0.0"

import "common/law.harness" as law

use law.calm

input room: any

tool get_quote(link_id: int, quantity: int = 1) -> any {
  """Quote some pieces of a product."""
  impl python "shop:get_quote"
}

prompt system {
  section persona """Sell with get_quote, kindly."""
  section tools catalog tools
}

test "a price" {
  given room = fixture "rooms/one.yaml"
  user "How much?"
  expect call get_quote(link_id: 1)
}
'''
FILES = {
    "shop.harness": HARNESS,
    "common/law.harness": '''module law "1.0.0"

hook calm on before_reply {
  if reply contains "!"
  retry """Be calm.""" max 1
  fail open
}
''',
    "rooms/one.yaml": "price: 3\n",
    "harness.toml": '[runtime]\nallow = ["shop"]\n',
    "shop.py": "def get_quote(link_id, quantity=1, *, room):\n    return room\n",
}
FORMATS = ("text", "json", "sarif", "github")

Said = tuple[int, str, str]
Check = Callable[..., Said]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current folder, and a cache of its own."""
    project = tmp_path / "project"
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # Somebody may be editing the program while its tests run.
    monkeypatch.setattr(remembered, "_program", lambda: "this")
    return project


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Exit status, output and error output of `harnessc check`."""

    def run(*words: str) -> Said:
        capsys.readouterr()
        status = main(["check", *words])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def found_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that were really checked."""
    from harness_dsl.cli import check as command

    checked: list[str] = []
    original = command.check_path

    def counted(path: str) -> object:
        checked.append(path)
        return original(path)

    monkeypatch.setattr(command, "check_path", counted)
    yield checked


def test_an_unchanged_file_is_not_checked_again(folder: Path, check: Check, found_out: list[str]) -> None:
    first = check("shop.harness")
    assert first[0] == 1 and "warning[HD406]" in first[1]
    assert check("shop.harness") == first and found_out == ["shop.harness"]
    assert check("--no-cache", "shop.harness") == first and len(found_out) == 2
    check("./shop.harness")
    check(str(folder / "shop.harness"))
    assert len(found_out) == 4, "findings name the path that was given"


def test_a_clean_file_needs_no_part_of_the_checker(folder: Path) -> None:
    clean = HARNESS.replace("get_quote, kindly", "{{ tool.get_quote }}")
    (folder / "shop.harness").write_text(clean)
    script = (
        "import sys; before = set(sys.modules); from harness_dsl.cli.main import main;"
        "main(['check', 'shop.harness']); loaded = set(sys.modules) - before;"
        "print(*sorted(m for m in loaded if m.split('.')[0] in ('harness_dsl', 'grammar')));"
        "print(*({'json', 'hashlib', 'typing', 'argparse'} & loaded))"
    )
    for _ in range(2):
        command = [sys.executable, "-c", script]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
        assert said.stderr == "1 file checked: nothing found\n"
    assert said.stdout.splitlines() == [
        "harness_dsl harness_dsl.cache harness_dsl.cli harness_dsl.cli.main harness_dsl.cli.remembered "
        "harness_dsl.reading",
        "",
    ]


@pytest.mark.parametrize("name", FILES)
def test_any_byte_that_changes_in_any_file_is_noticed(
    folder: Path, check: Check, found_out: list[str], name: str
) -> None:
    file = folder / name
    original = file.read_bytes()
    before = check("shop.harness")
    for at in range(0, len(original) + 1, max(1, len(original) // 6)):
        for changed in (original[:at] + b"#" + original[at:], original[:at] + b"\xff" + original[at + 1 :]):
            file.write_bytes(changed)
            found_out.clear()
            now = check("shop.harness")
            assert found_out == ["shop.harness"]
            assert now == check("--no-cache", "shop.harness")
    file.unlink()
    assert check("shop.harness") == check("--no-cache", "shop.harness")
    file.mkdir()
    assert check("shop.harness") == check("--no-cache", "shop.harness")
    file.rmdir()
    file.write_bytes(original)
    assert check("shop.harness") == before


def test_what_was_not_there_is_noticed_when_it_comes(folder: Path, check: Check) -> None:
    """A `harness.toml` that stands nearer moves the root of the project."""
    os.chdir(folder / "common")
    (folder / "common" / "use.harness").write_text(
        HARNESS.replace('"common/law', '"../more/law').replace(' = fixture "rooms/one.yaml"', " = 1")
    )
    (folder / "more").mkdir()
    (folder / "more" / "law.harness").write_text(FILES["common/law.harness"])
    inside = check("use.harness")
    (folder / "common" / "harness.toml").write_text("")
    outside = check("use.harness")
    assert outside == check("--no-cache", "use.harness") != inside and "HD213" in outside[1]


def test_links_that_lead_elsewhere_are_noticed(folder: Path, check: Check, tmp_path: Path) -> None:
    """The same bytes, outside the project."""
    (folder / "common").rename(folder / "one")
    away = tmp_path / "away"
    away.mkdir()
    (away / "law.harness").write_bytes((folder / "one" / "law.harness").read_bytes())
    link = folder / "common"
    link.symlink_to(folder / "one")
    inside = check("shop.harness")
    link.unlink()
    link.symlink_to(away)
    outside = check("shop.harness")
    assert outside == check("--no-cache", "shop.harness") != inside and "HD213" in outside[1]


def test_every_look_at_the_project_is_known(
    folder: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is opened, or asked whether it is there, stands among what an answer depends on."""
    seen: set[str] = set()

    def watched(name: str, owner: object) -> None:
        original = getattr(owner, name)

        def call(path: object, *rest: object, **named: object) -> object:
            resolving = "posixpath" in sys._getframe(1).f_code.co_filename
            if isinstance(path, str | os.PathLike) and not resolving:
                seen.add(os.path.normpath(folder / os.fspath(path)))
            return original(path, *rest, **named)

        monkeypatch.setattr(owner, name, call)

    kept: list[tuple[str, str, str]] = []

    def keeping(_: object, path: str, looks: list[tuple[str, str, str]], *rest: object) -> None:
        kept.extend(looks)

    monkeypatch.setattr(remembered.Remembered, "keep", keeping)
    for name, owner in (
        *(("open", owner) for owner in (builtins, io, os)),
        *((name, os) for name in ("stat", "lstat", "listdir", "scandir", "readlink")),
    ):
        watched(name, owner)
    check("--format", "json", "shop.harness")
    monkeypatch.undo()
    project = {path for path in seen if Path(path).is_relative_to(folder)}
    assert {str(folder / name) for name in FILES} <= project
    assert project <= {os.path.normpath(folder / path) for _, path, _ in kept}


def entries(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "harnessc" / "check").iterdir())


def test_a_damaged_answer_is_found_out_again(folder: Path, check: Check, found_out: list[str]) -> None:
    first = check("shop.harness")
    (entry,) = entries(folder)
    good = entry.read_bytes()
    for at in range(0, len(good), len(good) // 12):
        for damaged in (good[:at], good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]):
            entry.write_bytes(damaged)
            found_out.clear()
            assert check("shop.harness") == first and found_out
            assert entry.read_bytes() == good
    entry.unlink()
    entry.mkdir()
    assert check("shop.harness") == first
    assert list(entry.iterdir()) == [], "nothing is left beside an answer that cannot be written"
    assert entries(folder) == [entry]


@pytest.mark.parametrize("place", ["/dev/null/nowhere", "/proc/nowhere"])
def test_without_a_folder_that_can_be_written(
    folder: Path, check: Check, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    assert check("shop.harness") == check("shop.harness") == check("--no-cache", "shop.harness")


def test_another_program_finds_out_again(
    folder: Path, check: Check, found_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = check("shop.harness")
    monkeypatch.setattr(remembered, "_program", lambda: "another")
    assert check("shop.harness") == first and len(found_out) == 2
    assert len(entries(folder)) == 1, "the answer of the former program makes room"
    unknown: Callable[[], str] = lambda: (_ for _ in ()).throw(OSError())  # noqa: E731
    monkeypatch.setattr(remembered, "_program", unknown)
    assert check("shop.harness") == first and len(found_out) == 3


def test_an_edited_source_makes_another_program(tmp_path: Path) -> None:
    from harness_dsl.cache import sources

    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.py").write_text("a = 1")
    before = sources([str(tmp_path)])
    os.utime(tmp_path / "rules" / "one.py", ns=(1, 1))
    touched = sources([str(tmp_path)])
    (tmp_path / "rules" / "two.py").write_text("")
    assert len({before, touched, sources([str(tmp_path)])}) == 3


def test_processes_at_once_do_not_disturb_each_other(folder: Path) -> None:
    command = [sys.executable, "-m", "harness_dsl.cli.main", "check", "shop.harness"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    said = {(*process.communicate(), process.returncode) for process in running}
    alone = subprocess.run([*command, "--no-cache"], capture_output=True, text=True, check=False)
    assert said == {(alone.stdout, alone.stderr, alone.returncode)}
    assert len(entries(folder)) == 1


def test_the_folder_stays_small(
    folder: Path, check: Check, found_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness_dsl.cache.MOST", 4)
    for number in range(7):
        (folder / f"{number}.harness").write_text(HARNESS)
        check(f"{number}.harness")
        assert len(entries(folder)) <= 4
    found_out.clear()
    check("6.harness")
    assert found_out == []
    monkeypatch.setattr("harness_dsl.cache.LARGEST", 10)
    check("5.harness")
    check("0.harness")
    check("0.harness")
    assert found_out == ["0.harness", "0.harness"]


def test_the_output_is_the_same_byte_for_byte(folder: Path, check: Check, found_out: list[str]) -> None:
    """In every format, for what every rule finds wrong, alone and together."""
    named = [
        _written(
            folder / rule.code, rule.bad if isinstance(rule.bad, Folder) else Folder({MAIN: whole(rule.bad)})
        )
        for rule in every()
        if not isinstance(rule.bad, Edit)
    ]
    for shape in FORMATS:
        plain = check("--format", shape, "--info", "--no-cache", *named)
        assert check("--format", shape, "--info", *named) == plain
    known = len(found_out)
    assert check(*named) == check("--no-cache", *named) and len(found_out) == known + len(named)
    for path in named:
        assert check(path) == check("--no-cache", path)
    assert len(found_out) == known + 2 * len(named), "no answer is left out of the cache"


def _written(folder: Path, example: Folder) -> str:
    """Writes the example; returns the path of the file to check, from the current folder."""
    for name, file in example.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((file if isinstance(file, File) else File(file)).data)
    return os.path.relpath(folder / example.checked)
