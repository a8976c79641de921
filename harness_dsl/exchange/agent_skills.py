"""Skills of a harness as Agent Skills folders (https://agentskills.io/specification)."""

import io
import re

from harness_dsl.exchange.shown_tools import ShownTools, Unsupported
from harness_dsl.ir.core import Skill
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol.values import ordered

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*")
DESCRIPTION = 1024


def skill_text(skill: Skill, shown: ShownTools, surface: Surface) -> str:
    """`SKILL.md` of `skill`. One ordered step is the body as it stands; several become a list.

    Raises `Unsupported`.
    """
    name = shown.name(skill.id)
    if NAME.fullmatch(name) is None:
        raise Unsupported(
            skill.id, f"`{name}` is no name for a skill: 1 to 64 of a-z and 0-9, in words joined by `-`"
        )
    when = shown.text(skill.when)
    if not when.strip() or len(when) > DESCRIPTION:
        raise Unsupported(
            f"{skill.id}/when", f"a description has 1 to {DESCRIPTION} characters, not {len(when)}"
        )
    fields = {"name": name, "description": when}
    if skill.uses:
        fields["allowed-tools"] = " ".join(shown.name(tool) for tool in skill.uses)
    return f"---\n{_yaml(fields)}---\n{_body(skill, shown, surface)}"


def _body(skill: Skill, shown: ShownTools, surface: Surface) -> str:
    by_id = {item.id: item for item in skill.items}
    ids = tuple(by_id) if skill.ordered else ordered(surface, skill.id, tuple(by_id))
    texts = [shown.text(by_id[id_].text) for id_ in ids]
    if skill.ordered and len(texts) == 1:
        return texts[0]
    lines = []
    for number, text in enumerate(texts, 1):
        mark = f"{number}. " if skill.ordered else "- "
        lines.append(mark + text.replace("\n", "\n" + " " * len(mark)))
    return "\n" + "\n".join(lines) + "\n" if lines else ""


def _yaml(fields: dict[str, str]) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.width = 1_000_000
    yaml.allow_unicode = True
    out = io.StringIO()
    yaml.dump(fields, out)
    return out.getvalue()
