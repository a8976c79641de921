"""Files that no tool wrote: each is one sentence in bounded memory, and nothing outside is read."""

import gzip
import io
import json
import os
import resource
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.cli.main import main
from harness_dsl.exchange.hooks import import_hooks
from harness_dsl.exchange.importing import READERS, import_harness

TOOL = {"name": "t", "description": "d"}


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../SKILL.md", "---\nname: a\ndescription: b\n---\n")
    return out.getvalue()


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("/etc/SKILL.md"))
    return out.getvalue()


BAD: dict[str, tuple[bytes, str]] = {
    "latin": ('[{"name": "caf\u00e9"}]'.encode("latin-1"), "byte 0xe9 at 14 is not UTF-8"),
    "utf-16": ("[]".encode("utf-16"), "byte 0xff at 0 is not UTF-8 (it looks like UTF-16)"),
    "nan": (b"[NaN]", "`NaN` is no JSON"),
    "infinity": (b'[{"a": -Infinity}]', "`-Infinity` is no JSON"),
    "twice": (b'[{"a": 1, "a": 1}]', "the key `a` stands twice in one object"),
    "deep lists": (b"[" * 200_000, "it is nested too deep"),
    "deep objects": (b'{"a":' * 200_000, "it is nested too deep"),
    "long number": (b"[" + b"9" * 6000 + b"]", "a number has more digits than can be read"),
    "zip": (zipped(), "it is a zip archive: unpack it first"),
    "tar": (tarred(), "it is a tar archive: unpack it first"),
    "gzip": (gzip.compress(b"[]"), "it is a gzip archive: unpack it first"),
    "openapi": (
        b'{"openapi": "3.1.0", "paths": {}}',
        "it is an OpenAPI document, and only lists of tools are read",
    ),
    "swagger": (
        b'{"swagger": "2.0", "paths": {"/a": {}}}',
        "it is an OpenAPI document, and only lists of tools are read",
    ),
    "nothing": (b"", "line 1, column 1: expecting value"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_sentence_to_every_reader(tmp_path: Path, name: str) -> None:
    data, reason = BAD[name]
    path = tmp_path / "x.json"
    path.write_bytes(data)
    for kind in READERS:
        if kind != "skills":
            assert [refusal.reason for refusal in import_harness(kind, path).refusals] == [reason]
    assert [refusal.reason for refusal in import_hooks(path).refusals] == [reason]


@pytest.mark.parametrize("name", ["latin", "zip", "tar", "gzip"])
def test_a_bad_skill_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    path = tmp_path / "SKILL.md"
    path.write_bytes(BAD[name][0])
    assert [refusal.reason for refusal in import_harness("skills", tmp_path).refusals] == [BAD[name][1]]


def test_a_hundred_megabytes_are_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(100 * 1024 * 1024)
    code = "import sys; from harness_dsl.cli.main import main; sys.exit(main(sys.argv[1:]))"
    ran = subprocess.run(
        [sys.executable, "-c", code, "import", "mcp", str(path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (90 * 1024**2, 90 * 1024**2)),
    )
    assert ran.returncode == 1 and ran.stdout == ""
    assert "x.json: has 104857600 bytes, and 16777216 is the most that is read" in ran.stderr


def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    (refusal,) = import_harness("mcp", Path("/dev/zero")).refusals
    assert refusal.reason == "has no end, and 16777216 is the most that is read"


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for folder in (outside, inside):
        folder.mkdir()
        (folder / "tools.json").write_text(json.dumps({**TOOL, "name": folder.name}))
    (inside / "away.json").symlink_to(outside / "tools.json")
    (inside / "here.json").symlink_to(inside / "tools.json")
    (inside / "loop.json").symlink_to(inside / "loop.json")
    (inside / "gone.json").symlink_to(tmp_path / "nothing")
    (inside / "up").symlink_to(tmp_path)
    result = import_harness("mcp", inside)
    assert list(result.sources) == ["inside"] and result.repeated == 1
    assert {refusal.file: refusal.reason for refusal in result.refusals} == {
        "away.json": "is a link that leads out of the folder",
        "gone.json": "is a link that leads nowhere",
        "loop.json": "is a link that leads nowhere",
    }


def test_a_skill_behind_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    text = "---\nname: secret\ndescription: d\n---\n"
    for place in ("outside", "skills/own"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "SKILL.md").write_text(text.replace("secret", Path(place).name))
    (tmp_path / "skills" / "SKILL.md").symlink_to(tmp_path / "outside" / "SKILL.md")
    result = import_harness("skills", tmp_path / "skills")
    assert list(result.sources) == ["own"] and "outside" not in result.text
    assert [refusal.reason for refusal in result.refusals] == ["is a link that leads out of the folder"]


def test_an_unreadable_file_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(TOOL))
    (tmp_path / "b.json").write_text(json.dumps({**TOOL, "name": "u"}))
    (tmp_path / "c.json").mkdir()
    os.mkfifo(tmp_path / "d.txt")
    (tmp_path / "b.json").chmod(0)
    result = import_harness("mcp", tmp_path)
    if os.geteuid() == 0:
        assert sorted(result.sources) == ["t", "u"]
    else:
        assert [refusal.reason for refusal in result.refusals] == ["cannot be read: permission is missing"]


@pytest.mark.parametrize("kind", [*READERS, "hooks"])
def test_what_is_not_there_is_said(tmp_path: Path, kind: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", kind, str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"harnessc: there is no `{tmp_path / 'none'}`\n"
    (tmp_path / "empty").mkdir()
    assert main(["import", kind, str(tmp_path / "empty")]) == 2
    assert "there is nothing of" in capsys.readouterr().err
