"""A harness with one tool that has a parameter of every type, and values of each at their edges."""

from typing import Any

from hypothesis import strategies as st

from harness_dsl.ir.core import Core, Member, Param, Prompt, Skill, Tool, TypeDecl
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.types import (
    AnyType,
    BoolType,
    DecimalType,
    EnumMember,
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
from harness_dsl.protocol.markers import MARKERS

RECORD = NamedType(type="type/Item")
UNIT = EnumType(
    members=tuple(EnumMember(id=f"tool/take/param/unit/value/{value}", value=value) for value in ("kg", "3"))
)
TYPES: dict[str, Type] = {
    "text": StringType(),
    "number": IntType(),
    "exact": DecimalType(),
    "share": FloatType(),
    "flag": BoolType(),
    "day": TimeType(form="date"),
    "unit": UNIT,
    "item": RECORD,
    "items": ListType(item=RECORD),
    "texts": ListType(item=StringType()),
    "by_key": MapType(value=IntType()),
    "perhaps": NullableType(item=StringType()),
    "either": UnionType(options=(IntType(), StringType())),
    "alias": NamedType(type="type/Words"),
    "anything": AnyType(),
}
TEXTS = (
    "",
    " ",
    "\n",
    "\n\na\n",
    "\r\n",
    "3",
    "null",
    "true",
    "None",
    '"quoted"',
    '"half',
    "it's",
    "back\\slash \\n \\u0041",
    "{}",
    '{"a": 1}',
    "a, b=2)]",
    "&lt;&#60;&",
    '<param name="x"/>',
    "</parameter>\n</function>",
    "\n</parameter>",
    "```\n```json",
    "＜tool_call＞",
    "<tool\u200b_call>",
    "三号链接",
    "🍵",
    "\x00\x7f\u2028",
    "get_quote",
    *MARKERS,
    *(f"x\n{marker}\ny" for marker in MARKERS),
)
NUMBERS = (0, -1, 1, 2**53, -(2**63), 10**40, 0.0, -0.0, 0.1, 1e-07, 1.5e300, 5e-324, 1.7976931348623157e308)

texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=8), st.lists(st.sampled_from(TEXTS)).map("".join))
numbers = st.one_of(st.sampled_from(NUMBERS), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
scalars = st.one_of(st.none(), st.booleans(), texts, numbers)
data = st.recursive(
    scalars, lambda item: st.one_of(st.lists(item), st.dictionaries(texts, item)), max_leaves=6
)
_items = st.fixed_dictionaries({"name": texts}, optional={"count": st.none() | st.integers()})
_values: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "number": st.integers() | st.sampled_from([n for n in NUMBERS if isinstance(n, int)]),
    "exact": numbers,
    "share": numbers,
    "flag": st.booleans(),
    "day": st.just("2024-02-29"),
    "unit": st.sampled_from(["kg", "3"]),
    "item": _items,
    "items": st.lists(_items, max_size=3),
    "texts": st.lists(texts, max_size=3),
    "by_key": st.dictionaries(texts, st.integers(), max_size=3),
    "perhaps": st.none() | texts,
    "either": st.integers() | texts,
    "alias": texts,
    "anything": data,
}
arguments: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({}, optional=_values)

_other = scalars | st.lists(scalars, max_size=2)
unfit: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {}, optional={name: _other for name in _values if name != "unit"} | {"unit": st.none() | numbers}
)
"""Arguments of the wrong types, as a model may write them: the loop answers that they are bad."""


def taking() -> Core:
    """One tool `take` whose parameters are all optional, and the skill `how`."""
    fields = (
        Member(id="type/Item/field/count", type=NullableType(item=IntType()), optional=True),
        Member(id="type/Item/field/name", type=StringType()),
    )
    params = tuple(
        Param(id=f"tool/take/param/{name}", type=type_, optional=True)
        for name, type_ in sorted(TYPES.items())
    )
    take = Tool(id="tool/take", description=_text("tool/take/description"), params=params, returns=BoolType())
    return Core(
        name="taking",
        version="1.0.0",
        types=(TypeDecl(id="type/Item", fields=fields), TypeDecl(id="type/Words", alias=StringType())),
        tools=(take,),
        skills=(Skill(id="skill/how", role="reply", when=_text("skill/how/when")),),
        prompt=Prompt(id="prompt/system", sections=()),
    )


def _text(id_: str) -> Text:
    return Text(id=id_, canonical=(Literally(text="Take it."),))
