"""A value that may be of several types is read and shown as the one it is of."""

import time
from typing import Any

import pytest

from harness_dsl.ir.core import Core, Member, Param, Prompt, Tool, TypeDecl
from harness_dsl.ir.ids import segment
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.transcript import Call, Malformed
from harness_dsl.ir.types import (
    AnyType,
    EnumMember,
    EnumType,
    IntType,
    ListType,
    NamedType,
    NullableType,
    StringType,
    Type,
    UnionType,
)
from harness_dsl.ir.values import check_arguments
from harness_dsl.ir.verify import verify_core, verify_surface
from harness_dsl.protocol.json_text import dump
from harness_dsl.protocol.view import View

HOW = "tool/pay/param/how"


def enum(owner: str, *values: str) -> EnumType:
    members = (EnumMember(id=f"{owner}/value/{segment(value)}", value=value) for value in values)
    return EnumType(members=tuple(members))


def record(name: str, **fields: Type) -> TypeDecl:
    members = tuple(
        Member(id=f"type/{name}/field/{key}", type=type_) for key, type_ in sorted(fields.items())
    )
    return TypeDecl(id=f"type/{name}", fields=members)


def alias(name: str, *values: str) -> TypeDecl:
    return TypeDecl(id=f"type/{name}", alias=enum(f"type/{name}", *values))


def named(name: str) -> NamedType:
    return NamedType(type=f"type/{name}")


def taking(how: Type, *types: TypeDecl) -> Core:
    """A harness with one tool that takes `how`."""
    described = Text(id="tool/pay/description", canonical=(Literally(text="Pay."),))
    tool = Tool(
        id="tool/pay",
        description=described,
        params=(Param(id=HOW, type=how),),
        returns=AnyType(),
        effect="read",
    )
    core = Core(
        name="till",
        version="1.0.0",
        types=tuple(sorted(types, key=lambda decl: decl.id)),
        tools=(tool,),
        prompt=Prompt(id="prompt/system", sections=()),
    )
    assert verify_core(core) == []
    return core


EITHER = UnionType(options=(named("Card"), named("Cash")))
TAGGED = (
    record("Card", kind=enum("type/Card/field/kind", "card"), id=StringType()),
    record("Cash", kind=enum("type/Cash/field/kind", "cash"), id=StringType()),
)
LISTS = UnionType(options=(ListType(item=named("Letter")), ListType(item=named("Digit"))))
LETTERS = (alias("Letter", "a", "b"), alias("Digit", "one", "two"))


def read(core: Core, shown: Any, surface: Surface | None = None) -> Any:
    (event,) = View(core, surface or Surface()).calls.read(
        f'{{"name": "pay", "arguments": {dump({"how": shown})}}}'
    )
    return event.arguments["how"] if isinstance(event, Call) else event


def there_and_back(core: Core, value: Any, surface: Surface) -> Any:
    calls = View(core, surface).calls
    (event,) = calls.read(calls.print(Call(tool="tool/pay", arguments={"how": value})))
    return event.arguments["how"] if isinstance(event, Call) else event


@pytest.mark.parametrize(
    ("core", "value"),
    [
        (taking(EITHER, *TAGGED), {"id": "7", "kind": "cash"}),
        (taking(EITHER, *TAGGED), {"id": "7", "kind": "card"}),
        (taking(LISTS, *LETTERS), ["one", "two"]),
        (taking(LISTS, *LETTERS), []),
        (taking(NullableType(item=LISTS), *LETTERS), None),
        (
            taking(UnionType(options=(StringType(), named("Mood"))), TypeDecl(
                id="type/Mood",
                alias=UnionType(options=(enum("type/Mood", "calm"), IntType())),
            )),
            "calm",
        ),
    ],
)  # fmt: skip
def test_a_value_is_of_the_option_that_it_fits_inside(core: Core, value: Any) -> None:
    assert read(core, value) == value


def test_a_value_is_shown_under_the_names_of_its_own_option() -> None:
    core = taking(EITHER, record("Card", number=IntType(), pin=IntType()), record("Cash", number=IntType()))
    surface = Surface(names={"type/Card/field/number": "digits", "type/Cash/field/number": "sum"})
    assert '{"sum": 5}' in View(core, surface).calls.print(
        Call(tool="tool/pay", arguments={"how": {"number": 5}})
    )
    assert there_and_back(core, {"number": 5}, surface) == {"number": 5}


def test_an_enum_behind_an_alias_is_not_taken_for_the_free_text_beside_it() -> None:
    mood = TypeDecl(id="type/Mood", alias=UnionType(options=(enum("type/Mood", "calm"), IntType())))
    core = taking(UnionType(options=(StringType(), named("Mood"))), mood)
    surface = Surface(names={"type/Mood/value/calm": "easy"})
    assert there_and_back(core, "calm", surface) == "calm"
    assert isinstance(read(core, "calm", surface), Malformed)


def test_swapped_tags_of_two_records_are_read_as_what_they_show() -> None:
    core = taking(EITHER, *TAGGED)
    surface = Surface(
        names={"type/Card/field/kind/value/card": "cash", "type/Cash/field/kind/value/cash": "card"}
    )
    assert verify_surface(core, surface) == []
    for kind in ("card", "cash"):
        assert there_and_back(core, {"id": "7", "kind": kind}, surface) == {"id": "7", "kind": kind}
    assert read(core, {"id": "7", "kind": "card"}, surface) == {"id": "7", "kind": "cash"}


def test_a_stale_tag_is_not_taken_for_free_text_of_another_record() -> None:
    core = taking(EITHER, TAGGED[0], record("Cash", kind=StringType(), id=StringType()))
    surface = Surface(names={"type/Card/field/kind/value/card": "plastic"})
    assert isinstance(read(core, {"id": "7", "kind": "card"}, surface), Malformed)
    assert read(core, {"id": "7", "kind": "other"}, surface) == {"id": "7", "kind": "other"}


def test_stale_keys_of_a_record_in_a_union_are_refused() -> None:
    core = taking(EITHER, record("Card", x=IntType()), record("Cash", y=IntType()))
    surface = Surface(names={"type/Card/field/x": "k", "type/Cash/field/y": "m"})
    assert isinstance(read(core, {"y": 1}, surface), Malformed)
    assert read(core, {"m": 1}, surface) == {"y": 1}


@pytest.mark.parametrize(
    ("core", "names"),
    [
        (taking(EITHER, alias("Card", "a"), alias("Cash", "c")), ("type/Card/value/a", "type/Cash/value/c")),
        (
            taking(EITHER, record("Card", x=IntType()), record("Cash", y=IntType())),
            ("type/Card/field/x", "type/Cash/field/y"),
        ),
        (
            taking(EITHER, *TAGGED),
            ("type/Card/field/kind/value/card", "type/Cash/field/kind/value/cash"),
        ),
        (taking(LISTS, *LETTERS), ("type/Letter/value/a", "type/Digit/value/one")),
    ],
)
def test_what_may_stand_in_one_place_is_not_shown_alike(core: Core, names: tuple[str, str]) -> None:
    one, other = names
    assert verify_surface(core, Surface(names={one: "here", other: "there"})) == []
    problems = verify_surface(core, Surface(names={one: "same", other: "same"}))
    assert [problem.id for problem in problems] in ([one], [other])


def test_fields_of_one_declared_name_may_be_shown_alike() -> None:
    assert verify_surface(taking(EITHER, *TAGGED), Surface()) == []


def test_deep_values_of_recursive_unions_are_read_in_time() -> None:
    child = NullableType(item=EITHER)
    core = taking(EITHER, record("Card", next=child, x=IntType()), record("Cash", next=child, x=IntType()))
    value: Any = {"next": None, "x": "no number"}
    for _ in range(50):
        value = {"next": value, "x": 1}
    started = time.perf_counter()
    assert read(core, value) == value
    assert check_arguments({"how": value}, core.tools[0], core) is not None
    assert time.perf_counter() - started < 2
