"""What `fixed` freezes."""

from collections.abc import Iterator

from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.walk import texts


@remembered
def frozen(core: Core) -> "Frozen":
    """What no augmentor may touch in `core`."""
    return Frozen(frozenset(_owners(core)), frozenset(text.id for text in texts(core) if text.fixed))


class Frozen:
    """`fixed` on a symbol freezes its name and all that lies under its id: names, wordings and shown orders;
    on a hook also which implementation runs. `fixed` on a text freezes its wording alone."""

    def __init__(self, owners: frozenset[SemanticId], wordings: frozenset[SemanticId]) -> None:
        self._owners = owners
        self._wordings = wordings

    def symbol(self, id_: SemanticId) -> bool:
        """Whether the name, order or implementation under `id_` is frozen."""
        if id_ in self._owners:
            return True
        return any(id_.startswith(owner + "/") for owner in self._owners)

    def wording(self, text: SemanticId) -> bool:
        """Whether the wording of the text `text` is frozen."""
        return text in self._wordings or self.symbol(text)


def _owners(core: Core) -> Iterator[SemanticId]:
    for tool in core.tools:
        if tool.fixed:
            yield tool.id
        yield from (param.id for param in tool.params if param.fixed)
    for decl in core.types:
        yield from (field.id for field in decl.fields or () if field.fixed)
    yield from (skill.id for skill in core.skills if skill.fixed)
    yield from (hook.id for hook in core.hooks if hook.fixed)
    yield from (section.id for section in core.prompt.sections if section.fixed)
