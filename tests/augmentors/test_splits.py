"""Splits tear no group, whatever the order of lines; what leaks from one set into another is named."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmentors.certificates import BadRow
from augmentors.codebook import codebook
from augmentors.compact import to_row
from augmentors.leakage import KINDS, Leak, leaks
from augmentors.lineage import Entry, entry, lineage_of
from augmentors.near_texts import SHORTEST, Near, grams, normal, overlap
from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from augmentors.samples import sample_talks
from augmentors.splits import ASIDE, DEV, EVAL, TRAIN, Groups, Shares
from augmentors.variants import draw
from harness_dsl.cli.main import main
from harness_dsl.ir.transcript import Transcript, User
from tests.strategies import small_shop

CORE, SURFACE = small_shop()


def line(
    number: int, lineage: dict[str, str] | None = None, *turns: str, families: Iterable[str] = ()
) -> Entry:
    return Entry(number, lineage or {}, frozenset(), frozenset(families), None, turns)


def parted(entries: Iterable[Entry], shares: Shares) -> dict[int, str]:
    lines = [*entries]
    groups = Groups(shares)
    for one in lines:
        groups.add(one)
    return {one.number: groups.part(one) for one in lines}


lineages = st.lists(
    st.dictionaries(st.sampled_from(["task", "product"]), st.sampled_from("abcdefghij"), max_size=2),
    max_size=30,
)


@given(lineages, st.integers(0, 3), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_no_group_is_torn_and_the_order_of_lines_does_not_matter(
    drawn: list[dict[str, str]], seed: int, rng: random.Random
) -> None:
    entries = [line(number, lineage) for number, lineage in enumerate(drawn)]
    shares = Shares(eval=0.4, dev=0.2, seed=seed)
    parts = parted(entries, shares)
    for one in entries:
        for other in entries:
            if set(one.lineage.items()) & set(other.lineage.items()):
                assert parts[one.number] == parts[other.number]
    assert parted(rng.sample(entries, len(entries)), shares) == parts


class Torn(Groups):
    """Broken: a line goes by its own smallest value, as if no other line tied it."""

    def add(self, entry: Entry) -> None:
        self._lines.update(self._values(entry)[:1])


def test_a_split_that_tears_groups_is_noticed() -> None:
    entries = [line(number, {"task": str(number // 2), "product": str(number % 7)}) for number in range(60)]
    shares = Shares(eval=0.5)
    torn = Torn(shares)
    parts = {one.number: torn.part(one) for one in entries}
    assert any(
        parts[one.number] != parts[other.number]
        for one in entries
        for other in entries
        if set(one.lineage.items()) & set(other.lineage.items())
    )
    assert len(set(parted(entries, shares).values())) == 1, "all are tied to each other"


def test_shares_are_kept_and_more_lines_move_none_that_are_tied_to_nothing_new() -> None:
    entries = [line(number, {"task": f"t{number}"}) for number in range(4000)]
    shares = Shares(eval=0.1, dev=0.05)
    parts = parted(entries, shares)
    count = {name: [*parts.values()].count(name) for name in (TRAIN, EVAL, DEV)}
    assert abs(count[EVAL] - 400) < 60 and abs(count[DEV] - 200) < 50
    assert parted(entries[:500], shares).items() <= parts.items()
    assert parted(entries, Shares(eval=0.1, dev=0.05, seed=1)) != parts


def test_kinds_that_are_not_named_tie_nothing() -> None:
    entries = [line(number, {"task": f"t{number}", "model": "m"}) for number in range(200)]
    assert len(set(parted(entries, Shares(eval=0.5)).values())) == 1
    assert set(parted(entries, Shares(eval=0.5, by=("task",))).values()) == {TRAIN, EVAL}


def test_a_family_that_is_held_out_is_not_trained_on() -> None:
    entries = [line(n, {"task": f"t{n}"}, families=["order"] if n % 2 else []) for n in range(100)]
    parts = parted(entries, Shares(eval=0.5, families=frozenset({"order"})))
    assert {parts[n] for n in range(1, 100, 2)} == {ASIDE, EVAL}
    assert {parts[n] for n in range(0, 100, 2)} == {TRAIN, EVAL}


TALK = next(sample_talks(CORE))
ROW = make(Recipe(CORE, SURFACE, Policy.of({"rename": {"pool": "held-out"}, "reorder": {}}), 0), 3).line


def test_lines_of_every_form_say_what_they_have_in_common() -> None:
    talk = entry(1, TALK.model_dump_json())
    assert talk.lineage == lineage_of(TALK) and talk.turns == ("Please do it.",)
    named = TALK.model_copy(update={"lineage": {"task": "t1"}})
    assert entry(1, named.model_dump_json()).lineage == {"task": "t1"}
    row = entry(2, ROW)
    assert row.pools == {"held-out"} and row.families == {"naming", "order"} and row.surface is not None
    original = draw(CORE, SURFACE, Policy.of({}), 0, 0).certificate
    assert entry(3, to_row(original, codebook(CORE, SURFACE))).surface is None
    plain = json.dumps({"messages": [{"role": "user", "content": "hello"}], "surface_digest": "x"})
    assert entry(4, plain).turns == ("hello",)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '"x"'])
def test_other_lines_are_refused(text: str) -> None:
    with pytest.raises(BadRow, match="line 7"):
        entry(7, text)


ASK = "Where is the blue rain jacket that I ordered last week?"
LEAKING: dict[str, tuple[Entry, Entry]] = {
    "lineage": (line(1, {"task": "t"}), line(2, {"task": "t"})),
    "text": (line(1, None, ASK), line(2, None, ASK.replace("blue", "Blue").replace("?", " !"))),
    "surface": (
        Entry(1, {}, frozenset(), frozenset(), "sha256:1", ()),
        Entry(2, {}, frozenset(), frozenset(), "sha256:1", ()),
    ),
    "pool": (
        Entry(1, {}, frozenset({"train"}), frozenset(), "a", ()),
        Entry(2, {}, frozenset({"train"}), frozenset(), "b", ()),
    ),
    "family": (line(1, families=["order"]), line(2)),
}


def found(train: Entry, evaluated: Entry) -> list[Leak]:
    return [
        *leaks(
            [line(0, {"task": "other"}, "something else entirely here"), train],
            [evaluated],
            families=frozenset({"order"}),
        )
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_leak_is_named_by_kind_and_lines(kind: str) -> None:
    train, evaluated = LEAKING[kind]
    (leak,) = found(train, evaluated)
    assert (leak.kind, leak.train, leak.eval) == (kind, 1, None if kind == "family" else 2)


def test_what_shares_nothing_does_not_leak() -> None:
    assert not found(
        line(1, {"task": "a"}, ASK), line(2, {"task": "b"}, "How long does delivery to Chengdu take?")
    )
    assert not found(line(1, None, "hello"), line(2, None, "Hello!")), "greetings are the same everywhere"


def near_duplicates(text: str, rng: random.Random) -> str:
    """`text` with one word changed."""
    words = text.split(" ")
    words[rng.randrange(len(words))] = "other"
    return " ".join(words)


def missed(made: Callable[[], Near]) -> int:
    """How many texts with four fifths in common are not found."""
    rng = random.Random(5)
    words = [
        f"{a}{b}" for a in ("ka", "ro", "mi", "tel", "sun", "vor") for b in ("na", "dis", "lom", "fe", "gu")
    ]
    texts = [" ".join(rng.choices(words, k=25)) for _ in range(100)]
    near = made()
    for number, text in enumerate(texts):
        near.add(text, number)
    count = 0
    for number, text in enumerate(texts):
        changed = near_duplicates(text, rng)
        if overlap(grams(normal(text)), grams(normal(changed))) < 0.8:
            continue
        result = near.like(changed, 0.8)
        count += result is None or result[0] != number
    return count


class Equal(Near):
    """Broken: finds equal texts alone."""

    def _near(self, plain: str):  # type: ignore[no-untyped-def]  # it gives nothing
        return iter(())


def test_texts_that_are_nearly_the_same_are_found_without_comparing_all() -> None:
    assert missed(Near) == 0
    assert missed(Equal) > 60


@given(st.text(max_size=40), st.text(max_size=40))
def test_overlap_is_a_share(one: str, other: str) -> None:
    a, b = grams(normal(one)), grams(normal(other))
    assert 0 <= overlap(a, b) <= 1 and overlap(a, a) == 1 and overlap(a, b) == overlap(b, a)


def test_chinese_is_compared_by_characters() -> None:
    near = Near()
    near.add("请问三号链接的蓝色雨衣还有货吗？什么时候能发货到成都", 3)
    result = near.like("请问三号链接的蓝色雨衣还有货吗，什么时候能发货到成都呢", 0.8)
    assert result is not None and result[0] == 3
    assert len(normal("还有货吗")) < SHORTEST


def talks(path: Path, count: int) -> str:
    lines = [
        Transcript(
            core_digest="sha256:0",
            events=(User(text=f"Tell me all about item number {n * 7919} please"),),
            lineage={"task": f"t{n // 2}"},
        ).model_dump_json()
        for n in range(count)
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_a_file_is_split_and_the_sets_share_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = talks(tmp_path / "talks.jsonl", 60), tmp_path / "sets"
    assert main(["split", path, "-o", str(out), "--eval", "0.3"]) == 0
    assert "in 30 groups" in capsys.readouterr().err
    train, evaluated = (out / f"{name}.jsonl" for name in ("train", "eval"))
    lines = train.read_text("utf-8").splitlines() + evaluated.read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(Path(path).read_text("utf-8").splitlines())
    assert sorted(one.name for one in out.iterdir()) == ["eval.jsonl", "train.jsonl"]
    check = ["leakage", str(train), str(evaluated), "--like", "1"]
    assert main(check) == 0
    assert "nothing leaks" in capsys.readouterr().err
    train.write_text(train.read_text("utf-8") + evaluated.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    assert main(check) == 1
    said = capsys.readouterr()
    assert (
        "eval.jsonl:1 and " in said.out and ": lineage: task `t" in said.out and ": text: 100% of" in said.out
    )
    assert main([*check, "--allow", "lineage", "text"]) == 0
    capsys.readouterr()
    assert main([*check, "--format", "json", "--allow", "text", "--all"]) == 1
    pairs = [json.loads(one) for one in capsys.readouterr().out.splitlines()]
    assert pairs and {one["kind"] for one in pairs} == {"lineage"}


def test_lines_of_no_form_and_empty_files_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, empty, good = tmp_path / "bad.jsonl", tmp_path / "empty.jsonl", talks(tmp_path / "good.jsonl", 3)
    bad.write_text("{}\n", "utf-8")
    empty.write_text("", "utf-8")
    for words, status, said in (
        (["split", str(bad), "-o", str(tmp_path / "o")], 1, "line 1"),
        (["split", str(empty), "-o", str(tmp_path / "o")], 2, "no line"),
        (["split", good, "-o", str(tmp_path / "o"), "--eval", "1"], 2, "--eval"),
        (["split", good, "-o", good], 2, "folder"),
        (["split", good, "-o", str(tmp_path / "o"), "--hold-out", "oder"], 2, "did you mean `order`"),
        (["leakage", str(bad), good], 1, "line 1"),
        (["leakage", good, str(empty)], 2, "no line"),
        (["leakage", good, good, "--like", "0"], 2, "--like"),
        (["leakage", good, good, "--hold-out", "none"], 2, "no family"),
    ):
        assert main(words) == status, words
        printed = capsys.readouterr()
        assert said in printed.err + printed.out and "Traceback" not in printed.err
