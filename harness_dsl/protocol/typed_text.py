"""Values as bare text, where a type says whether a text is meant: `3` for a number, `abc` for a text.

Texts stand as they are wherever that is unmistakable, and as JSON strings otherwise, so that reading gives
them back. What can't be text is JSON, unless its type is a text: such a value `is_lost` here.
"""

from collections.abc import Mapping
from typing import Any, assert_never

from harness_dsl.ir.core import TypeDecl
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    TimeType,
    Type,
    UnionType,
)
from harness_dsl.protocol.json_text import BadJson, dump, load

_DEEPEST_ALIAS = 32


class TypedText:
    """Bare texts of one Core's types. `None` as a type: nobody declares one."""

    def __init__(self, types: Mapping[SemanticId, TypeDecl]) -> None:
        self._types = types

    def bare(self, value: Any, type_: Type | None) -> str | None:
        """`value` as a bare text that `read` gives back; None: only its JSON does that."""
        if not isinstance(value, str):
            return None
        text = str(value)
        try:
            return text if self.read(text, type_) == text else None
        except BadJson:
            return None

    def read(self, text: str, type_: Type | None) -> Any:
        """The value that `text` is. Raises `BadJson` for what is no JSON where no text may stand."""
        if self._is_text(type_):
            return _unquoted(text)
        try:
            return load(text)
        except BadJson:
            if not self._may_be_text(type_):
                raise
            return text

    def is_lost(self, value: Any, type_: Type | None) -> bool:
        """Whether no text is `value`: it is none, and any text would be read as itself."""
        return not isinstance(value, str) and self._is_text(type_)

    def _is_text(self, type_: Type | None, depth: int = 0) -> bool:
        """Whether every value of the type is a text."""
        match type_:
            case StringType() | TimeType() | EnumType():
                return True
            case UnionType():
                return all(self._is_text(option, depth + 1) for option in type_.options)
            case NamedType():
                alias = self._alias(type_, depth)
                return alias is not None and self._is_text(alias, depth + 1)
            case _:
                return False

    def _may_be_text(self, type_: Type | None, depth: int = 0) -> bool:
        """Whether some value of the type is a text."""
        match type_:
            case None | AnyType() | StringType() | TimeType() | EnumType():
                return True
            case NullableType():
                return self._may_be_text(type_.item, depth + 1)
            case UnionType():
                return any(self._may_be_text(option, depth + 1) for option in type_.options)
            case NamedType():
                alias = self._alias(type_, depth)
                return alias is not None and self._may_be_text(alias, depth + 1)
            case BoolType() | IntType() | FloatType() | DecimalType() | ListType() | MapType():
                return False
            case _:
                assert_never(type_)

    def _alias(self, type_: NamedType, depth: int) -> Type | None:
        decl = self._types.get(type_.type)
        return decl.alias if decl is not None and depth < _DEEPEST_ALIAS else None


def _unquoted(text: str) -> str:
    """The text that a JSON string is; any other text as it is."""
    if not text.startswith('"'):
        return text
    try:
        value = load(text)
    except BadJson:
        return text
    return value if isinstance(value, str) else text


def quoted(value: Any) -> str:
    r"""`value` as JSON that holds no `<` and no `>`: they are written `\u003c` and `\u003e`."""
    return dump(value).replace("<", "\\u003c").replace(">", "\\u003e")
