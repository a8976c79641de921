"""A fixed live shop, for tests that want one known harness."""

from decimal import Decimal

from harness_dsl.ir.core import (
    CatalogContent,
    Choice,
    Constraint,
    Core,
    ExpectCall,
    ExpectFact,
    ExpectSkill,
    Given,
    Hook,
    Input,
    Item,
    Limit,
    ListContent,
    Member,
    Param,
    Prompt,
    ProseContent,
    PythonImplementation,
    Section,
    Skill,
    Span,
    TestCase,
    Tool,
    TypeDecl,
)
from harness_dsl.ir.expressions import (
    Affix,
    Binary,
    Called,
    Constant,
    Every,
    Extract,
    InputValue,
    LimitValue,
    Loaded,
    LoopValue,
    Matches,
    Measure,
    Not,
    Reply,
    Results,
)
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Part, Reference, Template, Text
from harness_dsl.ir.types import (
    DecimalType,
    EnumMember,
    EnumType,
    IntType,
    ListType,
    MapType,
    NamedType,
    NullableType,
    StringType,
    Type,
)

RULES = "prompt/system/section/rules"
ROOM = {
    "shop_name": "小美的店",
    "products": [
        {"link_id": 3, "title": "保湿面霜", "price": 89, "stock": 12, "coupon": {"code": "NEW10", "off": 10}},
        {"link_id": 5, "title": "linen shirt", "price": 129.5, "stock": 0, "coupon": None},
    ],
    "delivery": {"上海": 2, "成都": 4},
}


def small_shop() -> tuple[Core, Surface]:
    """Seven tools, two reply skills and a strategy, three hooks, four sections and six limits.

    The Surface shows one tool, one parameter and one section under other names, in the author's order.
    """
    core = Core(
        name="small_shop",
        version="1.0.0",
        description="A host who answers viewers of one live room.",
        types=_types(),
        inputs=(
            Input(id="input/danmaku", type=StringType(max_length=200), untrusted=True),
            Input(id="input/room", type=NamedType(type="type/Room")),
        ),
        tools=_tools(),
        skills=_skills(),
        hooks=_hooks(),
        prompt=_prompt(),
        limits=_limits(),
        tests=_tests(),
        declared_names=(("tool/get_quote", ("query_price", "price_lookup")),),
    )
    return core, _surface()


def prose(*parts: str | Part) -> Template:
    """A template; a string that begins with `→` is a reference to the id after it."""
    return tuple(_part(part) for part in parts)


def _part(part: str | Part) -> Part:
    if not isinstance(part, str):
        return part
    return Reference(target=part[1:]) if part.startswith("→") else Literally(text=part)


def _text(id_: SemanticId, *parts: str | Part, alternatives: tuple[Template, ...] = ()) -> Text:
    return Text(id=id_, canonical=prose(*parts), alternatives=alternatives)


def compiled_shop() -> tuple[Core, Surface]:
    """The same under the name of what a compiled file gives."""
    return small_shop()


def _field(type_: str, name: str, value: Type, optional: bool = False) -> Member:
    return Member(id=f"type/{type_}/field/{name}", type=value, optional=optional)


def _currency() -> Type:
    owner = "type/Quote/field/currency/value"
    return EnumType(
        members=(EnumMember(id=f"{owner}/CNY", value="CNY"), EnumMember(id=f"{owner}/USD", value="USD"))
    )


def _record(name: str, *fields: Member) -> TypeDecl:
    return TypeDecl(id=f"type/{name}", fields=tuple(sorted(fields, key=lambda field: field.id)))


def _types() -> tuple[TypeDecl, ...]:
    coupon = NullableType(item=NamedType(type="type/Coupon"))
    return (
        _record("Coupon", _field("Coupon", "code", StringType()), _field("Coupon", "off", DecimalType())),
        _record(
            "Item",
            _field("Item", "title", StringType()),
            _field("Item", "sizes", ListType(item=StringType())),
        ),
        _record(
            "Product",
            _field("Product", "link_id", IntType(min=1)),
            _field("Product", "title", StringType()),
            _field("Product", "price", DecimalType(min=Decimal(0))),
            _field("Product", "stock", IntType(min=0)),
            _field("Product", "coupon", coupon),
        ),
        _record(
            "Quote",
            _field("Quote", "amount", DecimalType()),
            _field("Quote", "currency", _currency()),
            _field("Quote", "coupon", NullableType(item=StringType()), optional=True),
        ),
        _record(
            "Room",
            _field("Room", "shop_name", StringType()),
            _field("Room", "products", ListType(item=NamedType(type="type/Product"))),
            _field("Room", "delivery", MapType(value=IntType())),
        ).model_copy(update={"description": _text("type/Room/description", "The state of the room.")}),
        _record("Stock", _field("Stock", "left", IntType(min=0))),
    )


def _param(tool: str, name: str, value: Type, default: int | None = None, description: str = "") -> Param:
    id_ = f"tool/{tool}/param/{name}"
    return Param(
        id=id_,
        type=value,
        has_default=default is not None,
        default=default,
        description=_text(f"{id_}/description", description) if description else None,
    )


def _tool(name: str, description: str, returns: Type, *params: Param) -> Tool:
    id_ = f"tool/{name}"
    return Tool(
        id=id_,
        description=_text(f"{id_}/description", description),
        params=params,
        returns=returns,
        implementation=PythonImplementation(target=f"shop.tools:{name}"),
        timeout_ms=800,
        fails=("not_found",),
    )


def _tools() -> tuple[Tool, ...]:
    def link(tool: str) -> Param:
        return _param(tool, "link_id", IntType(min=1), description="Number of the product link on screen.")

    quantity = IntType(min=1, max=99)
    hold = _tool("hold_item", "把商品留给观众，不可撤销。", NamedType(type="type/Stock"), link("hold_item"))
    coupon = _tool("apply_coupon", "Take a coupon off the price.", NamedType(type="type/Coupon"))
    return (
        coupon.model_copy(
            update={
                "params": (_param("apply_coupon", "code", StringType()), link("apply_coupon")),
                "effect": "write",
                "fails": ("no_coupon", "not_found", "wrong_code"),
            }
        ),
        _tool("check_stock", "How many pieces are left.", NamedType(type="type/Stock"), link("check_stock")),
        _tool("delivery_days", "几天能到。", IntType(min=0), _param("delivery_days", "city", StringType())),
        _tool("get_coupon", "The coupon of a link.", NamedType(type="type/Coupon"), link("get_coupon")),
        _tool(
            "get_item", "Title, material and sizes of a link.", NamedType(type="type/Item"), link("get_item")
        ),
        _tool(
            "get_quote",
            "Quote one product of this room.",
            NamedType(type="type/Quote"),
            link("get_quote"),
            _param("get_quote", "quantity", quantity, default=1),
        ),
        hold.model_copy(update={"effect": "irreversible", "idempotent": True}),
    )


def _item(id_: SemanticId, *parts: str | Part) -> Item:
    return Item(id=id_, text=_text(id_, *parts))


def _skills() -> tuple[Skill, ...]:
    asked = "skill/item_qa/when"
    return (
        Skill(
            id="skill/item_qa",
            role="reply",
            when=_text(
                asked,
                "A viewer asks about price, stock or size.",
                alternatives=(
                    prose("有人问价格、库存或者尺码。"),
                    prose("Somebody wants to know what a thing costs."),
                ),
            ),
            uses=("tool/check_stock", "tool/get_quote"),
            items=(
                _item(
                    "skill/item_qa/step/1",
                    "Call ",
                    "→tool/get_quote",
                    " with ",
                    "→tool/get_quote/param/link_id",
                    ".",
                ),
                _item("skill/item_qa/step/2", "Say the price with its unit."),
            ),
        ),
        Skill(
            id="skill/push_coupon",
            role="strategy",
            when=_text("skill/push_coupon/when", "The room is slow."),
            uses=("tool/get_coupon",),
            items=(_item("skill/push_coupon/step/1", "Offer what ", "→tool/get_coupon", " returns."),),
        ),
        Skill(
            id="skill/small_talk",
            role="reply",
            when=_text("skill/small_talk/when", "观众只是打招呼。"),
            ordered=False,
            items=(
                _item("skill/small_talk/step/short", "一句话就够。"),
                _item("skill/small_talk/step/warm", "Be warm, use ", "→limit/opener", "."),
            ),
        ),
    )


def _hooks() -> tuple[Hook, ...]:
    price = Matches(subject=Reply(), pattern=r"\d+(\.\d+)?元")
    return (
        Hook(
            id="hook/price_is_quoted",
            event="before_reply",
            condition=Binary(operator="and", left=price, right=Not(operand=Called(tool="tool/get_quote"))),
            action="retry",
            message=_text(
                "hook/price_is_quoted/message", "Quote with ", "→tool/get_quote", " before you say a price."
            ),
            implementations=(PythonImplementation(target="shop.hooks:price_is_quoted"),),
        ),
        Hook(
            id="hook/skill_first",
            event="before_reply",
            condition=Not(operand=Loaded(skill="skill/item_qa")),
            action="require",
            target="skill/item_qa",
            message=_text("hook/skill_first/message", "Load ", "→skill/item_qa", " first."),
        ),
        Hook(
            id="hook/no_links",
            event="before_reply",
            condition=Affix(where="inside", subject=Reply(), text=LimitValue(limit="limit/banned")),
            action="replace",
            message=_text("hook/no_links/message", "亲，稍等一下。"),
            fail="open",
        ),
    )


def _prompt() -> Prompt:
    products = InputValue(input="input/room", path=("products",))
    shop = Interpolation(value=InputValue(input="input/room", path=("shop_name",)))
    any_product = Binary(
        operator="!=", left=Measure(function="count", subject=products), right=Constant(value=0)
    )
    line = For(
        variable="p",
        values=products,
        body=prose("- ", Interpolation(value=LoopValue(name="p", path=("title",))), "\n"),
    )
    persona = prose(
        "You are the host of ", shop, ".\n", If(condition=any_product, then=prose("On sale:\n", line))
    )
    short = Binary(
        operator="<=",
        left=Measure(function="chars", subject=Reply()),
        right=LimitValue(limit="limit/reply_chars"),
    )
    opens = Affix(where="start", subject=Reply(), text=LimitValue(limit="limit/opener"))
    quoted = Every(
        subject=Extract(function="price", subject=Reply()),
        within=Results(tool="tool/get_quote", path=("amount",)),
    )
    rules = (
        _item(f"{RULES}/no_promise", "Never promise a price that ", "→tool/get_quote", " did not return."),
        _item(f"{RULES}/opener", "Begin with ", "→limit/opener", "."),
        _item(f"{RULES}/spoken", "One sentence of at most ", "→limit/reply_chars", " characters."),
    )
    checks = (quoted, opens, short)
    checked = tuple(
        rule.model_copy(update={"check": check}) for rule, check in zip(rules, checks, strict=True)
    )
    section = "prompt/system/section"
    return Prompt(
        id="prompt/system",
        sections=(
            Section(
                id=f"{section}/persona",
                content=ProseContent(text=Text(id=f"{section}/persona", canonical=persona)),
            ),
            Section(id=RULES, content=ListContent(ordered=False, items=checked)),
            Section(id=f"{section}/skills", content=CatalogContent(of="skills")),
            Section(id=f"{section}/tools", content=CatalogContent(of="tools")),
        ),
        order=(
            Constraint(relation="before", section=f"{section}/skills", other=f"{section}/tools"),
            Constraint(relation="first", section=f"{section}/persona"),
        ),
    )


def _limits() -> tuple[Limit, ...]:
    return (
        Limit(id="limit/banned", value="加微信"),
        Limit(id="limit/opener", value="亲", legal=Choice(values=("亲", "家人们", "宝子"))),
        Limit(id="limit/reply_chars", value=60, legal=Span(min=Decimal(30), max=Decimal(120))),
        Limit(id="limit/think_tokens", value=128, legal=Span(min=Decimal(32), max=Decimal(256))),
        Limit(id="limit/tool_calls", value=4),
        Limit(id="limit/turns", value=6),
    )


def _tests() -> tuple[TestCase, ...]:
    room = Given(input="input/room", value=ROOM)
    return (
        TestCase(
            id="test/hello",
            title="hello",
            given=(room,),
            user=("主播好",),
            expect=(
                ExpectSkill(skill="skill/small_talk"),
                ExpectCall(tool="tool/apply_coupon", negated=True),
            ),
        ),
        TestCase(
            id="test/price_of_a_link",
            title="price of a link",
            given=(room,),
            user=("3号链接多少钱？",),
            expect=(
                ExpectSkill(skill="skill/item_qa"),
                ExpectCall(tool="tool/get_quote", arguments=(("link_id", 3),)),
                ExpectFact(fact="price", value=Decimal(89), unit="CNY"),
            ),
        ),
    )


def _surface() -> Surface:
    section = "prompt/system/section"
    return Surface(
        names={
            "tool/get_quote": "query_price",
            "tool/get_quote/param/link_id": "link",
            f"{section}/rules": "house rules",
        },
        orders={
            "prompt/system": (
                f"{section}/persona",
                f"{section}/rules",
                f"{section}/skills",
                f"{section}/tools",
            ),
            "tool/get_quote": ("tool/get_quote/param/quantity", "tool/get_quote/param/link_id"),
            RULES: (f"{RULES}/spoken", f"{RULES}/opener", f"{RULES}/no_promise"),
        },
    )
