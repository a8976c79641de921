"""Clean files of any size, the same facts in `.harness` and in BAML: what `check_scale.py` measures on.

A unit is what an author adds to teach one more errand: for us a type, a tool, a skill and a test; for BAML a
class, a function and a test.
"""

HARNESS_HEAD = """harness order_desk "1.0.0"
  "A desk that answers questions about orders."
"""

HARNESS_UNIT = '''
type Answer{n} {{
  amount: decimal(min: 0) "What the order costs, in yuan."
  status: "open" | "paid" | "sent" "How far the order is."
  parcels: string[] "Numbers of the parcels."
  remark: string?
}}

tool look_up_{n}(
  order_id: int(min: 1) "Number of the order, as the customer says it.",
  city: string(min_length: 1) "Where the order goes.",
) -> Answer{n} {{
  """Look up an order at desk {n}."""
  effect read
  idempotent
  impl python "desk.tools:look_up_{n}"
  timeout 800ms
  fails not_found
}}

reply skill errand_{n} {{
  when """A customer asks desk {n} about an order."""
  uses look_up_{n}
  do ordered {{
    """Take the number out of the message as {{{{ tool.look_up_{n}.order_id }}}}; ask when there is none."""
    """Say the amount that {{{{ tool.look_up_{n} }}}} gave, with its unit."""
      check every price(reply) in results(look_up_{n}).amount
  }}
}}

test "an order at desk {n}" {{
  user "What does order {n} cost, and when is it in Leeds?"
  expect skill errand_{n}
  expect call look_up_{n}(order_id: {n}, city: "Leeds")
}}
'''

HARNESS_TAIL = '''
prompt system {
  section persona """You work at an order desk."""
  section rules unordered {
    rule short """Use at most {{ limits.reply_chars }} characters."""
      check chars(reply) <= limits.reply_chars
  }
  section skills catalog skills
  section tools catalog tools
  order persona first
}

limits {
  turns 6
  reply_chars 60 in 30..120
}
'''

BAML_HEAD = """client<llm> Desk {
  provider openai
  options {
    model "gpt-4o"
    api_key env.OPENAI_API_KEY
  }
}
"""

BAML_UNIT = """
class Answer{n} {{
  amount float @description("What the order costs, in yuan.") @assert(positive, {{{{ this >= 0 }}}})
  status "open" | "paid" | "sent" @description("How far the order is.")
  parcels string[] @description("Numbers of the parcels.")
  remark string?
}}

function Errand{n}(order_id: int, city: string) -> Answer{n} {{
  client Desk
  prompt #"
    You work at order desk {n}. A customer asks about an order.

    Take the number out of the message: it is {{{{ order_id }}}}, and the order goes to {{{{ city }}}}.
    Say the amount that you were given, with its unit, in at most 60 characters.

    {{{{ ctx.output_format }}}}
  "#
}}

test errand_{n} {{
  functions [Errand{n}]
  args {{
    order_id {n}
    city "Leeds"
  }}
}}
"""


def harness(units: int) -> str:
    """A `.harness` file with `units` units that has no findings."""
    return HARNESS_HEAD + "".join(HARNESS_UNIT.format(n=n) for n in range(1, units + 1)) + HARNESS_TAIL


def baml(units: int) -> str:
    """A BAML file with `units` units that has no findings."""
    return BAML_HEAD + "".join(BAML_UNIT.format(n=n) for n in range(1, units + 1))
