"""A key gives the same draws for ever, each alike likely; a seed keeps its rows, and names stay varied."""

import hashlib
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.banks import word_pool
from augmentors.chance import Stream, shorts
from augmentors.footprint import Footprint
from augmentors.identifiers import Style, written
from augmentors.index import index
from augmentors.namer import is_legal, name_key, parts_of_names
from augmentors.operators.rename import Rename, RenameParameters
from augmentors.policy import Policy
from augmentors.variants import draw
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.ir.ids import SemanticId, kind
from tests.strategies import cores, small_shop, surfaces


def drawn(rng: Random) -> tuple[object, ...]:
    """One draw of each sort."""
    return (
        rng.random(),
        rng.choice("abc"),
        rng.sample(range(9), 5),
        rng.randint(3, 7),
        rng.getrandbits(7),
        rng.getrandbits(77),
        rng.randbytes(5),
        [*shorts(rng, 3)],
    )


@given(st.binary(max_size=40))
def test_a_stream_begun_again_gives_the_same_draws(key: bytes) -> None:
    stream = Stream(key)
    first = drawn(stream)
    assert drawn(stream) != first
    assert drawn(stream.restart(key)) == first == drawn(Stream(key))


def test_draws_are_those_that_rows_were_drawn_with() -> None:
    """Another list means that every recorded seed gives other rows: then `DRAWS` is another number, too."""
    stream = Stream(b"7/3/rename")
    assert [stream.choice(range(1000)) for _ in range(6)] == PINNED_CHOICES
    assert [*shorts(stream, 4)] == PINNED_SHORTS


def alike_likely(draw_one: Callable[[Stream], int], count: int) -> None:
    """The law: each of `count` outcomes comes about equally often."""
    stream, times = Stream(b"often"), 400
    found = Counter(draw_one(stream) for _ in range(count * times))
    assert set(found) == set(range(count))
    assert all(abs(seen - times) < 6 * times**0.5 for seen in found.values())


ONE_OF_TEN: dict[str, Callable[[Stream], int]] = {
    "choice": lambda stream: int(stream.choice(range(10))),
    "randint": lambda stream: stream.randint(0, 9),
    "sample": lambda stream: stream.sample(range(10), 10)[7],
    "random": lambda stream: int(stream.random() * 10),
    "getrandbits": lambda stream: stream.getrandbits(60) % 10,
    "shorts": lambda stream: shorts(stream, 1)[0] % 10,
}


@pytest.mark.parametrize("how", ONE_OF_TEN)
def test_outcomes_are_alike_likely(how: str) -> None:
    alike_likely(ONE_OF_TEN[how], 10)


def test_draws_that_favour_some_are_caught() -> None:
    with pytest.raises(AssertionError):
        alike_likely(lambda stream: stream.getrandbits(4) % 10, 10)


def test_a_seed_gives_the_rows_that_it_always_gave() -> None:
    """Another digest means that every row of every recorded seed is another one now."""
    core, surface = small_shop()
    found = hashlib.sha256()
    for row in range(60):
        variant = draw(core, surface, Policy.default(), 7, row, Footprint.of(["tool/get_quote"]))
        found.update(variant.certificate.surface_digest.encode())
        if row % 10 == 0:
            assert variant.certificate.core == core_digest(variant.core)
            assert variant.certificate.surface_digest == surface_digest(variant.core, variant.surface)
    assert found.hexdigest() == PINNED_ROWS


def apart(operator: Rename, data: st.DataObject) -> None:
    """The law: no two symbols get names that could be taken for each other where a board deals them."""
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    known = index(core)
    for key in range(3):
        after = operator.apply(core, surface, Stream(b"%d" % key))
        keys = [
            name_key(name)
            for id_, name in after.names.items()
            if name != surface.names.get(id_) and id_ in known.described
        ]
        assert len(set(keys)) == len(keys)
        assert known.taken.isdisjoint(keys)


@given(st.data())
def test_names_of_generated_harnesses_are_apart(data: st.DataObject) -> None:
    apart(Rename(), data)


@given(st.data())
def test_names_are_apart_where_there_are_fewer_words_than_symbols(data: st.DataObject) -> None:
    words = word_pool("train")
    one = {key: getattr(words, key)[:1] for key in type(words).model_fields}
    apart(Rename(RenameParameters(words=type(words).model_validate(one))), data)


def test_names_vary_as_much_as_names_drawn_at_random() -> None:
    """Per symbol, boards give at least nine tenths of the names that independent draws would have given."""
    core, surface = small_shop()
    operator = Rename(RenameParameters(declared=0.0, related=0.0, pinyin=0.0, longer=0.3))
    dealt: dict[SemanticId, set[str]] = {}
    for row in range(ROWS):
        for id_, name in operator.apply(core, surface, Stream(b"%d" % row)).names.items():
            dealt.setdefault(id_, set()).add(name)
    known, random = index(core), {}
    for role in ("tool", "skill", "param"):
        random[role] = variety_of_random_names(role, known.taken)
    named = [id_ for id_ in dealt if id_ in known.described and kind(id_) in random]
    assert len(named) > 5
    for id_ in named:
        assert len(dealt[id_]) >= 0.9 * random[kind(id_)], id_


ROWS = 600


def variety_of_random_names(role: str, taken: frozenset[str]) -> int:
    """How many names as many independent draws give, words and style at random."""
    rng, words, found = Random(0), word_pool("train"), set()
    pools = [[*parts_of_names(role, words, length, words.nouns)] for length in ("short", "long")]
    styles: tuple[Style, ...] = ("snake", "camel", "kebab")
    for _ in range(ROWS):
        pool = pools[1] if pools[1] and rng.random() < 0.3 else pools[0]
        style = rng.choice(styles)
        found.add(written(rng.choice(pool), "snake" if role == "param" and style == "kebab" else style))
    return sum(is_legal(role, name) and name_key(name) not in taken for name in found)


PINNED_CHOICES = [159, 631, 687, 303, 971, 733]
PINNED_SHORTS = [57489, 25792, 26421, 56857]
PINNED_ROWS = "02352c9949b1cc708598ba172893bb3ba3c144d4c83e12067872b1f7b54a3d4f"
