"""What happened in a conversation, by semantic ids: the same under every Surface.

Argument and result values are JSON keyed by declared identifiers, enum values in their declared form.
Mentions of symbols inside thinking and replies are references, so that a transcript can be shown in any
Surface.
"""

from typing import Annotated, Any, Literal, Union

from pydantic import Field

from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node


class Mention(Node):
    """A surface name of `symbol` stands here in the text."""

    symbol: SemanticId


Prose = tuple[Union[str, Mention], ...]


class Think(Node):
    kind: Literal["think"] = "think"
    text: Prose


class LoadSkill(Node):
    kind: Literal["load_skill"] = "load_skill"
    skill: SemanticId


class Call(Node):
    kind: Literal["call"] = "call"
    tool: SemanticId
    arguments: dict[str, Any]


class ForeignCall(Node):
    """A call of a distractor or of an unknown name (a stale one, too); `arguments` is text as produced."""

    kind: Literal["foreign_call"] = "foreign_call"
    name: str
    arguments: str


class Malformed(Node):
    """Output that is no event. It is an event of its own, and the same one in training and serving."""

    kind: Literal["malformed"] = "malformed"
    text: str
    reason: str


class ReplyText(Node):
    kind: Literal["reply"] = "reply"
    text: Prose


class Truncated(Node):
    """The model was stopped by a length limit before it ended its turn."""

    kind: Literal["truncated"] = "truncated"


ModelEvent = Annotated[
    Union[Think, LoadSkill, Call, ForeignCall, Malformed, ReplyText, Truncated], Field(discriminator="kind")
]


class Generated(Node):
    """One model output: its events in order, and the token ids as produced (empty: not recorded)."""

    kind: Literal["generated"] = "generated"
    events: tuple[ModelEvent, ...]
    ids: tuple[int, ...] = ()


class User(Node):
    """A user turn: untrusted literal text, never lifted."""

    kind: Literal["user"] = "user"
    text: str


class Result(Node):
    """What a call returned, in the order of the calls. `tool` is None for a foreign call.

    `failure` is set instead of `value`: the failure's declared name or `bad_arguments`, `unknown_tool`,
    `limit`, `denied`, `crashed`; `detail` is what the model reads about it.
    """

    kind: Literal["result"] = "result"
    tool: SemanticId | None
    value: Any = None
    failure: str | None = None
    detail: str = ""


class SkillShown(Node):
    """The text of a loaded skill is shown to the model, as the current Surface words it."""

    kind: Literal["skill_shown"] = "skill_shown"
    skill: SemanticId


class HookNote(Node):
    """A hook's message is shown to the model, as the current Surface words it."""

    kind: Literal["hook"] = "hook"
    hook: SemanticId
    action: Literal["deny", "retry", "replace", "inject", "require", "log"]


class Published(Node):
    """What the audience got. Hook `by` denied or replaced the reply, if set. Never shown to the model."""

    kind: Literal["published"] = "published"
    text: str
    by: SemanticId | None = None


Event = Annotated[
    Union[User, Generated, Result, SkillShown, HookNote, Published], Field(discriminator="kind")
]


class Transcript(Node):
    """A conversation under one Core. `inputs` are JSON values by input identifier. `lineage` is what it has
    in common with others by kind (`task`, `product`, `wording` …): splits keep what shares any together.
    """

    schema_version: Literal["1.0"] = "1.0"
    core_digest: str
    inputs: dict[str, Any] = Field(default_factory=dict)
    events: tuple[Event, ...] = ()
    lineage: dict[str, str] = Field(default_factory=dict)
