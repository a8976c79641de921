"""A file beside the harness that is broken is one finding, however many use it."""

from pathlib import Path

import pytest

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.checking import checked
from harness_dsl.syntax.source import read
from tests.language.helpers import at_fault

HEAD = 'harness x "1.0.0"\n'
PROMPT = 'prompt system { section p """{{ room.name }}""" }\n'
TEST = 'test "%d" { given room = fixture "room.yaml" user "a" expect chars(reply) < 60 }\n'
TOOL = 'tool t%d(%s: int) -> any { """Tool %d.""" impl python "tools:t%d" }\n'
TOML = '[runtime]\nallow = ["tools"]\n'


def findings(folder: Path, text: str, code: str, **files: str) -> list[Diagnostic]:
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    path = folder / "x.harness"
    path.write_text(text)
    return [one for one in checked(read(path), str(path)).found if one.code == code]


@pytest.mark.parametrize(
    ("data", "code"), [("name: a\nname: b\n", "HD802"), (None, "HD801"), ("name: 3\n", "HD303")]
)
@pytest.mark.parametrize(("tests", "labels", "more"), [(1, 0, False), (3, 2, False), (9, 4, True)])
def test_a_fixture(data: str | None, code: str, tests: int, labels: int, more: bool, tmp_path: Path) -> None:
    room = "type Room { name: string }\ninput room: Room\n"
    text = HEAD + room + PROMPT + "".join(TEST % number for number in range(tests))
    files = {} if data is None else {"room_yaml": data}
    [found] = findings(tmp_path, text, code, **files)
    assert found.span.start == text.index('"room.yaml"')
    uses = [one for one in found.labels if one.text == "used here too"]
    assert len(uses) == labels and ("8 more tests use it" in found.message) == more


def test_each_input_that_a_fixture_does_not_fit_has_its_own_finding(tmp_path: Path) -> None:
    text = HEAD + "input a: string\ninput b: int\n" + 'prompt system { section p """{{ a }}{{ b }}""" }\n'
    text += (
        'test "a" { given a = fixture "room.yaml" given b = fixture "room.yaml" user "a" expect called(t) }'
    )
    assert len(findings(tmp_path, text, "HD303", room_yaml="[]")) == 2


@pytest.mark.parametrize(
    ("source", "advice"), [("def t0(:\n", "Correct that file."), (None, "")], ids=["broken", "elsewhere"]
)
def test_a_module(source: str | None, advice: str, tmp_path: Path) -> None:
    text = HEAD + PROMPT.replace("{{ room.name }}", "a") + "".join(TOOL % (n, "a", n, n) for n in range(7))
    files = {} if source is None else {"tools_py": source}
    found = findings(tmp_path, text, "HD507", harness_toml=TOML, **files)
    if source is None:
        assert found == []
        return
    [one] = found
    assert at_fault(text, one) == '"tools:t0"' and len(one.labels) == 4 and one.help == advice
    assert one.message.endswith("tools.py` cannot be parsed: invalid syntax in line 1, and 6 more name it")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "is a word of Python"),
        ("def t0(from_):\n    return 1\n", "cannot take `from`"),
        ("def t0(**given):\n    return 1\n", ""),
    ],
)
@pytest.mark.parametrize("toml", [TOML, None])
def test_a_parameter_with_a_word_of_python(
    source: str | None, said: str, toml: str | None, tmp_path: Path
) -> None:
    files = {} if source is None else {"tools_py": source}
    if toml is None:  # then nothing says where a module is
        files, said = {}, "is a word of Python"
    else:
        files["harness_toml"] = toml
    text = HEAD + PROMPT.replace("{{ room.name }}", "a") + TOOL % (0, "from", 0, 0)
    found = findings(tmp_path, text, "HD507", **files)
    assert [at_fault(text, one) for one in found] == (["from"] if said else [])
    assert all(said in one.message and '`from_ named "from"`' in one.help for one in found)
    assert findings(tmp_path, text.replace("from:", "since:"), "HD507") == [] or source is not None
