"""Edits of the example harnesses as their authors would make them, with the classes that the rules give.

Each is (old text, new text, symbol, contract, behaviour); the old text stands once in the file.
"""

from typing import NamedTuple


class Edit(NamedTuple):
    old: str
    new: str
    symbol: str
    contract: str
    behaviour: str


MINI = [
    # what no model sees, and how the text is laid out
    Edit("\n# No skills:", "\n# No skills at all:", "", "none", "none"),
    Edit("  turns 4\n  tool_calls 3\n", "  tool_calls 3\n  turns 4\n", "", "none", "none"),
    Edit('"A compact live-shop host:', '"A live-shop host:', "harness", "none", "none"),
    Edit("harness shop_mini ", "harness shop_tiny ", "harness", "none", "none"),
    # names
    Edit(
        '(link_id named "link": int)',
        '(link_id named "links": int)',
        "tool/get_quote/param/link_id",
        "none",
        "surface",
    ),
    Edit(
        '(link_id named "item": int)', "(link_id: int)", "tool/check_stock/param/link_id", "none", "surface"
    ),
    Edit('named "delivery_time" (city', "(city", "tool/delivery_days", "none", "surface"),
    Edit("tool get_coupon(", 'tool get_coupon named "coupon_of" (', "tool/get_coupon", "none", "surface"),
    Edit("(city: string)", '(city named "town": string)', "tool/delivery_days/param/city", "none", "surface"),
    Edit(
        'type.Stock.left named "value"',
        'type.Stock.left named "data_", "value"',
        "type/Stock/field/left",
        "none",
        "surface",
    ),
    # markup and documentation forms
    Edit("tool_docs python", "tool_docs json_schema", "surface", "none", "surface"),
    Edit("tool_docs python", "tool_docs python\n  markup xml", "surface", "none", "surface"),
    # wordings
    Edit('"""查一个链接的价格"""', '"""查链接的价格"""', "tool/get_quote/description", "none", "wording"),
    Edit(
        '"""查一个链接还剩几件"""',
        '"""查一个链接的库存"""',
        "tool/check_stock/description",
        "none",
        "wording",
    ),
    Edit("回答观众。", "回答每位观众。", "prompt/system/section/persona", "none", "wording"),
    Edit(
        '"The price of one piece."',
        '"The price of a piece."',
        "type/Quote/field/amount/description",
        "none",
        "wording",
    ),
    Edit(' "What it is made of."', "", "type/Material/field/material/description", "none", "wording"),
    Edit("开头。", "开始。", "prompt/system/section/rules/opener", "none", "wording"),
    # texts that mention something else
    Edit(
        '"""查一个链接的材质"""',
        '"""查材质，不是 {{ tool.get_quote }}"""',
        "tool/get_material/description",
        "none",
        "capability",
    ),
    Edit(
        "回答观众。", "用 {{ tool.get_quote }} 回答观众。", "prompt/system/section/persona", "none", "policy"
    ),
    # tools
    Edit("fails not_found, no_coupon", "fails not_found", "tool/get_coupon", "narrowing", "capability"),
    Edit(
        'get_material"\n  fails not_found',
        'get_material"\n  fails not_found, timeout',
        "tool/get_material",
        "narrowing",
        "capability",
    ),
    Edit(
        """材质\"""\n  impl""",
        """材质\"""\n  timeout 2s\n  impl""",
        "tool/get_material",
        "none",
        "capability",
    ),
    Edit('"shop.mini:get_quote"', '"shop.mini:check_stock"', "tool/get_quote", "none", "capability"),
    Edit('价格"""\n', '价格"""\n  effect write\n', "tool/get_quote", "narrowing", "safety"),
    Edit('价格"""\n', '价格"""\n  effect irreversible\n', "tool/get_quote", "narrowing", "safety"),
    Edit("tool get_quote(", "fixed tool get_quote(", "tool/get_quote", "none", "surface"),
    Edit(
        "prompt system {",
        'tool ask() -> string {\n  """Ask."""\n}\n\nprompt system {',
        "tool/ask",
        "widening",
        "capability",
    ),
    Edit(
        "prompt system {",
        'tool pay() -> string {\n  """Pay."""\n  effect irreversible\n}\n\nprompt system {',
        "tool/pay",
        "widening",
        "safety",
    ),
    # parameters and types
    Edit('"link": int)', '"link": int(min: 1))', "tool/get_quote/param/link_id", "narrowing", "capability"),
    Edit('"link": int)', '"link": int?)', "tool/get_quote/param/link_id", "widening", "capability"),
    Edit(
        '"link": int)', '"link": int, note?: string)', "tool/get_quote/param/note", "widening", "capability"
    ),
    Edit(
        '"link": int)', '"link": int, note: string)', "tool/get_quote/param/note", "narrowing", "capability"
    ),
    Edit('"link": int)', '"link": int = 1)', "tool/get_quote/param/link_id", "widening", "capability"),
    Edit(
        "(city: string)",
        '(city: "上海" | "北京")',
        "tool/delivery_days/param/city",
        "narrowing",
        "capability",
    ),
    Edit("amount: decimal", "amount: decimal(min: 0)", "type/Quote/field/amount", "narrowing", "capability"),
    Edit("amount: decimal", "amount: decimal?", "type/Quote/field/amount", "widening", "capability"),
    Edit(
        "  amount: decimal",
        "  note: string\n  amount: decimal",
        "type/Quote/field/note",
        "widening",
        "capability",
    ),
    Edit("  left: int", "  note?: string\n  left: int", "type/Stock/field/note", "widening", "capability"),
    Edit("-> Delivery {", "-> Delivery? {", "tool/delivery_days", "widening", "capability"),
    # inputs
    Edit("input room: any", "input mood: string\ninput room: any", "input/mood", "narrowing", "capability"),
    Edit("input room: any ", "input room: any untrusted ", "input/room", "none", "capability"),
    # rules, sections, order
    Edit(
        "    rule quoted",
        '    rule kind """Be kind."""\n    rule quoted',
        "prompt/system/section/rules/kind",
        "none",
        "policy",
    ),
    Edit(
        "results(get_quote).amount\n",
        "results(get_quote).amount or called(get_coupon)\n",
        "prompt/system/section/rules/quoted",
        "none",
        "policy",
    ),
    Edit(
        "      check reply starts with limits.opener\n",
        "",
        "prompt/system/section/rules/opener",
        "none",
        "policy",
    ),
    Edit(
        "rules unordered",
        'rules named "house_rules" unordered',
        "prompt/system/section/rules",
        "none",
        "surface",
    ),
    Edit(
        "  section tools catalog",
        '  section end """Bye."""\n  section tools catalog',
        "prompt/system/section/end",
        "none",
        "policy",
    ),
    Edit("persona first, rules before tools", "persona first", "prompt/system", "none", "policy"),
    Edit("  section persona", "  fixed section persona", "prompt/system/section/persona", "none", "surface"),
    # limits
    Edit("  turns 4", "  turns 5", "limit/turns", "none", "capability"),
    Edit("  tool_calls 3", "  tool_calls 3 in 2..6", "limit/tool_calls", "none", "capability"),
    Edit('opener "亲" in', 'opener "宝子" in', "limit/opener", "none", "capability"),
    Edit("  turns 4", "  turns 4\n  reply_chars 60", "limit/reply_chars", "none", "capability"),
    # hooks
    Edit(
        "prompt system {",
        "hook h on before_reply {\n  if chars(reply) > 60\n  log\n}\n\nprompt system {",
        "hook/h",
        "none",
        "policy",
    ),
]
SHOP = [
    Edit(
        "fails not_found, timeout",
        "fails not_found",
        "tool/get_quote",
        "narrowing",
        "capability",
    ),
    Edit(
        "  quantity: int(min: 1, max: 99) = 1",
        "  quantity: int(min: 1, max: 99) = 2",
        "tool/get_quote/param/quantity",
        "narrowing",
        "capability",
    ),
    Edit(
        "  quantity: int(min: 1, max: 99) = 1",
        "  quantity: int(min: 1, max: 100) = 1",
        "tool/get_quote/param/quantity",
        "widening",
        "capability",
    ),
    Edit(
        'type Currency = "CNY" | "USD"', 'type Currency = "CNY"', "type/Currency", "narrowing", "capability"
    ),
    Edit(
        'type Currency = "CNY" | "USD"',
        'type Currency = "CNY" | "EUR" | "USD"',
        "type/Currency",
        "widening",
        "capability",
    ),
    Edit("danmaku: string untrusted", "danmaku: string", "input/danmaku", "none", "safety"),
    Edit("  effect irreversible", "  effect write", "tool/hold_item", "narrowing", "capability"),
    Edit("  effect write", "  effect irreversible", "tool/apply_coupon", "narrowing", "safety"),
    Edit("reply skill small_talk", "strategy skill small_talk", "skill/small_talk", "none", "policy"),
    Edit(
        "uses get_coupon, apply_coupon",
        "uses get_coupon, apply_coupon, get_quote",
        "skill/coupon_help",
        "none",
        "policy",
    ),
    Edit('    step honest """没有券就不提。"""\n', "", "skill/push_coupon/step/honest", "none", "policy"),
    Edit(
        "热情回应，不查任何东西。", "热情回应，什么也不查。", "skill/small_talk/step/warm", "none", "wording"
    ),
    Edit(
        "打招呼、夸奖、闲聊。Greetings", "打招呼、闲聊。Greetings", "skill/small_talk/when", "none", "wording"
    ),
    Edit("      check count(price(reply)) == 0\n", "", "skill/small_talk/step/no_numbers", "none", "policy"),
    Edit(
        """查价。\""" max 1\n  fail closed""",
        """查价。\""" max 1\n  fail open""",
        "hook/price_is_quoted",
        "none",
        "safety",
    ),
    Edit("""查价。\""" max 1""", """查价。\""" max 2""", "hook/price_is_quoted", "none", "policy"),
    Edit(
        "count(price(reply)) > 0 and not called(get_quote) and",
        "count(price(reply)) > 1 and not called(get_quote) and",
        "hook/price_is_quoted",
        "none",
        "safety",
    ),
    Edit(
        " and not called(get_quote) and not called(apply_coupon)",
        " and not called(get_quote)",
        "hook/price_is_quoted",
        "none",
        "policy",
    ),
    Edit(
        "  if chars(reply) > limits.reply_chars\n  log",
        "  if chars(reply) > limits.turns\n  log",
        "hook/long_replies",
        "none",
        "policy",
    ),
    Edit("reply_chars 60 in 30..120", "reply_chars 80 in 30..120", "limit/reply_chars", "none", "capability"),
    Edit("reply_chars 60 in 30..120", "reply_chars 60 in 30..90", "limit/reply_chars", "none", "capability"),
    Edit(
        'section style ordered {\n    """先回答，再推荐。"""\n    """只说',
        'section style unordered {\n    rule first """先回答，再推荐。"""\n    rule known """只说',
        "prompt/system/section/style",
        "none",
        "policy",
    ),
    Edit('"query_price", "price_lookup", ', '"query_price", ', "tool/get_quote", "none", "surface"),
    Edit('  user "5号还有货吗"', '  user "5号有货吗"', "test/stock", "none", "none"),
]
