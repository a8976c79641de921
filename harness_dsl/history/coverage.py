"""Whether a model was trained for an edit: from the operators that its training manifest counts.

| an edit of                                              | is what an operator does | its family |
|---------------------------------------------------------|--------------------------|------------|
| a shown name                                            | `rename`                 | naming     |
| a symbol renamed by similarity                          | `rename`, in part        | naming     |
| a shown order                                           | `reorder`                | order      |
| a text that mentions the same, a chosen wording         | `wordings`               | wording    |
| a text with other mentions                              | `wordings`, in part      | wording    |
| markup                                                  | `markup`                 | format     |
| the form of tool documentation                          | `tool-docs`              | format     |
| the layout of a skill or of rules                       | `layout`                 | format     |
| which defaults are documented                           | `defaults`               | format     |
| how calls are written                                   | `call-syntax`            | call syntax |
| how messages of hooks are set off                       | `feedback`               | hooks      |
| distractors                                             | `distractors`            | tool-set   |
| hidden symbols, a removed tool or skill                 | `hide`                   | tool-set   |
| an added tool (seen as a distractor, never used)        | `distractors`, in part   | tool-set   |
| a limit, to a value that was legal                      | `limits`                 | policy     |
| a limit, to any other value                             | `limits`, in part        | policy     |
| what no model sees: tests, titles, declared choices, …  | nothing                  |            |
| anything else: rules, steps, hooks, types, parameters   | no operator              |            |

`inside`: the operator was trained, or the model cannot see the edit. `partly`: the operator was trained but
goes less far, or only another operator of its family was. `outside`: neither. `unknown`: no manifest tells.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple

from harness_dsl.ir.core import Choice, Core, Span
from harness_dsl.ir.diff import Behaviour, Edit
from harness_dsl.ir.evaluate import text_of
from harness_dsl.ir.ids import kind


class Label(StrEnum):
    INSIDE = "inside"
    PARTLY = "partly"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"


class Like(NamedTuple):
    """The operator that makes edits of this kind. `whole`: it goes as far as the edit does."""

    operator: str
    whole: bool = True


FAMILIES = {
    "rename": "naming",
    "abbreviate": "naming",
    "name-language": "naming",
    "opaque-names": "naming",
    "skill-loader": "naming",
    "reorder": "order",
    "wordings": "wording",
    "language": "wording",
    "markup": "format",
    "tool-docs": "format",
    "layout": "format",
    "defaults": "format",
    "call-syntax": "call syntax",
    "feedback": "hooks",
    "hooks": "hooks",
    "distractors": "tool-set",
    "near-duplicates": "tool-set",
    "hide": "tool-set",
    "limits": "policy",
    "add-rule": "policy",
    "remove-tool": "capability",
    "faults": "runtime-faults",
    "flatten-parameter": "composition",
    "group-parameters": "composition",
    "merge-tools": "composition",
    "split-tool": "composition",
    "move-rule": "composition",
}
"""The family of each operator that edits are compared with, as a training manifest names them."""

_BY_PHRASE = {
    "shown name changed": Like("rename"),
    "shown order changed": Like("reorder"),
    "chosen wording changed": Like("wordings"),
    "markup changed": Like("markup"),
    "tool documentation changed": Like("tool-docs"),
    "call syntax changed": Like("call-syntax"),
    "distractors changed": Like("distractors"),
    "hidden changed": Like("hide"),
    "layouts changed": Like("layout"),
    "unsaid defaults changed": Like("defaults"),
    "feedback changed": Like("feedback"),
}
_UNSEEN = frozenset(
    {
        "id moved",
        "former id forgotten",
        "acceptable names changed",
        "alternatives changed",
        "fixed changed",
        "text fixed changed",
        "legal values changed",
        "implementation changed",
        "timeout changed",
        "equivalent implementations changed",
        "chosen implementation changed",
    }
)
"""What is said about a symbol and never shown to the model that is served."""


def label(edit: Edit, old: Core, operators: Mapping[str, int]) -> Label:
    """Where `edit` of the harness `old` lies, for a model that was trained on rows of `operators`."""
    if edit.what in _UNSEEN or kind(edit.id) in ("test", "harness"):
        return Label.INSIDE
    like = likeness(edit, old)
    if like is None:
        return Label.OUTSIDE
    if operators.get(like.operator, 0) > 0:
        return Label.INSIDE if like.whole else Label.PARTLY
    family = FAMILIES[like.operator]
    if any(rows > 0 and FAMILIES.get(name) == family for name, rows in operators.items()):
        return Label.PARTLY
    return Label.OUTSIDE


def likeness(edit: Edit, old: Core) -> Like | None:
    """The operator that makes such edits; None: no operator does."""
    if edit.what in _BY_PHRASE:
        return _BY_PHRASE[edit.what]
    match kind(edit.id), edit.what:
        case _, "text changed":
            return Like("wordings", whole=edit.behaviour <= Behaviour.WORDING)
        case (("tool" | "skill"), "removed"):
            return Like("hide")
        case "tool", "added":
            return Like("distractors", whole=False)
        case "limit", "value changed":
            return Like("limits", whole=_was_legal(edit, old))
        case _, what if what.startswith("renamed, by similarity"):
            return Like("rename", whole=False)
        case _:
            return None


def _was_legal(edit: Edit, old: Core) -> bool:
    """Whether the new value of a limit lies in the range that its author had declared."""
    legal = next((limit.legal for limit in old.limits if limit.id == edit.id), None)
    value = edit.after or ""
    match legal:
        case None:
            return False
        case Choice():
            return value in map(text_of, legal.values)
        case Span():
            try:
                return legal.min <= Decimal(value) <= legal.max
            except InvalidOperation:
                return False
