"""A file of rows in which every second one is corrupt: each of them is named with its proof, no other is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augmentors import parquet
from augmentors.certificates import to_line
from augmentors.codebook import codebook
from augmentors.compact import to_row
from augmentors.coverage import Coverage
from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from augmentors.samples import sample_talks
from augmentors.verifying import Against, failing
from harness_dsl.cli.main import main
from harness_dsl.syntax.artefact import dump_ir
from tests.augmentors.test_checker import CORRUPTED
from tests.strategies import small_shop

CORE, SURFACE = small_shop()
BOOK = codebook(CORE, SURFACE)
RECIPE = Recipe(
    CORE,
    SURFACE,
    Policy.of({"rename": {}, "reorder": {}, "distractors": {}, "hide": {}, "wordings": {}, "limits": {}}),
    3,
    tuple(sample_talks(CORE)),
    with_messages=True,
)


def row(number: int = 0) -> dict[str, Any]:
    """A row that holds, with its messages."""
    data: dict[str, Any] = json.loads(make(RECIPE, number).line)
    return data


def changed(change: Callable[[dict[str, Any]], Any]) -> str:
    data = row()
    change(data)
    return json.dumps(data, ensure_ascii=False)


def into(*steps: Any, value: Any) -> Callable[[dict[str, Any]], Any]:
    """Puts `value` at the end of a path."""

    def change(data: Any) -> None:
        for step in steps[:-1]:
            data = data[step]
        data[steps[-1]] = value

    return change


def calls_an_old_name(data: dict[str, Any]) -> None:
    tool = next(one for one in CORE.tools if SURFACE.names.get(one.id) is None)
    (message,) = (one for one in data["messages"] if one.get("tool_calls"))
    message["tool_calls"][0]["function"]["name"] = tool.id.partition("/")[2]


def uses_another_tool(data: dict[str, Any]) -> None:
    data["messages"] = row(1)["messages"]


LINE: dict[str, tuple[str, str]] = {
    "no JSON": ("{", "no JSON at column"),
    "a row that is cut off": (make(RECIPE, 0).line[:200], "no JSON at column"),
    "a list": ("[]", "a row must be a JSON object"),
    "an unknown version": (changed(into("v", value="9.0")), "version '9.0' are not known"),
    "no version": (changed(lambda data: data.pop("v")), "schema version None"),
    "no seed": (changed(lambda data: data.pop("seed")), "seed"),
    "a seed that is a text": (changed(into("seed", value="x")), "seed"),
    "a level that is none": (changed(into("level", value="sure")), "level"),
    "damaged names": (changed(into("names", value="~~~")), "damaged"),
    "damaged orders": (changed(into("orders", value="\u4e2d")), "damaged"),
    "another bank": (changed(into("bank", value="x")), "distractors are of another bank"),
    "messages that are a text": (changed(into("messages", value="hello")), "a list of objects"),
    "messages that are null": (changed(into("messages", value=None)), "`messages`: a list"),
    "messages with a text": (changed(into("messages", value=["x"])), "`messages`: a list of objects"),
    "a field that is none": (changed(into("zzz", value=1)), "`zzz` is no field of a row"),
    "a field that stands twice": (f'{{"level":"declared",{changed(dict)[1:]}', "`level` stands there twice"),
    "a row number that is a text": (changed(into("row", value="0")), "`row`: an integer"),
    "a row number with a fraction": (changed(into("row", value=1.0)), "`row`: an integer"),
    "a row number below zero": (changed(into("row", value=-1)), "`row`: there is no such value"),
    "a seed that is a truth value": (changed(into("seed", value=True)), "`seed`: an integer"),
    "a loader that is a truth value": (changed(into("loader", value=True)), "`loader`: an integer"),
    "a loader that is not there": (changed(into("loader", value=99)), "`loader`: there is no such"),
    "draws that are none": (changed(into("draws", value=0)), "`draws`: there is no such value"),
    "claims that are not there": (changed(into("claims", value="9999")), "`claims`: there is no such"),
    "claims in other digits": (changed(into("claims", value="\u0660")), "`claims`: there is no such"),
    "needs that are not there": (changed(into("needs", value=[9999])), "`needs`: there is no such"),
    "needs below zero": (changed(into("needs", value=[-1])), "`needs`: there is no such"),
    "needs that are a text": (changed(into("needs", value="x")), "`needs`: a list"),
    "distractors that are not there": (
        changed(into("distractors", value=[[99, 99]])),
        "`distractors`: there",
    ),
    "a distractor below zero": (changed(into("distractors", value=[-1])), "`distractors`: there"),
    "a lineage that is a text": (changed(into("lineage", value="x")), "`lineage`: an object"),
    "no surface": (changed(lambda data: data.pop("surface")), "`surface` is missing"),
    "another harness": (changed(into("core", value="x" * 40)), "proof 1"),
    "another digest": (changed(into("surface", value=row(1)["surface"])), "proof 1"),
    "operators that changed less": (changed(into("ops", value="rename:")), "proof 1"),
    "a claim that is missing": (changed(into("claims", value="")), "proof 1"),
    "a stronger level": (changed(into("level", value="structural")), "proof "),
    "a tool that the task needs and nobody names": (changed(into("needs", value=[])), "proof 4"),
    "another prompt": (changed(into("messages", 0, "content", value="You sell tea.")), "proof 3"),
    "a call of a name that is gone": (changed(calls_an_old_name), "proof 3"),
    "a conversation of another task": (changed(uses_another_tool), "proof "),
}
"""By corruption, the line and what is said of it."""


def test_there_are_many_kinds_of_corruption_for_every_proof() -> None:
    assert len(CORRUPTED) + len(LINE) >= 50
    assert {proof for proof, _ in CORRUPTED.values()} == {1, 2, 4}
    assert any("proof 3" in said for _, said in LINE.values())


def test_each_corrupt_certificate_is_named_with_its_row_and_proof(tmp_path: Path) -> None:
    lines, wanted = [], {}
    for what, (proof, certificate) in CORRUPTED.items():
        lines.append(make(RECIPE, len(lines)).line)
        numbered = certificate.model_copy(update={"row": 1000 + len(lines)})
        # Short rows take these digests from the harness, so that only rows written in full can have others.
        lines.append(to_line(numbered) if what in ("another core", "core digest") else to_row(numbered, BOOK))
        wanted[len(lines)] = (what, proof)
    coverage = Coverage()
    found = {one.line: one for one in failing(Against(CORE, SURFACE), enumerate(lines, 1), coverage)}
    assert coverage.rows == len(lines)
    assert set(found) == set(wanted)
    for number, (what, proof) in wanted.items():
        # A number that is none cannot be written, and so is no row.
        is_row = what not in ("a limit that is no number",)
        assert found[number].row == (1000 + number - 1 if is_row else None) or not is_row, what
        said = "\n".join(found[number].faults)
        assert f"proof {proof}: " in said or not is_row, (what, said)


def test_each_corrupt_line_is_named_and_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    harness, path = tmp_path / "shop.json", tmp_path / "rows.jsonl"
    harness.write_bytes(dump_ir(CORE, SURFACE, "sha256:0"))
    lines = []
    for line, _ in LINE.values():
        lines += [make(RECIPE, len(lines)).line.rstrip("\n"), line.rstrip("\n")]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert main(["verify", str(path), "--harness", str(harness), "--all"]) == 1
    printed = capsys.readouterr()
    said: dict[int, str] = {}
    for one in printed.out.splitlines():
        number = one.partition("line ")[2].partition(":")[0] or one.removeprefix(f"{path}:").partition(":")[0]
        said[int(number)] = said.get(int(number), "") + one
    assert [*said] == [*range(2, len(lines) + 1, 2)]
    for (what, (_, wanted)), text in zip(LINE.items(), said.values(), strict=True):
        assert wanted in text, (what, text)
    assert f"{len(LINE)} of {len(lines)} rows hold" in printed.err


def test_corrupt_rows_of_a_parquet_file_are_named_alike(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.parquet"
    lines = [line for line, said in LINE.values() if said.startswith("proof")]
    parquet.write([make(RECIPE, 0).line, *lines], path)
    found = [*failing(Against(CORE, SURFACE), enumerate(parquet.lines(path), 1), Coverage())]
    assert [one.line for one in found] == [*range(2, len(lines) + 2)]
