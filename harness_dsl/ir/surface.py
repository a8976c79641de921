"""Surface: how a Core is shown to a model. Sparse: what is not said has its default."""

from typing import Any, Literal

from pydantic import Field

from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.node import Node
from harness_dsl.ir.texts import Template

ToolDocs = Literal["json_schema", "python", "markdown", "typescript", "xml"]
Markup = Literal["markdown", "xml", "plain"]
CallSyntax = Literal[
    "hermes_json", "qwen_xml", "pythonic", "llama_json", "fenced_json", "verbose_xml", "concise_xml"
]
Feedback = Literal["plain", "prefixed", "tagged"]
Layout = Literal["list", "prose", "table"]


class ForeignTool(Node):
    """A distractor: shown like a tool, means nothing in this Core. A call of it returns `failure`.

    `parameters` is a JSON Schema of type object; `origin` says where the schema was taken from.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    failure: str
    origin: str


def _is_empty(value: Any) -> bool:
    """For fields that came later: digests are published, so a Surface that does not use one has the JSON it
    always had.
    """
    return not value


class Surface(Node):
    """names           shown name of a symbol; default: the last segment of its id
    wordings        chosen wording of a text; default: its canonical wording
    orders          shown order of an unordered list as ids, by the key of the list; default: sorted by id,
                    for sections the legal order nearest to that (`listing.section_order`).
                    Keys: "tools" (distractors too, as `foreign/<name>`), "skills", "prompt/system" (its
                    sections), a tool (parameters), a type (fields), a section (rules), a skill (steps)
    hidden          tools and skills left out of the prompt (task-relative)
    implementations which equivalent implementation of a hook runs: 0 is the declared condition
    feedback        how a hook's message to the model is set off, by the id of the hook; default: plain
    layouts         how the items of a skill or of a section of rules are set, by its id; default: list
    unsaid          optional parameters whose default the documentation leaves out
    """

    schema_version: Literal["1.0"] = "1.0"
    names: dict[SemanticId, str] = Field(default_factory=dict)
    wordings: dict[SemanticId, Template] = Field(default_factory=dict)
    orders: dict[str, tuple[SemanticId, ...]] = Field(default_factory=dict)
    markup: Markup = "markdown"
    tool_docs: ToolDocs = "json_schema"
    call_syntax: CallSyntax = "hermes_json"
    hidden: tuple[SemanticId, ...] = ()
    distractors: tuple[ForeignTool, ...] = ()
    implementations: dict[SemanticId, int] = Field(default_factory=dict)
    feedback: dict[SemanticId, Feedback] = Field(default_factory=dict, exclude_if=_is_empty)
    layouts: dict[SemanticId, Layout] = Field(default_factory=dict, exclude_if=_is_empty)
    unsaid: tuple[SemanticId, ...] = Field(default=(), exclude_if=_is_empty)
