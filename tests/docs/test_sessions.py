"""Every session that a document shows prints what it shows, with the files that the document shows before."""

import os
from pathlib import Path

import pytest

from tests.docs.console import ROOT, Block, Command, matches, run, steps, write

SHOWN = [
    document
    for document in sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    if "```console" in document.read_text("utf-8")
]


@pytest.mark.golden
@pytest.mark.parametrize("document", SHOWN, ids=lambda path: path.name)
def test_a_session_prints_what_is_shown(document: Path, tmp_path: Path) -> None:
    """With UPDATE_GOLDEN=1 what differs is written into the document instead."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    text = document.read_text("utf-8")
    new, told = [], 0
    for step in list(steps(text)):
        if isinstance(step, Block):
            write(tmp_path, step)
            continue
        printed = run(step.words, tmp_path)
        if matches(step.printed, printed):
            continue
        assert os.environ.get("UPDATE_GOLDEN") == "1", (
            f"{document.name}:{step.line}: `{step.words}` printed\n{printed}"
        )
        new += [text[told : step.start], printed.rstrip() + "\n" if printed.strip() else ""]
        told = step.end
    if told:
        document.write_text("".join([*new, text[told:]]), "utf-8")


EXAMPLE = """
Save this as `tea.txt`, no, as `a/tea.py`:

```python
print("tea", 1)
```

```console
$ python a/tea.py
tea 1
$ echo one; \\
  echo two
one
two
```

No file: `tea`.

```text
nothing
```
"""


def test_files_and_commands_are_found() -> None:
    file, python, echo, nothing = steps(EXAMPLE)
    assert file == Block("a/tea.py", 'print("tea", 1)\n', "python")
    assert nothing == Block(None, "nothing\n", "text")
    assert isinstance(python, Command) and (python.words, python.printed) == ("python a/tea.py", "tea 1\n")
    assert isinstance(echo, Command) and (echo.words, echo.printed) == (
        "echo one; \\\n  echo two",
        "one\ntwo\n",
    )
    assert EXAMPLE[echo.start : echo.end] == "one\ntwo\n" and echo.line == 11


def test_a_session_that_is_not_true_is_noticed(tmp_path: Path) -> None:
    file, python, echo, _ = steps(EXAMPLE)
    assert isinstance(file, Block) and isinstance(python, Command) and isinstance(echo, Command)
    write(tmp_path, file)
    assert matches(python.printed, run(python.words, tmp_path))
    assert matches(echo.printed, run(echo.words, tmp_path))
    write(tmp_path, Block(file.name, "print('coffee')", "python"))
    assert not matches(python.printed, run(python.words, tmp_path))


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb", True),
        ("a\n", "a  \n\n", True),
        ("a\n…\nc\n", "a\nb\nb\nc\n", True),
        ("a\n…\nc\n", "a\nc\n", True),
        ("…\n", "anything\nat all\n", True),
        ("a … c\n", "a b c\n", True),
        ("a … c\n", "a b\n c\n", False),
        ("", "", True),
        ("", "something", False),
        ("a.c", "abc", False),
        ("a\nb\n", "b\na\n", False),
        ("…\nc\n", "c\nd\n", False),
    ],
)
def test_elisions(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) == same
