"""Prose templates: literals, references, interpolations, `if` and `for`."""

from dataclasses import dataclass

from harness_dsl.ir.expressions import Expression, LoopValue
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template, Text
from tests.strategies.choices import Choices

LITERALS = (
    "Answer in one spoken sentence. ",
    "先看清楚观众的问题。",
    "The name and the quantity come from the viewer.",
    'Write {"a": 1} as it is. ',
    "a < b & c",
    "第一行\n第二行\n",
    " ",
    "*",
    "Never promise a price you did not look up. ",
    "说人话，不要念稿。",
    "100% sure? 'yes'",
)
JOINTS = (" / ", "，再看 ", " then ", ": ", "（见 ")


@dataclass(frozen=True)
class Scope:
    """What a template may mention."""

    references: tuple[SemanticId, ...] = ()
    values: tuple[Expression, ...] = ()
    conditions: tuple[Expression, ...] = ()
    lists: tuple[Expression, ...] = ()


def literal(c: Choices) -> Literally:
    return Literally(text=c.pick(LITERALS))


def part(c: Choices, scope: Scope) -> Part:
    """One part that is not a literal; a literal where nothing can be mentioned."""
    shapes = ["reference"] * 3 * bool(scope.references) + ["value"] * bool(scope.values)
    shapes += ["if"] * bool(scope.conditions) + ["for"] * bool(scope.lists)
    match c.pick(shapes) if shapes else "none":
        case "reference":
            return Reference(target=c.pick(scope.references))
        case "value":
            return Interpolation(value=c.pick(scope.values))
        case "if":
            otherwise = c.pick(((), (Literally(text="否则。"),)))
            inner = c.pick(scope.references) if scope.references else None
            then: Template = (literal(c),) + ((Reference(target=inner),) if inner else ())
            return If(condition=c.pick(scope.conditions), then=then, otherwise=otherwise)
        case "for":
            body: Template = (
                Literally(text="- "),
                Interpolation(value=LoopValue(name="x")),
                Literally(text="\n"),
            )
            return For(variable="x", values=c.pick(scope.lists), body=body)
        case _:
            return literal(c)


def templates(c: Choices, scope: Scope) -> Template:
    """One to four parts, no two literals side by side."""
    parts: list[Part] = [literal(c)]
    for _ in range(c.between(0, 2)):
        new = part(c, scope)
        if isinstance(new, Literally):
            continue
        parts += [new, Literally(text=c.pick(JOINTS))]
    return tuple(parts)


def alternatives(c: Choices, canonical: Template) -> tuple[Template, ...]:
    """Wordings that mention what `canonical` mentions, in another order and other words."""
    mentions = [part for part in canonical if not isinstance(part, Literally)]
    wordings: list[Template] = []
    for opening in c.some(("换句话说：", "In short: ", "也就是"), 0, 2):
        wording: list[Part] = [Literally(text=opening)]
        for mention in c.shuffled(mentions):
            wording += [mention, Literally(text="；")]
        wordings.append(tuple(wording))
    return tuple(wordings)


def texts(c: Choices, id_: SemanticId, scope: Scope, varied: bool = True) -> Text:
    """A text with its declared alternatives; `fixed` now and then."""
    canonical = templates(c, scope)
    others = alternatives(c, canonical) if varied else ()
    return Text(id=id_, canonical=canonical, alternatives=others, fixed=c.rarely())
