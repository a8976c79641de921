"""Recorded conversations as transcripts: what is taken comes back whole, and mistakes are said in place."""

import codecs
import copy
import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.lineage import lineage_of
from augmentors.logs.belonging import Terms
from augmentors.logs.doubts import OPEN, UNFIT
from augmentors.logs.kinds import KINDS
from augmentors.logs.lifting import Lifting, Refused, Taken
from augmentors.logs.places import place
from augmentors.transport import lower, without_harness
from harness_dsl.cli.main import main
from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.transcript import Call, Generated, Mention, ReplyText, Result, Think, Transcript, User
from harness_dsl.syntax.artefact import dump_ir
from tests.laws.laws import without_ids
from tests.strategies import cores, default_surface, small_shop, transcripts
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
INPUTS = {"danmaku": "", "room": ROOM}
TALK = Transcript(
    core_digest=core_digest(CORE),
    inputs=INPUTS,
    events=(
        User(text="3号多少钱，还有货吗"),
        Generated(
            events=(
                Think(text=("先用 ", Mention(symbol="tool/get_quote"))),
                Call(tool="tool/get_quote", arguments={"link_id": 3}),
                Call(tool="tool/check_stock", arguments={"link_id": 3}),
            )
        ),
        Result(tool="tool/get_quote", value={"amount": 89, "currency": "CNY"}),
        Result(tool="tool/check_stock", value={"left": 12}),
        Generated(events=(ReplyText(text=("亲，89元，有货",)),)),
    ),
)
OWN = TALK.model_copy(update={"lineage": lineage_of(TALK)})
"""It says no lineage, so it is its own."""
SHOWN = lower(TALK, CORE, SURFACE)
PLAIN = without_harness(SHOWN)
TOOLS = [{"type": "function", "function": {"name": name}} for name in ("query_price", "check_stock")]


def row(change: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """The conversation as a line of a log, changed."""
    data: dict[str, Any] = copy.deepcopy({"messages": PLAIN, "inputs": INPUTS, "tools": TOOLS})
    changed = change(data) if change is not None else None
    return changed if isinstance(changed, dict) and "inputs" in changed else data


def line(data: Any) -> bytes:
    return data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode() + b"\n"


def lifted(data: Any, **terms: Any) -> Taken | Refused:
    return Lifting(CORE, SURFACE, Terms(**terms)).line(line(data))


def call(data: dict[str, Any], number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = data["messages"][2]["tool_calls"][number]
    return found


def at(data: dict[str, Any], *steps: Any, value: Any) -> None:
    for step in steps[:-1]:
        data = data[step]
    data[steps[-1]] = value


IMAGE = [{"type": "image_url", "image_url": {"url": "x"}}]
BLOCKS = [{"type": "text", "text": "x"}, {"type": "thinking", "thinking": "y"}]

REFUSED: dict[str, tuple[str, Any, str]] = {
    "bytes of another encoding": ("undecodable-line", '{"messages": "é"}\n'.encode("latin-1"), "é"),
    "UTF-16": ("undecodable-line", '{"messages": []}\n'.encode("utf-16"), ""),
    "a word": ("no-json", b"hello\n", "h"),
    "a constant that JSON lacks": ("no-json", b'{"messages": NaN}\n', "{"),
    "a key twice": ("no-json", b'{"messages": [], "messages": []}\n', "{"),
    "JSON of several lines": ("no-json", b"[\n", "["),
    "a text": ("no-conversation", "hello", '"hello"'),
    "no messages at all": ("no-conversation", {"a": 1}, '{"a": 1}'),
    "a request of Gemini": ("other-shape", {"contents": []}, "{"),
    "a request of the Responses API": ("other-shape", {"input": [{"type": "message"}]}, "{"),
    "a request with its answer": ("other-shape", {"request": {}, "response": {}}, "{"),
    "a prompt with its completion": ("other-shape", {"prompt": "a", "completion": "b"}, "{"),
    "a transcript": ("other-shape", TALK.model_dump(mode="json"), "{"),
    "nothing said": ("no-messages", {"messages": []}, "{"),
    "an unknown role": (
        "unknown-role",
        row(lambda data: at(data, "messages", 1, "role", value="narrator")),
        '"narrator"',
    ),
    "no role": ("unknown-role", row(lambda data: data["messages"].append({"text": "x"})), '{"text": "x"}'),
    "a system message inside": (
        "misplaced-system",
        row(lambda data: data["messages"].append({"role": "system", "content": "stop"})),
        '"stop"',
    ),
    "an image": ("no-text", row(lambda data: at(data, "messages", 1, "content", value=IMAGE)), "image_url"),
    "a content that is a number": (
        "no-text",
        row(lambda data: at(data, "messages", 1, "content", value=7)),
        "7",
    ),
    "a call without a name": (
        "malformed-call",
        row(lambda data: call(data)["function"].pop("name")),
        "arguments",
    ),
    "arguments that are no JSON": (
        "arguments-no-json",
        row(lambda data: at(call(data), "function", "arguments", value='{"link_id": ')),
        '"{',
    ),
    "arguments that are a list": (
        "arguments-no-json",
        row(lambda data: at(call(data), "function", "arguments", value="[3]")),
        '"[3]"',
    ),
    "an argument of another name": (
        "unfit-arguments",
        row(lambda data: at(call(data), "function", "arguments", value='{"item": 3}')),
        '"role": "assistant"',
    ),
    "two calls of one id": (
        "repeated-call-id",
        row(lambda data: at(call(data), "id", value="call_1")),
        "call_1",
    ),
    "a result of no call": (
        "result-without-call",
        row(lambda data: at(data, "messages", 4, "tool_call_id", value="call_9")),
        "call_9",
    ),
    "two results of one call": (
        "result-without-call",
        row(lambda data: at(data, "messages", 4, "tool_call_id", value="call_1")),
        "call_1",
    ),
    "a call that is passed over": (
        "call-without-result",
        row(lambda data: data["messages"].pop(4)),
        "call_2",
    ),
    "text behind a call": (
        "order-of-parts",
        {"messages": [{"role": "assistant", "content": BLOCKS}], "inputs": INPUTS},
        "thinking",
    ),
    "another harness": ("other-harness", row(lambda data: {**data, "core_digest": "sha256:00"}), "{"),
    "a variant": ("other-surface", row(lambda data: {**data, "surface_digest": "sha256:00"}), "{"),
    "another prompt": (
        "other-prompt",
        row(lambda data: at(data, "messages", 0, "content", value="You sell tea.")),
        "You sell tea.",
    ),
    "an input that is not given": ("missing-input", row(lambda data: at(data, "inputs", value={})), "{"),
    "an input that is not declared": (
        "missing-input",
        row(lambda data: at(data, "inputs", "weather", value="fine")),
        "{",
    ),
    "an input of another type": ("missing-input", row(lambda data: at(data, "inputs", "room", value=3)), "{"),
    "a tool that is offered": (
        "unknown-tool",
        row(lambda data: at(data, "tools", 0, "function", "name", value="weather")),
        '"weather"',
    ),
    "a tool that is called": (
        "unknown-tool",
        row(lambda data: at(call(data), "function", "name", value="weather")),
        '"weather"',
    ),
    "two tools of one name": (
        "repeated-tool",
        row(lambda data: at(data, "tools", 0, "function", "name", value="check_stock")),
        "check_stock",
    ),
    "names that nobody knows": (
        "unresolved-mentions",
        row(lambda data: at(data, "messages", 5, "content", value="`old_name`, `get_it` and `fetch_all`")),
        "{",
    ),
    "an event about another harness": (
        "unknown-symbol",
        {
            "messages": [
                {
                    "role": "user",
                    "content": "x",
                    "harness": {"event": {"kind": "hook", "hook": "hook/no", "action": "deny"}},
                }
            ],
            "inputs": INPUTS,
        },
        "{",
    ),
    "an event of no known form": (
        "unknown-symbol",
        {
            "messages": [{"role": "user", "content": "x", "harness": {"event": {"kind": "?"}}}],
            "inputs": INPUTS,
        },
        '{"event"',
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_mistake_is_said_by_its_kind_and_at_its_place(what: str) -> None:
    kind, data, there = REFUSED[what]
    found = lifted(data)
    assert isinstance(found, Refused), what
    assert [reason.kind for reason in found.reasons] == [kind], "one cause, one reason"
    (reason,) = found.reasons
    text = line(data).decode("latin-1" if kind == "undecodable-line" else "utf-8")
    assert reason.column >= 1
    assert there in text[reason.column - 1 : reason.column - 1 + reason.length] or not there


def test_the_whole_conversation_is_taken() -> None:
    for data in (row(), {"messages": SHOWN}, [*PLAIN], [*SHOWN]):
        found = lifted(data, inputs=INPUTS)
        assert isinstance(found, Taken), found
        assert found.transcript == TALK


def test_every_kind_of_reason_has_a_case() -> None:
    """Two kinds are of files rather than lines and are tested on files."""
    assert {kind for kind, _, _ in REFUSED.values()} == set(KINDS) - {"too-long-line", "cut-off-line"}
    assert len({kind.code for kind in KINDS.values()}) == len(KINDS)


def test_every_kind_is_explained(pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    page = (pytestconfig.rootpath / "docs" / "logs-to-training-set.md").read_text("utf-8")
    for kind in KINDS.values():
        assert f"| {kind.code} | `{kind.name}` | {kind.summary} |" in page
        assert main(["explain", kind.name]) == 0
        said = capsys.readouterr().out
        assert main(["explain", kind.code.lower()]) == 0
        assert said == capsys.readouterr().out and kind.help in said
    assert main(["explain", "LG999"]) == 2


@pytest.mark.parametrize(
    ("what", "terms"),
    [
        ("another prompt", {"any_prompt": True}),
        ("a tool that is called", {"keep_unknown_calls": True}),
        ("an input that is not given", {"inputs": INPUTS}),
        ("names that nobody knows", {"limit": 1.0}),
    ],
)
def test_what_is_refused_can_be_asked_for(what: str, terms: dict[str, Any]) -> None:
    data = REFUSED[what][1]
    if "inputs" in terms:
        data = {key: value for key, value in data.items() if key != "inputs"}
    assert isinstance(lifted(data), Refused)
    assert isinstance(lifted(data, **terms), Taken)


@given(st.data())
@settings(max_examples=15)
def test_what_this_tool_recorded_comes_back_as_it_was(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = default_surface(core)
    talk = data.draw(transcripts(core, noise=True))
    lifting = Lifting(core, surface, Terms(limit=1.0, keep_unknown_calls=True))
    found = lifting.line(line({"messages": lower(talk, core, surface)}))
    assert isinstance(found, Taken), found
    assert found.transcript == without_ids(talk)


def test_results_are_put_in_the_order_of_their_calls() -> None:
    def swap(data: dict[str, Any]) -> None:
        messages = data["messages"]
        messages[3], messages[4] = messages[4], messages[3]

    found = lifted(row(swap))
    assert isinstance(found, Taken) and found.transcript == TALK


def anthropic() -> dict[str, Any]:
    """The conversation in Anthropic's blocks."""
    calls = [
        {
            "type": "tool_use",
            "id": one["id"],
            "name": one["function"]["name"],
            "input": json.loads(one["function"]["arguments"]),
        }
        for one in PLAIN[2]["tool_calls"]
    ]
    results = [
        {"type": "tool_result", "tool_use_id": one["tool_call_id"], "content": one["content"]}
        for one in PLAIN[3:5]
    ]
    thinking = {"type": "thinking", "thinking": PLAIN[2]["reasoning_content"], "signature": "x"}
    return {
        "system": [{"type": "text", "text": PLAIN[0]["content"]}],
        "tools": [{"name": "query_price", "input_schema": {}}],
        "messages": [
            {"role": "user", "content": PLAIN[1]["content"]},
            {"role": "assistant", "content": [thinking, *calls]},
            {"role": "user", "content": results},
            {"role": "assistant", "content": [{"type": "text", "text": PLAIN[5]["content"]}]},
        ],
        "inputs": INPUTS,
    }


def sharegpt() -> dict[str, Any]:
    """The conversation as ShareGPT writes it, where a call is a turn of its own."""
    calls = [
        {"name": one["function"]["name"], "arguments": json.loads(one["function"]["arguments"])}
        for one in PLAIN[2]["tool_calls"]
    ]
    turns = [("human", PLAIN[1]["content"]), ("function_call", json.dumps(calls))]
    turns += [("observation", one["content"]) for one in PLAIN[3:5]]
    turns += [("gpt", PLAIN[5]["content"])]
    return {
        "system": PLAIN[0]["content"],
        "conversations": [{"from": who, "value": text} for who, text in turns],
        "inputs": INPUTS,
    }


def of_old() -> dict[str, Any]:
    """OpenAI's `functions`, which gave one call at a time."""
    first, second = ({"role": "function", "content": one["content"]} for one in PLAIN[3:5])
    turns: list[dict[str, Any]] = [PLAIN[0] | {"role": "developer"}, PLAIN[1]]
    for one, result in zip(PLAIN[2]["tool_calls"], (first, second), strict=True):
        turns += [{"role": "assistant", "content": None, "function_call": one["function"]}, result]
    return {"messages": [*turns, PLAIN[5]], "inputs": INPUTS}


def test_anthropics_blocks_say_the_same() -> None:
    found = lifted(anthropic())
    assert isinstance(found, Taken) and found.transcript == TALK and found.shape == "anthropic"


def test_sharegpt_says_the_same_without_thinking() -> None:
    found = lifted(sharegpt())
    assert isinstance(found, Taken) and found.shape == "sharegpt"
    calls = Generated(events=TALK.events[1].events[1:])  # type: ignore[union-attr]  # it is the Generated above
    assert found.transcript == TALK.model_copy(update={"events": (TALK.events[0], calls, *TALK.events[2:])})


def test_functions_of_old_are_calls() -> None:
    found = lifted(of_old())
    assert isinstance(found, Taken), found
    events = found.transcript.events
    assert [event.kind for event in events] == [
        "user",
        "generated",
        "result",
        "generated",
        "result",
        "generated",
    ]
    assert [event.tool for event in events if isinstance(event, Result)] == [
        "tool/get_quote",
        "tool/check_stock",
    ]


def test_a_failed_result_of_anthropic_is_a_failure() -> None:
    data = anthropic()
    data["messages"][2]["content"][1] |= {"is_error": True, "content": "timed out"}
    found = lifted(data)
    assert isinstance(found, Taken)
    results = [event for event in found.transcript.events if isinstance(event, Result)]
    assert (results[1].failure, results[1].detail) == ("crashed", "timed out")


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    3.5,
    "",
    "x",
    "<tool_call>",
    "{",
    [],
    {},
    [None],
    [[]],
    {"event": None},
)
KEYS = (
    "harness",
    "role",
    "content",
    "tool_calls",
    "tool_call_id",
    "system",
    "tools",
    "from",
    "row",
    "reasons",
)


def places_in(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, one in inner for place in places_in(one, (*at, key)))]


def spoiled(data: Any, rng: random.Random) -> Any:
    """`data` with a few parts replaced, removed or added."""
    for _ in range(rng.randint(1, 3)):
        *steps, last = rng.choice(places_in(data)[1:] or [("x",)])
        holder = data
        for step in steps:
            holder = holder[step]
        if isinstance(holder, dict) and rng.random() < 0.3:
            last = rng.choice(KEYS)
        if isinstance(holder, list) and rng.random() < 0.2:
            del holder[last]
        elif isinstance(holder, dict | list):
            holder[last] = copy.deepcopy(rng.choice(ODD))
    return data


@given(st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_no_log_is_a_traceback(rng: random.Random) -> None:
    made = (row, anthropic, sharegpt, of_old, lambda: copy.deepcopy({"messages": SHOWN}))
    every = [
        Lifting(CORE, SURFACE, terms) for terms in (Terms(), Terms(1.0, True, True, INPUTS, ("meta.x",)))
    ]
    data = line(spoiled(copy.deepcopy(rng.choice(made)()), rng))
    for lifting in every:
        found = lifting.line(data)
        assert isinstance(found, Taken) or found.reasons


def test_lineage_goes_along() -> None:
    found = lifted(row(lambda data: {**data, "lineage": {"task": "t7", "product": 3}}))
    assert isinstance(found, Taken)
    assert found.transcript.lineage == {"task": "t7", "product": "3"}
    again = lifted({"messages": lower(found.transcript, CORE, SURFACE)})
    assert isinstance(again, Taken) and again.transcript == found.transcript


@given(
    st.recursive(
        st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    st.data(),
)
@settings(max_examples=30)
def test_a_place_is_that_of_its_value(value: Any, data: st.DataObject) -> None:
    pointer: list[Any] = []
    inner = value
    while isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
        step = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        pointer.append(step)
        inner = inner[step]
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])), ensure_ascii=False)
    start, end = place(text, pointer)
    assert json.loads(text[start:end]) == inner


@pytest.fixture
def harness(tmp_path: Path) -> str:
    path = tmp_path / "shop.json"
    path.write_bytes(dump_ir(CORE, SURFACE, "sha256:0"))
    return str(path)


def test_a_log_is_lifted_and_what_is_refused_is_kept(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out, report = tmp_path / "log.jsonl", tmp_path / "talks.jsonl", tmp_path / "report.json"
    bad = [line(data) for _, data, _ in REFUSED.values() if not (isinstance(data, bytes) and b"\0" in data)]
    last = b'{"messages": [{"role": "us'
    good = line({"messages": SHOWN})
    log.write_bytes(codecs.BOM_UTF8 + good + b"\n \n" + b"".join(bad) + line(row()) + last)
    command = ["lift", str(log), "--harness", harness, "-o", str(out), "--report", str(report)]
    assert main(command) == 1
    said = capsys.readouterr().err
    assert out.read_text("utf-8").splitlines() == [OWN.model_dump_json()] * 2
    kept = [json.loads(one) for one in Path(f"{out}.refused").read_text("utf-8").splitlines()]
    assert [one["line"] for one in kept] == [*range(4, 4 + len(bad)), 5 + len(bad)]
    assert f"log.jsonl:{5 + len(bad)}:26: error[LG104]" in said
    for one, data in zip(kept, [*bad, last], strict=True):
        whole = one["text"].encode("utf-8", "surrogateescape") if "text" in one else json.dumps(one["row"])
        if "text" in one:
            assert whole == data.rstrip(b"\n")
        else:
            assert json.loads(data) == one["row"]
        assert one["reasons"][0]["code"] in said
    counts = json.loads(report.read_text("utf-8"))
    assert (counts["taken"], counts["refused"], counts["lines"]) == (2, len(kept), len(kept) + 2)
    assert sum(one["lines"] for one in counts["reasons"].values()) == len(kept)
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(("key", "noted"), [("meta.reader", False), ("meta.raeder", True)])
def test_an_origin_that_no_line_says_is_noted(
    key: str, noted: bool, harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "talks.jsonl"
    log.write_bytes(line(row()) + line(row(lambda data: {**data, "meta": {"reader": "r1"}})))
    assert main(["lift", str(log), "--harness", harness, "-o", str(out), "--lineage", key]) == 0
    said = f"{log}: note: no line that was lifted has `{key}` (--lineage)"
    assert (said in capsys.readouterr().err) is noted


def test_calls_that_do_not_fit_and_an_end_without_a_reply_are_noted(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def unfit(data: dict[str, Any]) -> None:
        for number in range(2):
            at(call(data, number), "function", "arguments", value="{}")

    def ends(data: dict[str, Any]) -> None:
        last = max(n for n, message in enumerate(data["messages"]) if message["role"] == "tool")
        del data["messages"][last + 1 :]

    log, out, report = tmp_path / "log.jsonl", tmp_path / "talks.jsonl", tmp_path / "report.json"
    log.write_bytes(line(row()) + line(row(unfit)) + line(row(ends)))
    command = ["lift", str(log), "--harness", harness, "-o", str(out), "--report", str(report)]
    assert main(command) == 0
    said = capsys.readouterr().err
    counts = json.loads(report.read_text("utf-8"))
    assert counts["taken"] == 3
    assert counts["notes"][OPEN] == 1 and counts["first_notes"][OPEN] == "line 3"
    assert counts["notes"][UNFIT] >= 1 and counts["first_notes"][UNFIT].startswith("line 2: `")
    assert f"  noted: {UNFIT}: {counts['notes'][UNFIT]}, first in line 2: `" in said
    assert f"  noted: {OPEN}: 1, first in line 3\n" in said


def test_refused_lines_can_be_lifted_when_the_cause_is_gone(harness: str, tmp_path: Path) -> None:
    log, out, again = tmp_path / "log.jsonl", tmp_path / "talks.jsonl", tmp_path / "again.jsonl"
    log.write_bytes(line(REFUSED["another prompt"][1]))
    assert main(["lift", str(log), "--harness", harness, "-o", str(out)]) == 1
    refused = f"{out}.refused"
    assert main(["lift", refused, "--harness", harness, "-o", str(again), "--any-prompt"]) == 0
    assert again.read_text("utf-8") == OWN.model_dump_json() + "\n"
    assert not Path(f"{again}.refused").exists()


def test_a_very_long_line_takes_no_memory_and_is_kept_whole(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "talks.jsonl"
    size = 24 << 20
    with log.open("wb") as file:
        for _ in range(24):
            file.write(b"\xe6\xb8\xa9x" * (1 << 18))
        file.write(b"\n" + line(row()))
    tracemalloc.start()
    command = ["lift", str(log), "--harness", harness, "-o", str(out), "--max-line", "1"]
    assert main(command) == 1
    assert tracemalloc.get_traced_memory()[1] < size / 2
    tracemalloc.stop()
    assert "log.jsonl:1:1: error[LG102] the line has 24.0 MB, and 1.0 MB are read" in capsys.readouterr().err
    assert len(out.read_text("utf-8").splitlines()) == 1
    (kept,) = map(json.loads, Path(f"{out}.refused").read_text("utf-8").splitlines())
    assert kept["text"].encode() == log.read_bytes().split(b"\n")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lift", "none.jsonl", "--harness", "HARNESS"], "no file"),
        (["lift", "LOG", "--harness", "HARNESS", "--limit", "2"], "--limit"),
        (["lift", "LOG", "--harness", "HARNESS", "--max-line", "0"], "--max-line"),
        (["lift", "LOG", "--harness", "HARNESS", "-o", "LOG"], "is read"),
        (["lift", "LOG", "--harness", "HARNESS", "-o", "no/folder/x"], "no folder"),
        (["lift", "LOG", "--harness", "HARNESS", "--inputs", "none.json"], "no file"),
        (["lift", "EMPTY", "--harness", "HARNESS"], "no conversation"),
        (["lift", "LOG", "--harness", "none.harness"], "no file"),
    ],
)
def test_wrong_usage_ends_with_two_and_a_sentence(
    words: list[str], said: str, harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, empty = tmp_path / "log.jsonl", tmp_path / "empty.jsonl"
    log.write_bytes(line(row()))
    empty.write_bytes(b"\n")
    named = {"HARNESS": harness, "LOG": str(log), "EMPTY": str(empty)}
    assert main([named.get(word, word) for word in words]) == 2
    printed = capsys.readouterr().err
    assert said in printed and "Traceback" not in printed
    assert log.read_bytes() == line(row())
