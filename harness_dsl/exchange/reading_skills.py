"""Agent Skills: folders with a `SKILL.md` (https://agentskills.io/specification)."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness_dsl.exchange.found import Found, Refusal, SkillSource
from harness_dsl.exchange.json_files import found_files, text_of

FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_FENCE = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_PLAIN = re.compile(r"([A-Za-z][\w-]*):[ \t]+(\S.*?)[ \t]*")


def read_skills(path: Path) -> Iterator[Found]:
    """Every `SKILL.md` under `path`, or that one file."""
    if path.is_file():
        yield read_skill(path, path.name)
        return
    for file in found_files(path, _is_skill):
        if isinstance(file, Refusal):
            yield file
            continue
        found = read_skill(file, str(file.relative_to(path)))
        if isinstance(found, SkillSource):
            others = sorted(
                str(other.relative_to(file.parent))
                for other in file.parent.rglob("*")
                if other.is_file() and other != file
            )
            found.losses += [("", f"the file `{other}` beside it") for other in others]
        yield found


def skill_files(path: Path) -> list[Path]:
    """`path` itself, or every `SKILL.md` under the folder in the order of their paths."""
    if not path.is_dir():
        return [path]
    return [file for file in found_files(path, _is_skill) if isinstance(file, Path)]


def _is_skill(file: Path) -> bool:
    return file.name == "SKILL.md"


def read_skill(path: Path, shown: str) -> SkillSource | Refusal:
    """One skill, its body with every character as it stands."""
    # Line ends count: universal newlines would change the body.
    text = text_of(path, shown)
    if isinstance(text, Refusal):
        return text
    if "\0" in text:
        return Refusal(shown, "", "", "a NUL character in the text")
    opening = _FENCE.match(text)
    if opening is None:
        return Refusal(shown, "", path.parent.name, "it does not begin with front matter between `---` lines")
    closing = _closing(text, opening.end())
    if closing is None:
        return Refusal(shown, "", path.parent.name, "its front matter is never closed by a line `---`")
    matter = text[opening.end() : closing.start()].replace("\r\n", "\n").replace("\r", "\n")
    fields = _fields(matter)
    if isinstance(fields, str):
        return Refusal(shown, "", path.parent.name, f"its front matter is no plain YAML: {fields}")
    return _skill(fields, text[closing.end() :], path, shown, "&" in matter and bool(_ANCHOR.search(matter)))


_ANCHOR = re.compile(r"(?m)^[\w-]+:[ \t]*&\w+|:[ \t]+\*\w+[ \t]*$")


def _closing(text: str, start: int) -> re.Match[str] | None:
    """The next line that is `---` and nothing more; `----` and ` --- ` inside a value are none."""
    at = start
    while at < len(text):
        fence = _FENCE.match(text, at)
        if fence is not None:
            return fence
        ends = [end for end in (text.find("\n", at), text.find("\r", at)) if end >= 0]
        if not ends:
            return None
        at = min(ends) + (2 if text.startswith("\r\n", min(ends)) else 1)
    return None


def _fields(matter: str) -> dict[str, Any] | str:
    """The front matter, or what is wrong with it. A description with `: ` in it is taken as its author meant
    it.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        found = YAML(typ="safe", pure=True).load(matter)
    except YAMLError as error:
        plain = _plain(matter)
        if plain is not None:
            return plain
        return " ".join(str(getattr(error, "problem", None) or error).split())
    except (ValueError, RecursionError, OverflowError) as error:
        return " ".join(str(error).split()) or "it is nested too deep"
    if not isinstance(found, dict):
        return "it is no mapping of names to values"
    return {str(key): value for key, value in found.items()}


def _plain(matter: str) -> dict[str, Any] | None:
    """Front matter of nothing but `key: text` lines, each text as it stands; None: it is something else."""
    found: dict[str, Any] = {}
    for line in matter.split("\n"):
        if not line.strip():
            continue
        match = _PLAIN.fullmatch(line)
        if match is None or match[1] in found or match[2][0] in "\"'|>&*!%@`[{":
            return None
        found[match[1]] = match[2]
    return found


def _skill(fields: dict[str, Any], body: str, path: Path, shown: str, anchors: bool) -> SkillSource | Refusal:
    losses: list[tuple[str, str]] = []
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip():
        name = path.parent.name
        losses.append(("/name", f"a name that is no text: it is called `{name}` after its folder"))
    description = fields.get("description")
    if not isinstance(description, str) or not description.strip():
        return Refusal(shown, "/description", name, "it has no description: nothing says when to use it")
    if anchors:
        losses.append(("", "that values of the front matter share an anchor"))
    for key, value in fields.items():
        if key in ("name", "description"):
            continue
        if key == "allowed-tools":
            losses.append(("/allowed-tools", "that it may use only " + ", ".join(_tools(value))))
            continue
        close = difflib.get_close_matches(key, FIELDS, n=1, cutoff=0.8) if key not in FIELDS else []
        hint = f"; is `{close[0]}` meant?" if close else ""
        losses.append((f"/{key}", f"`{key}`{hint}"))
    return SkillSource(shown, name, description.strip("\n"), body, losses)


def _tools(value: Any) -> list[str]:
    """`allowed-tools` as a list, or as text with commas or spaces: `Bash(git *), Read` are two."""
    if isinstance(value, list):
        return [str(entry) for entry in value]
    words = re.findall(r"[^\s,(]+(?:\([^)]*\))?", str(value)) if value is not None else []
    return words or ["no tool"]
