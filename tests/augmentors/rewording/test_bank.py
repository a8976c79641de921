"""A bank as people write it: read at its places, edited without touching another byte."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from augmentors.rewording.bank import STATES, Bank, key_of
from augmentors.rewording.editing import Editor, New, fresh
from augmentors.rewording.prose import NotProse, read, spell
from augmentors.rewording.reading import load_bank, read_bank
from augmentors.rewording.review import review
from harness_dsl.ir.core import Core, Moved
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.walk import texts
from tests.augmentors.rewording.writable import writable
from tests.strategies import cores, small_shop

CORE, _ = small_shop()
QUOTE = "tool/get_quote/description"

BLOCK = """\
# made by hand
bank: 1   # the format
texts:
  tool/get_quote/description:   # the price tool
    canonical: |
      Look up the price,
      as it is now.
    # two people looked at these
    wordings:
    - text: "Find the price"   # short
      state:   accepted
      by: 'Ann'

    - state: rejected
      text: >-
        Say the
        price
      reason: "it says, not looks up"  # really

  # the end of the file
"""
FLOW = (
    '{"bank": 1, "texts": {"a/b": {"canonical": "x y", "wordings": [{"text": "y x", "state": "proposed"}]}}}'
)
BARE = "bank: 1\ntexts:\n  a/b:\n    canonical: x\n  c/d:\n      canonical: 'it''s'\n      wordings:\n"


def test_a_bank_is_read_with_its_places() -> None:
    bank = read_bank(BLOCK, "a.yaml")
    assert bank.faults == []
    entry = bank.entries[QUOTE]
    assert entry.canonical == "Look up the price,\nas it is now.\n"
    first, second = entry.wordings
    assert (first.text, first.state, first.by) == ("Find the price", "accepted", "Ann")
    assert (second.text, second.state, second.reason) == (
        "Say the price",
        "rejected",
        "it says, not looks up",
    )
    assert BLOCK[first.at.start : first.at.end] == "Find the price"
    assert BLOCK[slice(*first.place(5, 8)[1:])] == "the" and not second.plain


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("", "the file is empty", ""),
        ("bank: [1", "expected ',' or ']'", None),
        ("texts: {}", "this is no bank of format 1", None),
        ("bank: 2\ntexts: {}", "this is no bank of format 1", "2"),
        ("- a", "a bank must be a mapping", None),
        ("bank: 1\ntextes: {}", "a bank has no key `textes`", "textes"),
        ("bank: 1\ntexts: []", "`texts` must be a mapping", None),
        ("bank: 1\ntexts:\n  a:\n    wordings: []", "`canonical` is missing", "a"),
        ("bank: 1\ntexts:\n  a: {canonical: [x]}", "`canonical` must be a text", None),
        ("bank: 1\ntexts:\n  a: {canonical: x, wordings: y}", "`wordings` must be a list", "y"),
        ("bank: 1\ntexts:\n  a: {canonical: x, wordings: [y]}", "a wording must be a mapping", "y"),
        ("bank: 1\ntexts:\n  a: {canonical: x, wordings: [{text: y}]}", "a wording without `state`", None),
        (
            "bank: 1\ntexts:\n  a: {canonical: x, wordings: [{text: y, state: acepted}]}",
            "there is no state `acepted`",
            "acepted",
        ),
        (
            "bank: 1\ntexts:\n  a: {canonical: x, wordings: [{text: y, state: accepted, allow: {HD9: z}}]}",
            "there is no code `HD9`",
            "HD9",
        ),
        ('bank: 1\ntexts:\n  a: {canonical: "\\ud800"}', "`canonical` has half a character", None),
        ("bank: 1\ntexts:\n  a: {canonical: x}\n  a: {canonical: x}", "`a` stands twice", "a"),
        ("bank: 1\ntexts:\n  a: &a {canonical: x}\n  b: *a", "an alias stands for another place", None),
        ("bank: 1\n---\nbank: 1\n", "but found another document", None),
        ("bank: 1\ntexts:\n\ta: 1", "found character '\\t' that cannot start any token", "\t"),
    ],
)
def test_what_is_no_bank_is_a_finding_at_its_place(text: str, message: str, at: str | None) -> None:
    fault = read_bank(text, "a.yaml").faults[0]
    assert fault.code == "HD720" and message in fault.message
    if at is not None:
        assert text[fault.span.start : fault.span.end] == at


def test_bytes_that_are_no_text_are_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("bank: 1 # 价".encode("gbk"))
    assert "UTF-8" in load_bank(path).faults[0].message


NEW = [New("Tell it: a price, # now", "proposed", "rules a"), New('Say "it"', "rejected", "x: y", "en", "no")]


def edited(source: str, change: Callable[[Editor, Bank], None]) -> str:
    bank = read_bank(source, "a.yaml")
    editor = Editor(bank)
    change(editor, bank)
    return editor.result()


def lines_kept(before: str, after: str) -> bool:
    """The law: every line is there still, in its order, but for those with a state or a reason in them."""
    left = iter(after.splitlines())
    marked = ("state:", "reason:", "canonical:", "wordings:")
    same = [line for line in before.splitlines() if line.strip() and not any(mark in line for mark in marked)]
    return all(line in left for line in same)


def everything(editor: Editor, bank: Bank) -> None:
    entry = bank.entries[QUOTE]
    editor.set_state(entry.wordings[0], "rejected", "too short")
    editor.set_state(entry.wordings[1], "accepted")
    editor.add(entry, NEW)
    editor.add_entry("tool/x/description", "A {{ tool.x }}.\nTwo.", NEW)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_edits_touch_nothing_else(ends: str) -> None:
    source = BLOCK.replace("\n", ends)
    after = edited(source, everything)
    assert lines_kept(source, after) and after.count("\r") == (after.count("\n") if ends == "\r\n" else 0)
    assert "# the end of the file" in after and "# really" not in after
    bank = read_bank(after, "a.yaml")
    assert bank.faults == []
    entry = bank.entries[QUOTE]
    assert [one.state for one in entry.wordings] == ["rejected", "accepted", "proposed", "rejected"]
    assert [one.reason for one in entry.wordings] == ["too short", "", "", "no"]
    assert [one.text for one in entry.wordings[2:]] == [one.text for one in NEW]
    assert bank.entries["tool/x/description"].canonical == "A {{ tool.x }}.\nTwo."


def test_the_canonical_text_is_replaced_however_it_is_written() -> None:
    after = edited(BLOCK, lambda editor, bank: editor.set_canonical(bank.entries[QUOTE], "Look: now."))
    assert read_bank(after, "a.yaml").entries[QUOTE].canonical == "Look: now."
    lost = {"Look up the price,", "as it is now.", "canonical: |"}
    assert {line.strip() for line in BLOCK.splitlines()} - {
        line.strip() for line in after.splitlines()
    } == lost


def test_a_round_trip_through_a_yaml_library_would_not_keep_the_file() -> None:
    """The broken twin."""

    def dumped(source: str) -> str:
        yaml, out = YAML(), io.StringIO()
        data = yaml.load(source)
        data["texts"][QUOTE]["wordings"][1]["state"] = "accepted"
        yaml.dump(data, out)
        return out.getvalue()

    assert not lines_kept(BLOCK, dumped(BLOCK))


def test_other_ways_to_write_a_bank_are_edited_too() -> None:
    def flow(editor: Editor, bank: Bank) -> None:
        entry = bank.entries["a/b"]
        editor.add(entry, NEW)
        editor.set_state(entry.wordings[0], "rejected", "no: why")

    read_back = read_bank(edited(FLOW, flow), "a.yaml")
    assert read_back.faults == []
    assert [one.reason for one in read_back.entries["a/b"].wordings] == ["no: why", "", "no"]

    def bare(editor: Editor, bank: Bank) -> None:
        for entry in bank.entries.values():
            editor.add(entry, NEW)
        editor.add_entry("e/f", "z", NEW)

    read_back = read_bank(edited(BARE, bare), "a.yaml")
    assert read_back.faults == []
    assert {id_: len(entry.wordings) for id_, entry in read_back.entries.items()} == {
        "a/b": 2,
        "c/d": 2,
        "e/f": 2,
    }

    for empty in (
        fresh("a new one"),
        "bank: 1\n",
        "bank: 1",
        "bank: 1\ntexts: {}\n",
        "texts: {}  # none\nbank: 1\n",
    ):
        read_back = read_bank(edited(empty, lambda editor, _: editor.add_entry("e/f", "z", NEW)), "a.yaml")
        assert read_back.faults == [] and len(read_back.entries["e/f"].wordings) == 2, empty


WRITTEN = st.text(min_size=1, max_size=30).filter(str.strip)


@given(st.lists(st.tuples(WRITTEN, st.sampled_from(STATES), WRITTEN), max_size=3), WRITTEN)
@settings(max_examples=20)
def test_any_text_comes_back_as_it_was_written(some: list[tuple[str, str, str]], canonical: str) -> None:
    new = [New(text, state, by, None, by if state == "rejected" else "") for text, state, by in some]
    source = edited(BLOCK, lambda editor, _: editor.add_entry("a/b", canonical, new))
    bank = read_bank(source.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass"), "a.yaml")
    assert bank.faults == []
    entry = bank.entries["a/b"]
    assert entry.canonical == canonical
    assert [(one.text, one.state, one.by) for one in entry.wordings] == [(n.text, n.state, n.by) for n in new]


@given(cores())
@settings(max_examples=10)
def test_texts_are_written_and_read_back(core: Core) -> None:
    for text in filter(writable, texts(core)):
        for wording in (text.canonical, *text.alternatives):
            assert read(spell(wording), core, text.canonical) == wording


def test_references_follow_moved_symbols() -> None:
    moved = CORE.model_copy(update={"moved": (Moved(old="tool/ask_price", new="tool/get_quote"),)})
    like = (Literally(text="Use "), Reference(target="tool/get_quote"))
    assert read("Use {{ tool.ask_price }}", moved, like) == like
    with pytest.raises(NotProse) as error:
        read("Use {{ tool.ask_price }}", CORE, like)
    (misprint,) = error.value.misprints
    assert (misprint.code, misprint.start, misprint.end) == ("HD405", 7, 21)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Use {{ tool.get_quote", "HD401"),
        ("Use {{ }}", "HD402"),
        ("{% if room %}x{% endif %}", "HD410"),
        ("{% endif %}", "HD404"),
        ("{{ results(1) }}", "HD410"),
        ("{{ argument }}", "HD410"),
        ("{{ limits }}", "HD405"),
        ("{{ tool.get_quote.none }}", "HD405"),
    ],
)
def test_what_is_no_template_is_a_finding(written: str, code: str) -> None:
    with pytest.raises(NotProse) as error:
        read(written, CORE, (Reference(target="tool/get_quote"),))
    assert code in [one.code for one in error.value.misprints]


def bank_for(text: Text, wordings: str, canonical: str | None = None) -> Bank:
    shown = (canonical or spell(text.canonical)).replace("'", "''")
    return read_bank(
        f"bank: 1\ntexts:\n  {text.id}:\n    canonical: '{shown}'\n    wordings:\n{wordings}", "a.yaml"
    )


def accepted(text: str, more: str = "") -> str:
    return f"      - {{text: '{text}', state: accepted{more}}}\n"


def found(bank: Bank, core: Core = CORE) -> list[str]:
    return [one.code for one in review(bank, core).faults(frozenset(("accepted",)))]


def text_of(id_: str) -> Text:
    return next(text for text in texts(CORE) if text.id == id_)


def test_a_bank_is_held_against_its_harness() -> None:
    text = text_of(QUOTE)
    words = spell(text.canonical)
    assert found(bank_for(text, accepted(f"Please: {words}"))) == []
    assert found(bank_for(text, accepted("Say {{ tool.get_quote }}."))) == ["HD410"]
    assert found(bank_for(text, accepted("Never " + words))) == ["HD724"]
    assert found(bank_for(text, accepted("Never " + words, ", allow: {HD724: 'meant'}"))) == []
    assert found(bank_for(text, accepted(words))) == ["HD728"]
    assert found(bank_for(text, accepted(f"Please: {words}"), "Something else")) == ["HD721"]
    assert found(bank_for(text.model_copy(update={"id": "tool/x/description"}), "")) == ["HD722"]
    rejected = accepted("Never " + words).replace("accepted", "rejected")
    assert found(bank_for(text, rejected)) == []


def test_a_lost_reference_cannot_be_allowed() -> None:
    text = next(text for text in texts(CORE) if "{{ tool." in spell(text.canonical))
    wording = accepted("Nothing of it", ", allow: {HD410: 'meant', HD726: 'meant', HD727: 'x'}")
    assert "HD410" in found(bank_for(text, wording))


def test_wordings_of_a_moved_text_are_found() -> None:
    text = text_of(QUOTE)
    moved = CORE.model_copy(update={"moved": (Moved(old="tool/ask_price", new="tool/get_quote"),)})
    bank = bank_for(text, accepted(f"Please: {spell(text.canonical)}"))
    old = read_bank(bank.source.replace("tool/get_quote/", "tool/ask_price/"), "a.yaml")
    assert found(old) == ["HD722"] and found(old, moved) == []
    assert [*review(old, moved).usable(frozenset(("accepted",)))] == [QUOTE]
    both = read_bank(old.source + bank.source[bank.source.index("  tool/") :], "a.yaml")
    assert found(both, moved) == ["HD720"]


def test_keys_stay_when_others_come() -> None:
    assert key_of("a", "b") == key_of("a", "b") != key_of("a", "c")
    assert len(key_of("a", "b")) == 8


COMMENT = st.sampled_from(["", "  # looked at by two people", " #x"])


@st.composite
def layouts(draw: st.DrawFn) -> str:
    """A bank as hands write it: widths, quotes, comments, blank lines and block texts as they please."""
    wide, step = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    dashed = draw(st.booleans())
    lines = [f"bank: 1{draw(COMMENT)}", f"texts:{draw(COMMENT)}"]
    for number in range(draw(st.integers(1, 3))):
        key, inner = " " * wide, " " * (wide + step)
        lines += [
            f"{key}a/{number}:{draw(COMMENT)}",
            *draw(canonicals(inner)),
            f"{inner}wordings:{draw(COMMENT)}",
        ]
        dash = inner + (" " * draw(st.integers(1, 3)) if dashed else "")
        for at in range(draw(st.integers(1, 3))):
            lines += draw(items(dash, f"{number}/{at}"))
        lines += draw(st.sampled_from([[], [""], [f"{key}# about the next"], ["", "# at the margin", ""]]))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))


@st.composite
def canonicals(draw: st.DrawFn, pad: str) -> list[str]:
    shown = draw(st.sampled_from(["canonical: plain words", "canonical: 'it''s'", "block"]))
    if shown == "block":
        return [
            f"{pad}canonical: |{draw(st.sampled_from(['', '-', '+']))}",
            f"{pad}  two lines",
            f"{pad}  of it",
        ]
    return [f"{pad}{shown}{draw(COMMENT)}"]


@st.composite
def items(draw: st.DrawFn, dash: str, name: str) -> list[str]:
    pad = dash + "  "
    if draw(st.booleans()):
        return [f"{dash}- {{text: t{name}, state: {draw(st.sampled_from(STATES))}, by: x}}{draw(COMMENT)}"]
    rest = [f"{pad}state:   {draw(st.sampled_from(STATES))}{draw(COMMENT)}"]
    if draw(st.booleans()):
        rest.append(f'{pad}reason: "because, it: is"{draw(COMMENT)}')
    if draw(st.booleans()):
        rest += [f"{pad}allow:", f"{pad}  HD724: meant{draw(COMMENT)}"]
    if draw(st.booleans()):
        rest.append(f"{pad}by: someone")
    texts = [f"text: t{name}"], ["text: >-", f"{pad}  t{name}"]
    head, *more = draw(st.sampled_from(texts))
    return [
        f"{dash}- {head}",
        *more,
        *draw(st.permutations(rest) if all("  HD" not in r for r in rest) else st.just(rest)),
    ]


@given(layouts(), st.data())
@settings(max_examples=25)
def test_any_layout_is_edited_in_place(source: str, data: st.DataObject) -> None:
    bank = read_bank(source, "a.yaml")
    assert bank.faults == []
    editor, expected = Editor(bank), {}
    for id_, entry in bank.entries.items():
        rows = [[one.text, one.state, one.reason] for one in entry.wordings]
        for row, wording in zip(rows, entry.wordings, strict=True):
            if data.draw(st.booleans()):
                row[1], row[2] = data.draw(st.sampled_from([("accepted", ""), ("rejected", "no: it, is")]))
                editor.set_state(wording, row[1], row[2])
        if data.draw(st.booleans()):
            editor.add(entry, NEW)
            rows += [[one.text, one.state, one.reason] for one in NEW]
        expected[id_] = rows
    if data.draw(st.booleans()):
        editor.add_entry("z/z", "Z", NEW)
        expected["z/z"] = [[one.text, one.state, one.reason] for one in NEW]
    after = editor.result()
    again = read_bank(after, "a.yaml")
    assert again.faults == [], after
    found = {id_: [[w.text, w.state, w.reason] for w in one.wordings] for id_, one in again.entries.items()}
    assert found == expected
    assert lines_kept(source, after) and after.count("#") >= source.count("#") - source.count("reason")
