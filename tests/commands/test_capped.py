"""A broken dataset is reported in a screenful, with the kinds counted, and whole on request."""

from pathlib import Path

import pytest

from harness_dsl.cli.capped import MOST, Capped
from harness_dsl.cli.main import main

TEXT = """harness ok "1.0.0"

tool ask(n: int) -> int {
  \"\"\"Ask.\"\"\"
}

prompt system {
  section persona \"\"\"You answer.\"\"\"
  section tools catalog tools
}
"""


@pytest.fixture
def broken(tmp_path: Path) -> list[str]:
    """Rows of another harness, and lines that are no rows, many of both."""
    harness, rows = tmp_path / "ok.harness", tmp_path / "rows.jsonl"
    harness.write_text(TEXT)
    assert main(["augment", str(harness), "-n", "40", "-o", str(rows)]) == 0
    rows.write_text(rows.read_text() + "no row\n" * 40)
    harness.write_text(TEXT.replace("Ask.", "Ask for more."))
    return ["verify", str(rows), "--harness", str(harness)]


def test_a_broken_dataset_is_reported_in_a_screenful(
    broken: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(broken) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == MOST
    assert "and 30 lines more; --all prints them" in said.err and "  30 × " in said.err
    assert main([*broken, "--all"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 80


def test_kinds_are_counted_the_most_frequent_first(capsys: pytest.CaptureFixture[str]) -> None:
    said = Capped(1)
    for kind in ["a", "b", "b", "c", *"defghijklmn"]:
        said.say(f"line {kind}", kind)
    assert capsys.readouterr().out == "line a\n"
    first, second, *_, last = said.rest()
    assert first == "and 14 lines more; --all prints them" and second == "  2 × b"
    assert last == "  and 3 kinds more" and Capped(None).rest() == []
