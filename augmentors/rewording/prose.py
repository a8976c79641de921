"""Templates as a bank writes them, in the words of the language, and back.

    "查价用 {{ tool.get_quote }}"  ↔  (Literally("查价用 "), Reference("tool/get_quote"))

A symbol that was renamed is also found under its old path, as `moved` lines lead it on.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import LimitValue
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, SemanticId, unsegment
from harness_dsl.ir.naming import symbols
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.spelling import spell_expression
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template
from harness_dsl.ir.walk import parts as every_part
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.checks.texts import is_reference
from harness_dsl.syntax.lowering.texts import lower_expression
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.symbols import Symbols
from harness_dsl.syntax.template import Template as Parsed
from harness_dsl.syntax.template import template_of
from harness_dsl.syntax.written import source

Path = tuple[str, ...]

_NOTHING = Symbols()
_LEAD = 2  # a raw quote has two characters before its content


@dataclass(frozen=True)
class Misprint:
    """A place of a text that is no template: `start` and `end` count its characters."""

    code: str
    message: str
    help: str
    start: int
    end: int


class NotProse(Exception):
    """A text is no template that may stand for the canonical one."""

    def __init__(self, misprints: tuple[Misprint, ...]) -> None:
        super().__init__(misprints[0].message)
        self.misprints = misprints


def spell(template: Template) -> str:
    """`template` as an author writes it."""
    return "".join(map(_spelled, template))


def _spelled(part: Part) -> str:
    match part:
        case Literally():
            return part.text.replace("{{", '{{ "{{" }}').replace("{%", '{{ "{%" }}')
        case Reference():
            return f"{{{{ {spell_path(path_of(part.target))} }}}}"
        case Interpolation():
            return f"{{{{ {spell_expression(part.value)} }}}}"
        case If():
            then = f"{{% if {spell_expression(part.condition)} %}}{spell(part.then)}"
            otherwise = f"{{% else %}}{spell(part.otherwise)}" if part.otherwise else ""
            return f"{then}{otherwise}{{% endif %}}"
        case For():
            head = f"{{% for {part.variable} in {spell_expression(part.values)} %}}"
            return f"{head}{spell(part.body)}{{% endfor %}}"
        case _:
            assert_never(part)


def spell_path(path: Path) -> str:
    """`("type", "Size", "extra large")` as `type.Size["extra large"]`."""
    first, *rest = path
    return first + "".join(
        f".{word}" if word.isidentifier() else f"[{json.dumps(word, ensure_ascii=False)}]" for word in rest
    )


def path_of(id_: SemanticId) -> Path:
    """The path under which prose refers to a symbol or a limit."""
    if id_ in (LOAD_SKILL, LOAD_SKILL_PARAM):
        return ("tool", *(unsegment(part) for part in id_.split("/")[1::2]))
    parts = [unsegment(part) for part in id_.split("/")]
    if parts[0] == "prompt":
        return ("section", *parts[3:])
    if parts[0] == "limit":
        return ("limits", parts[1])
    if parts[0] == "tool" and parts[2:3] == ["value"]:
        return ("tool", parts[1], "returns", parts[3])
    return (parts[0], *parts[1::2])


def read(text: str, core: Core, canonical: Template) -> Template:
    """The template that `text` writes for `canonical`, its references resolved in `core`. Raises `NotProse`,
    also where it prints a value or has a condition that `canonical` has not.
    """
    found = _tree(text)
    if found.diagnostics:
        raise NotProse(
            tuple(
                Misprint(one.code, one.message, one.help, one.span.start - _LEAD, one.span.end - _LEAD)
                for one in found.diagnostics
            )
        )
    reader = _Reader(_paths(core), canonical)
    template = reader.parts(found.parts, frozenset())
    if reader.misprints:
        raise NotProse(tuple(reader.misprints))
    return template


def _tree(text: str) -> Parsed:
    return template_of(t.Quote(0, len(text) + _LEAD + 1, "RAW", f'r"{text}"'), "")


def _expressions(parts: list[t.PartNode]) -> Iterator[str]:
    """Every value, condition and list of a template, in one written form."""
    for part in parts:
        match part:
            case t.Chunk():
                continue
            case t.Shown():
                yield source(part.expression)
            case t.IfPart():
                yield source(part.condition)
                yield from _expressions(part.then)
                yield from _expressions(part.otherwise)
            case t.ForPart():
                yield source(part.values)
                yield from _expressions(part.body)
            case _:
                assert_never(part)


class _Reader:
    """`known`: the values and conditions that may stand in the text. `values`: the limits that the canonical
    text prints as values, which is written as a reference to them is.
    """

    def __init__(self, paths: dict[Path, SemanticId], canonical: Template) -> None:
        self.paths = paths
        self.known = frozenset(_expressions(_tree(spell(canonical)).parts))
        printed = [part.value for part in every_part(canonical) if isinstance(part, Interpolation)]
        self.values = frozenset(value.limit for value in printed if isinstance(value, LimitValue))
        self.misprints: list[Misprint] = []

    def parts(self, parts: list[t.PartNode], loops: frozenset[str]) -> Template:
        found: list[Part] = []
        for part in parts:
            read_part = self._part(part, loops)
            if read_part is None:
                continue
            if isinstance(read_part, Literally) and found and isinstance(found[-1], Literally):
                found[-1] = Literally(text=found[-1].text + read_part.text)
                continue
            found.append(read_part)
        return tuple(found)

    def _part(self, part: t.PartNode, loops: frozenset[str]) -> Part | None:
        match part:
            case t.Chunk():
                return Literally(text=part.text) if part.text else None
            case t.Shown():
                return self._shown(part.expression, loops)
            case t.IfPart():
                if not self._is_known(part.condition):
                    return None
                return If(
                    condition=lower_expression(part.condition, _NOTHING, loops),
                    then=self.parts(part.then, loops),
                    otherwise=self.parts(part.otherwise, loops),
                )
            case t.ForPart():
                if not self._is_known(part.values):
                    return None
                return For(
                    variable=part.variable.text,
                    values=lower_expression(part.values, _NOTHING, loops),
                    body=self.parts(part.body, loops | {part.variable.text}),
                )
            case _:
                assert_never(part)

    def _shown(self, node: t.Expr, loops: frozenset[str]) -> Part | None:
        if isinstance(node, t.LiteralExpr) and isinstance(node.value, t.Quote):
            return Literally(text=value_of(node.value))
        if not isinstance(node, t.Path) or not is_reference(node):
            if not self._is_known(node):
                return None
            return Interpolation(value=lower_expression(node, _NOTHING, loops))
        path = (node.root.text, *(segment.text for segment in node.segments))
        target = self.paths.get(path)
        if target is None:
            self._say("HD405", f"nothing is called `{spell_path(path)}`", node)
            return None
        return (
            Interpolation(value=LimitValue(limit=target))
            if target in self.values
            else Reference(target=target)
        )

    def _is_known(self, node: t.Expr) -> bool:
        if source(node) in self.known:
            return True
        self._say("HD410", f"this wording adds `{{{{ {source(node)} }}}}`", node)
        return False

    def _say(self, code: str, message: str, node: t.Node) -> None:
        help_ = "Refer to what the canonical text refers to."
        self.misprints.append(Misprint(code, message, help_, node.start - _LEAD, node.end - _LEAD))


@remembered
def _symbols_by_path(core: Core) -> dict[Path, SemanticId]:
    found = {path_of(id_): id_ for id_ in symbols(core)}
    for moved in core.moved:
        for id_ in tuple(found.values()):
            if id_ == moved.new or id_.startswith(f"{moved.new}/"):
                found.setdefault(path_of(moved.old + id_[len(moved.new) :]), id_)
    return found


def _paths(core: Core) -> dict[Path, SemanticId]:
    return _symbols_by_path(core) | {path_of(limit.id): limit.id for limit in core.limits}
