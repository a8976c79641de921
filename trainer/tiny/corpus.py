"""General chat rows for the tiny model: tools of invented harnesses, copying, lookup, small instructions.

Every harness is drawn at random: things and attributes from general Chinese words or from random characters,
identifiers from words that say nothing about what they name. So a row teaches how to read a harness and never
which tool a shop has.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainer.tiny import words

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


DESCRIPTIONS = (
    "查{a}的{b}", "查一个{a}的{b}", "看{a}的{b}", "查{a}{b}",
    "查一个{a}有多少{b}", "读{a}现在的{b}", "给{a}算{b}", "按编号查{a}{b}",
    "{a}的{b}", "返回{a}{b}", "find {a} {b}",
)  # fmt: skip
QUESTIONS = (
    "{n}的{b}", "{n}{a}{b}", "{n}号{a}的{b}是多少", "{b}呢，{n}", "帮我查{a}{n}的{b}", "{a}{n}，{b}",
    "问下{n}{b}多少", "请问{n}号的{b}", "{a}{n}的{b}怎么样", "{n}是什么{b}", "我想知道{n}的{b}",
    "{b} of {n}", "tell me {n} {b}", "what is {b} for {n}", "{n} {a} {b}?", "{n}现在{b}多少了",
)  # fmt: skip
WORDS_ONLY_QUESTIONS = (
    "{b}", "{a}{b}", "看看{b}", "现在{a}的{b}呢", "{b}?", "问问{a}{b}",
)  # fmt: skip
FRONT_RULES = (
    "- 先说“{w}”，再答。", "- 回答前加上“{w}”。", "- 用“{w}”起头。", "- start with “{w}”.",
    "- 第一个词是“{w}”。",
)  # fmt: skip
BACK_RULES = (
    "- 最后说“{w}”。", "- 话尾加上“{w}”。", "- 用“{w}”收尾。", "- end with “{w}”.",
)  # fmt: skip
FILLER_RULES = (
    "- 只说{b}。", "- 不要说{a}的{b}。", "- {a}和{b}要分开说。", "- 记住{a}。", "- {b}以表为准。",
    "- be short.", "- 不知道就问。",
)  # fmt: skip
PERSONAS = (
    "你是{a}的助手。", "你管{a}，看{b}。", "你回答{a}的问题。", "You are a helper.",
    "你在{a}做事，说话简短。", "帮人查{b}。",
)  # fmt: skip
HEADINGS = (
    ("persona", "rules", "tools"),
    ("角色", "规则", "工具"),
    ("role", "rules", "tools"),
    ("你是谁", "要求", "工具"),
)
CALL_HINTS = (
    'To call a tool, write <tool_call>{"name": ..., "arguments": ...}</tool_call>.',
    '调用工具时写<tool_call>{"name": ..., "arguments": ...}</tool_call>。',
    "",
)
Style = Callable[[str], str]


@dataclass(frozen=True)
class Segment:
    """A run of text of one row; the model is trained on it where `learned`."""

    text: str
    learned: bool


@dataclass(frozen=True)
class Row:
    """Token ids of one conversation and its labels (-100 where not trained)."""

    input_ids: list[int]
    labels: list[int]


@dataclass(frozen=True)
class Tool:
    """An invented tool: what it gives (`attribute` of `thing`) and what it is called."""

    description: str
    name: str
    parameters: tuple[str, ...]
    numeric: tuple[bool, ...]
    thing: str
    attribute: str
    result_key: str


@dataclass
class Chat:
    """A conversation under construction, in the ChatML form with Hermes calls."""

    system: str
    segments: list[Segment] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._add("<|im_start|>system\n" + self.system + "<|im_end|>\n")

    def user(self, text: str) -> None:
        self._add(f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n")

    def call(self, description: str, name: str, arguments: dict[str, int | str]) -> None:
        """Think of the tool's description and name, then call it."""
        body = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
        thought = f"<think>\n{description}\n{name}\n</think>\n\n"
        self._add(f"{thought}<tool_call>\n{body}\n</tool_call><|im_end|>", learned=True)
        self._add("\n")

    def result(self, value: object) -> None:
        body = json.dumps(value, ensure_ascii=False)
        self.user(f"<tool_response>\n{body}\n</tool_response>")

    def reply(self, text: str) -> None:
        self._add(text + "<|im_end|>", learned=True)
        self._add("\n")

    def _add(self, text: str, learned: bool = False) -> None:
        self.segments.append(Segment(text, learned))


def encode(segments: Sequence[Segment], tokenizer: PreTrainedTokenizerFast) -> Row:
    """The row's ids, each segment tokenised on its own."""
    ids: list[int] = []
    labels: list[int] = []
    for segment in segments:
        piece = tokenizer(segment.text, add_special_tokens=False)["input_ids"]
        ids += piece
        labels += piece if segment.learned else [-100] * len(piece)
    return Row(ids, labels)


def general_row(rng: random.Random, tokenizer: PreTrainedTokenizerFast, *, size: float = 1.0) -> Row:
    """One conversation of a random harness; `size` between 0 and 1 scales tools and turns."""
    return encode(general_chat(rng, size=size).segments, tokenizer)


def echo_row(rng: random.Random, vocabulary: int, *, length: int = 192) -> Row:
    """Random token ids in which earlier stretches come back; what the first copy foretells is learned."""
    ids = [rng.randrange(vocabulary) for _ in range(rng.randint(16, 64))]
    labels = [-100] * len(ids)
    while len(ids) < length:
        start = rng.randrange(len(ids) - 8)
        piece = ids[start : start + rng.randint(6, 24)]
        ids += piece
        labels += [-100, *piece[1:]]
    return Row(ids[:length], labels[:length])


def general_chat(rng: random.Random, *, size: float = 1.0) -> Chat:
    """As `general_row`, before tokenising."""
    tools = _tools(rng, count=rng.randint(2, 3 + round(4 * size)))
    front = _phrase(rng) if rng.random() < 0.85 else ""
    back = _phrase(rng) if rng.random() < 0.2 else ""
    mark = "，"
    chat = Chat(_system(rng, tools, front, back))

    def style(answer: str) -> str:
        return (front + mark if front else "") + answer + ("，" + back if back else "")

    for _ in range(rng.randint(5, 6 + round(4 * size))):
        turn = rng.choices(TURNS, (0.55, 0.15, 0.08, 0.08, 0.14))[0]
        turn(rng, chat, tools, style)
    return chat


def _ask(rng: random.Random, chat: Chat, tools: list[Tool]) -> Tool:
    tool = rng.choice(tools)
    arguments: dict[str, int | str] = {
        name: rng.randint(1, 99) if number else _value(rng)
        for name, number in zip(tool.parameters, tool.numeric, strict=True)
    }
    wording = rng.choice(QUESTIONS if arguments else WORDS_ONLY_QUESTIONS)
    subject = rng.choice(("", "、", "和", " ")).join(str(value) for value in arguments.values())
    if len(arguments) > 1:
        subject = "、".join(str(value) for value in arguments.values())
    chat.user(wording.format(n=subject, a=tool.thing, b=tool.attribute))
    chat.call(tool.description, tool.name, arguments)
    return tool


def _tool_turn(rng: random.Random, chat: Chat, tools: list[Tool], style: Style) -> None:
    tool = _ask(rng, chat, tools)
    answer = rng.randint(0, 999) if rng.random() < 0.6 else _value(rng)
    response: dict[str, int | str] = {tool.result_key: answer}
    if rng.random() < 0.2:
        response[_identifier(rng)] = _value(rng)
    chat.result(response)
    chat.reply(style(str(answer)))


def _call_turn(rng: random.Random, chat: Chat, tools: list[Tool], style: Style) -> None:
    _ask(rng, chat, tools)


def _copy_turn(rng: random.Random, chat: Chat, tools: list[Tool], style: Style) -> None:
    pool = (
        _random_han,
        lambda r, n: " ".join(_identifier(r) for _ in range(n)),
        lambda r, n: " ".join(str(r.randint(0, 999)) for _ in range(n)),
    )
    text = rng.choice(pool)(rng, rng.randint(2, 6))
    chat.user(rng.choice(("重复：{}", "照着写：{}", "repeat {}", "say {}")).format(text))
    chat.reply(text)


def _table_turn(rng: random.Random, chat: Chat, tools: list[Tool], style: Style) -> None:
    table: dict[str, int | str] = {
        (_identifier(rng) if rng.random() < 0.6 else _phrase(rng)): (
            rng.randint(0, 999) if rng.random() < 0.5 else _value(rng)
        )
        for _ in range(rng.randint(2, 5))
    }
    key = rng.choice(list(table))
    chat.user(
        json.dumps(table, ensure_ascii=False)
        + rng.choice(("\n{}？", "\n{}呢", "\n看{}", "\nfind {}")).format(key)
    )
    chat.reply(str(table[key]))


def _glossary_turn(rng: random.Random, chat: Chat, tools: list[Tool], style: Style) -> None:
    tool = rng.choice(tools)
    if rng.random() < 0.7:
        asked = rng.choice((tool.description, f"{tool.thing}{tool.attribute}", tool.attribute))
        chat.user(rng.choice(("哪个工具：{}", "tool name: {}", "{}用哪个工具")).format(asked))
        chat.reply(tool.name)
        return
    chat.user(rng.choice(("{}做什么", "what is {}")).format(tool.name))
    chat.reply(tool.description)


TURNS = (_tool_turn, _call_turn, _copy_turn, _table_turn, _glossary_turn)


def _tools(rng: random.Random, count: int) -> list[Tool]:
    tools: dict[str, Tool] = {}
    parameters = _distinct(rng, _parameter, count * 2)
    shared = _parameter(rng) if rng.random() < 0.1 else ""
    thing = _thing(rng)
    attributes = _distinct(rng, _attribute, count)
    for attribute in attributes:
        arity = rng.choices((0, 1, 2), (0.08, 0.8, 0.12))[0]
        names = tuple(shared if shared and arity == 1 else parameters.pop() for _ in range(arity))
        thing = thing if rng.random() < 0.6 else _thing(rng)
        name = _identifier(rng)
        tools[name] = Tool(
            description=rng.choice(DESCRIPTIONS).format(a=thing, b=attribute),
            name=name,
            parameters=names,
            numeric=tuple(rng.random() < 0.65 for _ in names),
            thing=thing,
            attribute=attribute,
            result_key=_parameter(rng),
        )
    return list(tools.values())


def _system(rng: random.Random, tools: list[Tool], front: str, back: str) -> str:
    persona, rules_title, tools_title = rng.choice(HEADINGS)
    filler = {"a": _thing(rng), "b": _attribute(rng)}
    rules = [
        rng.choice(FILLER_RULES).format(a=_thing(rng), b=_attribute(rng)) for _ in range(rng.randint(0, 3))
    ]
    if front:
        rules.append(rng.choice(FRONT_RULES).format(w=front))
    if back:
        rules.append(rng.choice(BACK_RULES).format(w=back))
    rng.shuffle(rules)
    parts = [f"## {persona}\n{rng.choice(PERSONAS).format(**filler)}"]
    if rules:
        parts.append(f"## {rules_title}\n" + "\n".join(rules))
    form = rng.choices((_python_doc, _list_doc, _json_doc), (0.7, 0.15, 0.15))[0]
    parts.append(f"## {tools_title}\n" + "\n".join(form(tool) for tool in tools))
    hint = rng.choice(CALL_HINTS)
    return "\n\n".join([*parts, hint] if hint else parts)


def _python_doc(tool: Tool) -> str:
    kinds = ("int" if number else "str" for number in tool.numeric)
    signature = ", ".join(f"{name}: {kind}" for name, kind in zip(tool.parameters, kinds, strict=True))
    return f"# {tool.description}\n{tool.name}({signature})"


def _list_doc(tool: Tool) -> str:
    return f"- {tool.description}：`{tool.name}({', '.join(tool.parameters)})`"


def _json_doc(tool: Tool) -> str:
    kinds = ("int" if number else "str" for number in tool.numeric)
    parameters = dict(zip(tool.parameters, kinds, strict=True))
    return json.dumps(
        {"description": tool.description, "name": tool.name, "parameters": parameters}, ensure_ascii=False
    )


def _identifier(rng: random.Random) -> str:
    count = rng.choices((1, 2, 3), (0.15, 0.65, 0.2))[0]
    first = rng.choice(words.VERBS) if rng.random() < 0.5 else rng.choice(words.IDENTIFIER_WORDS)
    rest = [_word(rng) for _ in range(count - 1)]
    return "_".join([first if rng.random() < 0.9 else _syllables(rng), *rest])


def _parameter(rng: random.Random) -> str:
    return "_".join(_word(rng) for _ in range(rng.choices((1, 2), (0.75, 0.25))[0]))


def _word(rng: random.Random) -> str:
    return rng.choice(words.IDENTIFIER_WORDS) if rng.random() < 0.85 else _syllables(rng)


def _syllables(rng: random.Random) -> str:
    return "".join(rng.choice(words.LETTER_PAIRS) for _ in range(rng.randint(2, 4)))


def _random_han(rng: random.Random, count: int) -> str:
    if rng.random() < 0.3:
        return "".join(rng.choice(words.HAN) for _ in range(count))
    return "".join(rng.choice(words.HAN_WORDS) for _ in range(max(1, count // 2)))


def _phrase(rng: random.Random) -> str:
    return _random_han(rng, rng.choices((1, 2, 3, 4), (0.25, 0.4, 0.25, 0.1))[0])


def _value(rng: random.Random) -> str:
    pick = rng.random()
    if pick < 0.3:
        return rng.choice(words.CITIES)
    if pick < 0.8:
        return _random_han(rng, rng.randint(1, 4))
    return rng.choice(words.IDENTIFIER_WORDS)


def _thing(rng: random.Random) -> str:
    return _subject(rng, words.THINGS)


def _attribute(rng: random.Random) -> str:
    return _subject(rng, words.ATTRIBUTES)


def _subject(rng: random.Random, usual: Sequence[str]) -> str:
    pick = rng.random()
    if pick < 0.6:
        return rng.choice(usual)
    if pick < 0.8:
        return rng.choice(words.COMMON) + rng.choice(words.ATTRIBUTES)
    return "".join(rng.choice(words.HAN) for _ in range(2))


def _distinct(rng: random.Random, draw: Callable[[random.Random], str], count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[draw(rng)] = None
    return list(found)
