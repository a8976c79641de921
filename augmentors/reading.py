"""Everything that a model may read of a harness before it acts, with the source of every character."""

from collections.abc import Iterator

from augmentors.samples import sample_inputs
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import HookNote, SkillShown
from harness_dsl.protocol.source_map import Rendered
from harness_dsl.protocol.view import View


def everything_read(core: Core, surface: Surface) -> Iterator[Rendered]:
    """The system prompt, skills that can be loaded, and hook messages, for one sample of the inputs."""
    renderer = View(core, surface).renderer
    inputs = sample_inputs(core)
    yield renderer.system(inputs)
    for skill in core.skills:
        if skill.id in surface.hidden:
            continue
        yield renderer.skill(SkillShown(skill=skill.id), inputs)
    for hook in core.hooks:
        yield renderer.hook(HookNote(hook=hook.id, action=hook.action), inputs)
