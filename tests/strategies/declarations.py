"""The declarations of a Core: types, inputs, limits, and tools without prose."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from harness_dsl.ir.core import (
    Choice,
    Core,
    Input,
    Limit,
    Member,
    Param,
    Prompt,
    PythonImplementation,
    Span,
    Tool,
    TypeDecl,
)
from harness_dsl.ir.ids import SemanticId, join
from harness_dsl.ir.texts import Text
from harness_dsl.ir.types import ListType, NamedType, NullableType, StringType, Type
from tests.strategies import names
from tests.strategies.choices import Choices
from tests.strategies.texts import Scope, texts
from tests.strategies.types import enums, join_under, types, value

PROMPT = "prompt/system"


def by_id(nodes: Iterable[Any]) -> tuple[Any, ...]:
    """As unordered lists stand in a Core."""
    return tuple(sorted(nodes, key=lambda node: node.id))


def type_decls(c: Choices) -> tuple[TypeDecl, ...]:
    """Records, some recursive, and an alias of an enum now and then. Later types mention earlier ones."""
    decls: list[TypeDecl] = []
    for name in c.some(names.TYPES, 1, 3):
        id_ = join("type", name)
        earlier = tuple(decl.id for decl in decls)
        if decls and c.rarely():
            decls.append(TypeDecl(id=id_, alias=enums(c, id_)))
            continue
        fields = [
            _members(c, join_under(id_, "field", field), earlier) for field in c.some(names.FIELDS, 1, 3)
        ]
        if c.rarely():
            itself: Type = c.pick(
                (NullableType(item=NamedType(type=id_)), ListType(item=NamedType(type=id_)))
            )
            fields.append(Member(id=join_under(id_, "field", "child"), type=itself, optional=c.flip()))
        decls.append(TypeDecl(id=id_, fields=by_id(fields), description=_maybe_text(c, f"{id_}/description")))
    return by_id(decls)


def _members(c: Choices, id_: SemanticId, named: tuple[str, ...]) -> Member:
    return Member(
        id=id_,
        type=types(c, id_, named),
        optional=c.flip(),
        description=_maybe_text(c, f"{id_}/description"),
        fixed=c.rarely(),
    )


def _maybe_text(c: Choices, id_: SemanticId) -> Text | None:
    return texts(c, id_, Scope(), varied=False) if c.flip() else None


def inputs(c: Choices, decls: tuple[TypeDecl, ...]) -> tuple[Input, ...]:
    """One untrusted text, and up to two others."""
    first, *others = c.some(names.INPUTS, 1, 3)
    found = [Input(id=join("input", first), type=StringType(), untrusted=True)]
    for name in others:
        id_ = join("input", name)
        found.append(Input(id=id_, type=types(c, id_, tuple(decl.id for decl in decls))))
    return by_id(found)


def limits(c: Choices) -> tuple[Limit, ...]:
    found = []
    for name in c.some(names.LIMITS, 1, 3):
        id_ = join("limit", name)
        if name == "opener":
            found.append(Limit(id=id_, value="亲", legal=Choice(values=("亲", "家人们", "Hi"))))
        elif name == "discount":
            legal = Span(min=Decimal("0.5"), max=Decimal("0.95"))
            found.append(Limit(id=id_, value=c.pick((Decimal("0.5"), Decimal("0.85"))), legal=legal))
        else:
            free = c.flip()
            span = Span(min=Decimal(1), max=Decimal(120)) if free else None
            found.append(Limit(id=id_, value=c.between(1, 120), legal=span))
    return by_id(found)


def tools(c: Choices, decls: tuple[TypeDecl, ...]) -> tuple[Tool, ...]:
    """Tools without prose yet."""
    named = tuple(decl.id for decl in decls)
    shell = Core(name="shop", version="0.0.0", types=decls, prompt=Prompt(id=PROMPT, sections=()))
    found = []
    for name in c.some(names.TOOLS, 1, 4):
        id_ = join("tool", name)
        params = [
            _params(c, join_under(id_, "param", param), named, shell) for param in c.some(names.PARAMS, 0, 3)
        ]
        found.append(
            Tool(
                id=id_,
                description=texts(c, f"{id_}/description", Scope(), varied=False),
                params=by_id(params),
                returns=NamedType(type=c.pick(named)) if c.flip() else types(c, id_, named),
                effect=c.pick(("read", "write", "irreversible")),
                idempotent=c.flip(),
                implementation=c.pick((None, PythonImplementation(target="shop.tools:call"))),
                timeout_ms=c.pick((None, 800)),
                fails=c.pick(((), ("not_found",), ("not_found", "timeout"))),
                fixed=c.rarely(),
            )
        )
    return by_id(found)


def _params(c: Choices, id_: SemanticId, named: tuple[str, ...], core: Core) -> Param:
    type_ = types(c, id_, named)
    has_default = c.flip()
    return Param(
        id=id_,
        type=type_,
        optional=not has_default and c.flip(),
        has_default=has_default,
        default=value(c, type_, core) if has_default else None,
        description=_maybe_text(c, f"{id_}/description"),
        fixed=c.rarely(),
    )
