"""Everything that a model may read of a harness before it acts, with the source of every character."""

from collections.abc import Iterator
from typing import Any

from augmentors.samples import sample_inputs
from harness_dsl.ir.core import Core
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import HookNote, SkillShown
from harness_dsl.protocol.quick import Pieced
from harness_dsl.protocol.view import View


def everything_read(core: Core, surface: Surface) -> Iterator[Pieced]:
    """The system prompt, skills that can be loaded, and hook messages, for one sample of the inputs."""
    renderer = View(core, surface).quick
    inputs = _sample(core)
    yield renderer.system(inputs)
    for skill in core.skills:
        if skill.id in surface.hidden:
            continue
        yield renderer.skill(SkillShown.model_construct(skill=skill.id), inputs)
    for hook in core.hooks:
        yield renderer.hook(HookNote.model_construct(hook=hook.id, action=hook.action), inputs)


@remembered
def _sample(core: Core) -> dict[str, Any]:
    return sample_inputs(core)
