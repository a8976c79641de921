"""Names inside free text: found where they stand as names, kept byte for byte, never confused with words."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness_dsl.ir.core import Core, Param, Prompt, Tool
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally, Text
from harness_dsl.ir.transcript import Mention, Prose
from harness_dsl.ir.types import IntType
from harness_dsl.protocol.mentions import Mentions, is_no_ordinary_word, is_of_programs

IDS = ("tool/get_quote", "tool/search", "tool/查价", "tool/get_quote/param/n", "tool/search/param/n")


def _tool(name: str, *params: str) -> Tool:
    id_ = f"tool/{name}"
    return Tool(
        id=id_,
        description=Text(id=f"{id_}/description", canonical=(Literally(text="x"),)),
        params=tuple(Param(id=f"{id_}/param/{param}", type=IntType()) for param in params),
        returns=IntType(),
    )


CORE = Core(
    name="c",
    version="1.0.0",
    tools=(_tool("get_quote", "n"), _tool("search", "n"), _tool("查价")),
    prompt=Prompt(id="prompt/system", sections=()),
)
NAMES = ("fetch", "get_quote", "find_it", "q2", "getIt", "报价", "a-b", "x", "search", "link", "GitHub", "v2")


def mentions(names: dict[SemanticId, str] | None = None) -> Mentions:
    return Mentions(CORE, Naming(CORE, Surface(names=names or {})))


LITERALS = st.text(alphabet="`` 用x_-。\n/.$@", min_size=1, max_size=6)


@st.composite
def proses(draw: st.DrawFn) -> Prose:
    parts: list[str | Mention] = []
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.booleans()) and not (parts and isinstance(parts[-1], str)):
            parts.append(draw(LITERALS))
        else:
            parts.append(Mention(symbol=draw(st.sampled_from(IDS))))
    return tuple(parts)


namings = st.lists(st.sampled_from(NAMES), min_size=4, max_size=4, unique=True).map(
    lambda shown: dict(zip(IDS[:4], shown, strict=True))
)


def captured(prose: Prose, index: Mentions) -> bool:
    """Whether a literal of `prose` holds a name of its own."""
    return any(isinstance(part, str) and ("x" in part) for part in prose) and index.lift("`x`").prose != (
        "`x`",
    )


@given(proses(), namings)
@example(("`", Mention(symbol=IDS[0]), "`"), {IDS[0]: "fetch"})
@example((Mention(symbol=IDS[0]), Mention(symbol=IDS[1])), {IDS[0]: "fetch", IDS[1]: "find_it"})
@example(("``", Mention(symbol=IDS[1]), "``x"), {})
@example(("x`", Mention(symbol=IDS[0]), "`x"), {})
@example(("/", Mention(symbol=IDS[0]), "`.x"), {})
@example((Mention(symbol=IDS[0]), ".", Mention(symbol=IDS[1])), {IDS[0]: "fetch_it", IDS[1]: "find_it"})
@example((Mention(symbol=IDS[3]), "`", Mention(symbol=IDS[0])), {IDS[3]: "v2", IDS[0]: "q2"})
def test_prose_survives_printing_and_reading(prose: Prose, names: dict[SemanticId, str]) -> None:
    index = mentions(names)
    if captured(prose, index):
        return
    assert index.lift(index.lower(prose)).prose == prose


class Bare(Mentions):
    """Broken: prints the name and nothing else, as templates that insert names do."""

    def lower(self, prose: Prose) -> str:
        return "".join(part if isinstance(part, str) else self.written(part.symbol) for part in prose)


def test_names_printed_without_regard_to_their_neighbours_are_lost() -> None:
    prose = ("用 ", Mention(symbol=IDS[1]), " 查")
    for index, kept in ((mentions(), True), (Bare(CORE, Naming(CORE, Surface())), False)):
        assert (index.lift(index.lower(prose)).prose == prose) is kept


@given(st.text(alphabet="` xget_quotesearch.n报价查", max_size=40), namings)
@example("`get_quote` 和 `search`", {})
@example("``get_quote``search`", {})
def test_text_survives_reading_and_printing(text: str, names: dict[SemanticId, str]) -> None:
    index = mentions(names)
    assert index.lower(index.lift(text).prose) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("先用get_quote查价", ["tool/get_quote"]),
        ("call get_quote.", ["tool/get_quote"]),
        ("get_quotes", []),
        ("my_get_quote", []),
        ("get-quote, get_quote-x", []),
        ("search for it", []),
        ("`search` for it", ["tool/search"]),
        ("查价是什么", []),
        ("`查价`", ["tool/查价"]),
        ("`get_quote` and get_quote", ["tool/get_quote", "tool/get_quote"]),
        ("functions.get_quote is dotted", ["tool/get_quote"]),
        ("see https://shop.example/get_quote", []),
        ("shop/get_quote.py", []),
        ("run get_quote.py", []),
        ("get_quote@shop.example", []),
        ("$get_quote and @get_quote", []),
        ("get_quote(n=3), then get_quote", ["tool/get_quote", "tool/get_quote"]),
        ("```\nget_quote\n```", ["tool/get_quote"]),
        ("`n` is shared", []),
        ("`tool.search.n` is not", ["tool/search/param/n"]),
    ],
)
def test_a_name_counts_where_it_stands_as_a_name(text: str, found: list[str]) -> None:
    prose = mentions().lift(text).prose
    assert [part.symbol for part in prose if isinstance(part, Mention)] == found


def test_names_that_resolve_to_nothing_are_counted() -> None:
    lifted = mentions().lift("`price`, old_name, get_quote and the word price")
    assert lifted.unresolved == ("price", "old_name")


@pytest.mark.parametrize("word", ["GitHub", "CO2", "v2", "iPhone", "macOS", "PS5", "kWh", "LoRA"])
def test_words_of_people_name_a_tool_but_no_value(word: str) -> None:
    """A value `GitHub` is not meant by every text about GitHub; a tool of that name is."""
    value, tool = mentions({IDS[3]: word}), mentions({IDS[0]: word})
    text = f"Push it to {word} first."
    assert value.lift(text).prose == (text,) and not value.lift(text).unresolved
    assert value.lift(f"`{word}`").prose == ("`", Mention(symbol=IDS[3]), "`")
    if is_no_ordinary_word(word):
        assert tool.lift(text).prose == ("Push it to ", Mention(symbol=IDS[0]), " first.")
    for index, symbol in ((value, IDS[3]), (tool, IDS[0])):
        prose = ("Push it to ", Mention(symbol=symbol), " first.")
        assert index.lift(index.lower(prose)).prose == prose


@pytest.mark.parametrize(
    "text",
    [
        "```py\nold_name = other_name()\n```",
        "~~~\nold_name\n",
        "df.old_name",
        "x.old_name()",
        "pass old_name=3",
        "old_name.py",
        "GitHub v2 on macOS",
    ],
)
def test_identifiers_of_other_programs_are_not_missed(text: str) -> None:
    assert mentions().lift(text).unresolved == ()


def test_a_name_that_several_share_is_said_to_be_shared() -> None:
    index = mentions({IDS[3]: "link_id", IDS[4]: "link_id"})
    assert index.lift("give link_id").unresolved == ("link_id",)
    assert index.is_shared("link_id") and not index.is_shared("get_quote")


@pytest.mark.parametrize("name", ["get_quote", "getQuote", "threadId", "tool_07", "SINGLE_SELECT"])
def test_only_programs_write_these(name: str) -> None:
    assert is_of_programs(name)


@pytest.mark.parametrize(
    "name", ["_emphasis_", "GitHub", "q2", "macOS", "iPhone", "kWh", "re-read", "price", "_"]
)
def test_people_write_these(name: str) -> None:
    assert not is_of_programs(name)


@pytest.mark.parametrize("name", ["get_quote", "getQuote", "q2", "tool_07", "X1"])
def test_identifiers_are_no_ordinary_words(name: str) -> None:
    assert is_no_ordinary_word(name)


@pytest.mark.parametrize("name", ["price", "Search", "报价", "item-qa", "2", "USD", "_"])
def test_ordinary_words_are(name: str) -> None:
    assert not is_no_ordinary_word(name)


def test_a_very_long_word_is_read_in_time() -> None:
    started = time.perf_counter()
    for word in ("a" * 100_000, "`" * 100_000, "a-" * 50_000, "`a" * 50_000):
        mentions().lift(word)
    assert time.perf_counter() - started < 2
