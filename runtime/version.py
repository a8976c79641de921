"""One version of a harness, ready to run: protocol, tools, hooks and limits of one Core and one Surface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from augmentors.adapters.adapter import Adapter
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, SemanticId
from harness_dsl.ir.quick_digest import quick_core_digest, quick_surface_digest
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol import CHATML, Framing, Protocol, Tokenizer
from runtime.adapted import AdaptedToolbox
from runtime.engines.base import Grammar
from runtime.hooks import HOOK_TIMEOUT_S, Functions, Hooks
from runtime.limits import Limits, read_limits
from runtime.tools import Toolbox

ToolFunctions = Mapping[str, Callable[..., Any]] | Callable[[Core], Mapping[str, Callable[..., Any]]]
HookFunctions = Functions | Callable[[Core], Functions]


@dataclass(frozen=True)
class Version:
    """What a turn runs on. A turn in flight keeps its version whatever is swapped meanwhile."""

    core: Core
    surface: Surface
    protocol: Protocol
    tools: Toolbox
    hooks: Hooks
    limits: Limits
    core_digest: str
    surface_digest: str
    grammar: Grammar | None = None

    @property
    def reply_skills(self) -> frozenset[SemanticId]:
        """The reply skills that the model can see; one of them must be loaded before a reply, if there are
        any.
        """
        hidden = {*self.surface.hidden}
        if LOAD_SKILL in hidden:
            return frozenset()
        return frozenset(s.id for s in self.core.skills if s.role == "reply" and s.id not in hidden)


class Versions:
    """Makes versions, and keeps the `keep` latest: rooms that run the same one share its protocol's caches.

    `tools` and `hooks` are functions by id, or functions of the Core that give them: a swapped Core may have
    others.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        tools: ToolFunctions,
        hooks: HookFunctions | None = None,
        *,
        framing: Framing = CHATML,
        keep: int = 32,
        token_limits: bool = True,
        patience: float = 1.0,
        constrained: bool = False,
    ) -> None:
        """`token_limits` False: limits in tokens are not enforced, since `tokenizer` is not the model's.
        `patience`: how many times longer than declared tools, hooks and turns may take.
        `constrained`: outputs keep the grammar of their Surface, so every call is one of a shown tool.
        """
        self._tokenizer = tokenizer
        self._tools = tools
        self._hooks: HookFunctions = {} if hooks is None else hooks
        self._framing = framing
        self._keep = keep
        self._token_limits = token_limits
        self._patience = patience
        self._constrained = constrained
        self._made: dict[str, Version] = {}
        self._adapters: list[Adapter] = []

    def adapt(self, adapter: Adapter) -> None:
        """From now on `adapter.core`, whatever its limits, is run by the tools of `adapter.base`.

        An adapter that leaves the tools alone, as that of a moved rule does, changes nothing here.
        """
        if adapter.base.tools == adapter.core.tools:
            return
        kept = [known for known in self._adapters if known.core.tools != adapter.core.tools]
        self._adapters = [adapter, *kept][: self._keep]

    def of(self, core: Core, surface: Surface) -> Version:
        """The version of `core` under `surface`.

        Raises `ValueError` when a function does not fit its tool, a hook's implementation is missing, or
        there is no grammar for the Surface's calls.
        """
        for made in self._made.values():
            if made.core is core and made.surface is surface:
                return made
        known = quick_core_digest(core)
        seen = quick_surface_digest(core, surface, known)
        if seen in self._made and self._made[seen].core == core:
            return self._made[seen]
        hooks = self._hooks(core) if callable(self._hooks) else self._hooks
        protocol = Protocol(core, surface, self._tokenizer, self._framing)
        version = Version(
            core=core,
            surface=surface,
            protocol=protocol,
            tools=self._toolbox(core),
            hooks=Hooks(core, surface, hooks, timeout_s=HOOK_TIMEOUT_S * self._patience),
            limits=self._limits(core),
            core_digest=known,
            surface_digest=seen,
            grammar=Grammar("structural_tag", protocol.grammar()) if self._constrained else None,
        )
        self._made[seen] = version
        while len(self._made) > self._keep:
            self._made.pop(next(iter(self._made)))
        return version

    def _toolbox(self, core: Core) -> Toolbox:
        for adapter in self._adapters:
            if adapter.core.tools == core.tools:
                return AdaptedToolbox(core, adapter, self._toolbox(adapter.base))
        tools = self._tools(core) if callable(self._tools) else self._tools
        return Toolbox(core, tools, patience=self._patience)

    def _limits(self, core: Core) -> Limits:
        limits = read_limits(core)
        if limits.wall_ms is not None:
            limits = replace(limits, wall_ms=int(limits.wall_ms * self._patience))
        return limits if self._token_limits else replace(limits, think_tokens=None, reply_tokens=None)
