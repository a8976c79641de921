"""Calls in the form of a target, both ways: shown names back to semantic ids, nulls back to absence.

`Calls.decode` undoes `Calls.encode`; what a target cannot say apart is in the losses of its export.
"""

import json
from collections.abc import Mapping
from typing import Any

from harness_dsl.exchange.call_forms import Form, form_of
from harness_dsl.exchange.exporting import Target
from harness_dsl.exchange.sanitising import legal_surface
from harness_dsl.exchange.stub_module import function_names
from harness_dsl.exchange.targets import bare
from harness_dsl.exchange.wire import Wire
from harness_dsl.ir.core import Core, Tool
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.transcript import Call, LoadSkill
from harness_dsl.ir.types import Type
from harness_dsl.ir.values import check_arguments, check_value
from harness_dsl.protocol.json_text import BadJson, dump, load
from harness_dsl.protocol.values import UnknownName, Values

_LONGEST = 400
PLAIN = Surface()
"""Shows every symbol by its own name."""


class Undecodable(Exception):
    """What came back is no call of this harness; the message says why, as one phrase on one line."""

    def __init__(self, reason: str) -> None:
        # Names in it are whatever a model made up.
        shown = "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in reason)
        super().__init__(shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…")


class Calls:
    """Calls of a harness as `target` is told to make them.

    `sanitise` as for `export`. For agent-skills, a call is the loading of a skill.
    """

    def __init__(self, core: Core, surface: Surface, target: Target, *, sanitise: bool = False) -> None:
        if sanitise:
            surface = legal_surface(core, surface, target)
        if target == "python-stubs":
            surface = PLAIN
        self._core = core
        self._target = target
        self._naming = Naming(core, surface)
        self._values = Values(core, surface, self._naming)
        self._wire = Wire(core, self._naming, self._fits, nulls=target == "openai-strict")
        self._tools = {tool.id: tool for tool in core.tools}
        stubs = function_names(core.tools) if target == "python-stubs" else {}
        self._names = {id_: stubs.get(id_) or self._naming.name(id_) for id_ in self._tools}
        self._ids = {name: id_ for id_, name in self._names.items()}

    def encode(self, call: Call | LoadSkill) -> Any:
        """What the target's model says when it makes `call`, as JSON data. Raises `ValueError` for a call
        that this harness or target does not have.
        """
        if isinstance(call, LoadSkill):
            if self._target != "agent-skills":
                raise ValueError(f"{self._target} loads no skills")
            return self._naming.name(call.skill)
        if self._target == "agent-skills" or call.tool not in self._tools:
            raise ValueError(f"{self._target} has no {call.tool}")
        tool = self._tools[call.tool]
        members = [(param.id, param.type) for param in tool.params]
        shown = bare(self._values.record(call.arguments, members, reading=False))
        return form_of(self._target).write(self._names[tool.id], self._wire.sent(shown, tool))

    def decode(self, said: Any) -> Call | LoadSkill:
        """The call that `said`, JSON data in the target's form, makes. Raises `Undecodable`."""
        if self._target == "agent-skills":
            return self._skill(said)
        form: Form = form_of(self._target)
        read = form.read(said)
        if isinstance(read, str):
            raise Undecodable(read)
        name, arguments = read
        tool = self._tools.get(self._ids.get(name, ""))
        if tool is None:
            raise Undecodable(f"there is no tool `{name}`")
        return self._call(tool, arguments)

    def _skill(self, said: Any) -> LoadSkill:
        if not isinstance(said, str):
            raise Undecodable("a skill is loaded by its name, which is text")
        skill = self._naming.symbol("skill", said)
        if skill is None:
            raise Undecodable(f"there is no skill {dump(said)}")
        return LoadSkill(skill=skill)

    def _call(self, tool: Tool, arguments: Any) -> Call:
        if isinstance(arguments, str):
            # A tool without parameters is at times called with no text at all.
            try:
                arguments = load(arguments or "{}")
            except BadJson as problem:
                raise Undecodable(f"the arguments cannot be read: {problem}") from None
        if not isinstance(arguments, Mapping):
            raise Undecodable("the arguments are no object")
        members = [(param.id, param.type) for param in tool.params]
        try:
            meant = self._wire.received(arguments, tool)
            read = self._values.record(meant, members, reading=True)
        except (UnknownName, RecursionError) as problem:
            raise Undecodable(str(problem) or "the arguments are nested too deep") from None
        wrong = check_arguments(read, tool, self._core, self._naming)
        if wrong is not None:
            raise Undecodable(wrong)
        return Call(tool=tool.id, arguments=read)

    def _fits(self, shown: Any, type_: Type) -> bool:
        try:
            return check_value(self._values.read(shown, type_), type_, self._core) is None
        except UnknownName:
            return False
