"""What augmentors leave alone because a model never meets it, or could mistake it."""

from augmentors.footprint import Footprint
from augmentors.index import index
from augmentors.registry import create
from harness_dsl.ir.types import EnumMember, EnumType, NullableType, StringType, UnionType
from tests.strategies import small_shop

CORE, SURFACE = small_shop()


def test_an_index_is_built_once_for_a_core() -> None:
    assert index(CORE) is index(CORE)
    other = CORE.model_copy(update={"name": "other"})
    assert index(other) is not index(CORE)


def test_types_of_inputs_alone_are_not_varied() -> None:
    """The room is looked at by tools and templates; no model ever reads the names of its fields."""
    known = index(CORE)
    assert "type/Room/field/delivery" in known.unseen
    assert "type/Quote/field/amount" not in known.unseen
    touched = {*create("rename").symbols(CORE, SURFACE), *create("reorder").symbols(CORE, SURFACE)}
    assert not any(id_.startswith("type/Room") for id_ in touched)
    assert "type/Quote/field/amount" in touched


def test_an_enum_value_beside_free_text_keeps_its_name() -> None:
    id_ = "tool/delivery_days/param/city"
    values = EnumType(members=(EnumMember(id=f"{id_}/value/high", value="high"),))

    def may_be_renamed(type_: object) -> bool:
        tools = tuple(
            tool.model_copy(update={"params": (tool.params[0].model_copy(update={"type": type_}),)})
            if tool.id == "tool/delivery_days"
            else tool
            for tool in CORE.tools
        )
        core = CORE.model_copy(update={"tools": tools})
        return f"{id_}/value/high" in create("rename").symbols(core, SURFACE)

    assert may_be_renamed(values)
    assert may_be_renamed(NullableType(item=values))
    assert not may_be_renamed(UnionType(options=(values, StringType())))
    assert not may_be_renamed(NullableType(item=UnionType(options=(StringType(), values))))


def test_a_footprint_names_tools_and_skills() -> None:
    footprint = Footprint.of(["tool/get_quote/param/link_id", "skill/item_qa", "tool/get_quote"])
    assert footprint.symbols == ("skill/item_qa", "tool/get_quote")
