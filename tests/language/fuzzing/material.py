"""What fuzzing starts from: the examples, modules, fixtures, project files and foreign files there are."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.parse import parse

ROOT = Path(__file__).resolve().parents[3]
_BLOCK = re.compile(r"```harness\n(.*?)```", re.DOTALL)
SMALL = '''harness x "1.0.0"

input room: Room
type Room { name: string }
type Size = "S" | "M"

tool get(link: int(min: 1), size: Size? = "S") -> map<Room[1..2]>? { """Get it.""" timeout 1s }

reply skill s {
  when """Now {{ tool.get.link }}."""
  do unordered { step a """A {% if room.name == "x" %}b{% else %}c{% endif %}""" }
}

prompt system { section p """P {% for x in room.name %}{{ x }}{% endfor %}""" order p first }
'''


class Material(NamedTuple):
    """Texts by what they are. `declarations`: single declarations of all harnesses. `projects`: whole folders
    (path → text) whose first file is the harness.
    """

    harnesses: list[str]
    declarations: list[str]
    projects: list[dict[str, str]]
    fixtures: list[str]
    settings: list[str]
    foreign: dict[str, list[str]]
    skills: list[str]


@cache
def material() -> Material:
    examples = ROOT / "examples"
    files = sorted(examples.rglob("*.harness"))
    blocks = [block for page in sorted((ROOT / "docs").glob("*.md")) for block in _BLOCK.findall(_text(page))]
    harnesses = [SMALL, *map(_text, files), *blocks]
    fixtures = sorted(path for path in examples.rglob("*.yaml") if "configs" not in path.parts)
    foreign = ROOT / "tests" / "exchange" / "material"
    return Material(
        harnesses,
        [text for harness in harnesses for text in _declarations(harness)],
        [_project(path) for path in files if "import " in _text(path)],
        [*map(_text, fixtures), "name: Leaf\n", "{name: &a [1, *a], on: yes, 1: 2}\n"],
        [_text(path) for path in sorted(examples.rglob("harness.toml"))],
        {
            kind: [_text(path) for path in sorted((foreign / folder).glob("*.json"))]
            for kind, folder in {
                "mcp": "mcp-github",
                "openai": "mcp-registry",
                "bfcl": "bfcl",
                "acebench": "acebench-zh",
            }.items()
        },
        [_text(path) for path in sorted((foreign / "skills").rglob("SKILL.md"))],
    )


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _declarations(harness: str) -> list[str]:
    file, _ = parse(harness, "x")
    return [file.text[decl.start : decl.end] for decl in file.decls if not isinstance(decl, t.Header)]


def _project(path: Path) -> dict[str, str]:
    """The harness, and what stands beside and below it in texts."""
    folder = path.parent
    beside = [
        file
        for pattern in ("*.harness", "*.yaml", "harness.toml")
        for file in sorted(folder.rglob(pattern))
        if file != path
    ]
    return {file.relative_to(folder).as_posix(): _text(file) for file in (path, *beside)}
