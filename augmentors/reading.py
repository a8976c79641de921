"""Everything that a model may read of a harness before it acts, with the source of every character."""

from collections.abc import Iterator
from typing import Any

from augmentors.proofs.rendering import Glance
from augmentors.samples import sample_inputs
from harness_dsl.ir.core import Core, Hook
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import HookNote, SkillShown
from harness_dsl.protocol.quick import Pieced
from harness_dsl.protocol.quick.page import page
from harness_dsl.protocol.view import View


class EverythingRead:
    """The system prompt, skills that can be loaded, and hook messages, for one sample of the inputs."""

    def __call__(self, core: Core, surface: Surface) -> Iterator[Pieced]:
        """Each of them, with the source of every character."""
        renderer = View(core, surface).quick
        inputs = _sample(core)
        yield renderer.system(inputs)
        for skill in core.skills:
            if skill.id in surface.hidden:
                continue
            yield renderer.skill(SkillShown.model_construct(skill=skill.id), inputs)
        for hook in core.hooks:
            yield renderer.hook(_note(hook), inputs)

    def glance(self, core: Core, surface: Surface) -> Glance | None:
        """What they are made of, where every name stands in a gap that takes the current one; else None."""
        sheet = View(core, surface).sheet(_sample(core))
        if sheet is None:
            return None
        sheet.system()
        on = page(core)
        for skill in core.skills:
            if skill.id not in sheet.hidden:
                sheet.skill(skill.id)
        for hook in core.hooks:
            sheet.text(on.hooks[hook.id])
        printed = frozenset(sheet.listed).union(*[line.symbols for line in sheet.lines])
        return Glance(printed, [line.texts for line in sheet.lines if line.texts])


everything_read = EverythingRead()


def _note(hook: Hook) -> HookNote:
    return HookNote.model_construct(hook=hook.id, action=hook.action)


@remembered
def _sample(core: Core) -> dict[str, Any]:
    return sample_inputs(core)
