"""Pools of identifiers. Within a pool no two entries are equal after sanitising to `[a-zA-Z0-9_-]`."""

TOOLS = (
    "get_quote", "check_stock", "search", "list_coupons", "reply", "询价", "查库存", "预计送达天",
    "name", "quantity", "send", "a_b",
)  # fmt: skip
SKILLS = ("item_qa", "greet", "push_coupon", "售后", "答疑助手", "small_talk", "order")
PARAMS = ("link_id", "quantity", "name", "city", "备注", "q", "search", "type", "颜色")
FIELDS = ("amount", "currency", "name", "title", "items", "quantity", "说明", "next")
TYPES = ("Quote", "Item", "Node", "商品", "Room")
INPUTS = ("room", "danmaku", "mood", "店铺", "viewers")
VALUES = ("CNY", "USD", "kg", "name", "red", "大号", "calm")
SECTIONS = ("persona", "rules", "skills", "tools", "notes", "style", "合规")
LABELS = ("spoken", "no_promise", "polite", "text", "short", "不承诺")
HOOKS = ("price_is_quoted", "no_spam", "先查后说", "audit", "guard")
LIMITS = ("reply_chars", "tool_calls", "turns", "discount", "opener", "上限")

FRESH_TOOLS = (
    "query_price", "stock_lookup", "find_it", "fn_07", "do-search", "X1", "fetch", "lookup_all", "op_a",
    "op_b", "op_c", "tool_zeta",
)  # fmt: skip
FRESH_SKILLS = ("answer_items", "say_hello", "sk_1", "coupon_time", "after_sales", "banter", "sk_2")
FRESH_WORDS = ("alpha", "size", "产品", "val_1", "zeta", "count_of", "kind", "第二个", "label", "p9")

UNKNOWN_TOOLS = ("legacy_lookup_v0", "open_browser", "shell.run")
