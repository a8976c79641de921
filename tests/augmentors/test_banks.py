"""The shipped words, distractors and lexicon are what their README says."""

import json
import re
from importlib.resources import files

import pytest

from augmentors.banks import distractors, means_the_same, synonyms_of, topic_of, word_pool
from augmentors.identifiers import TOOL_NAME
from augmentors.similarity import features, similarity


def all_words(pool: str) -> set[str]:
    """Every single word that names of `pool` may be made of."""
    data = json.loads((files("augmentors") / "data" / "names.json").read_text("utf-8"))
    lists = [
        *data[pool].values(),
        *(entry[pool] for table in ("topics", "synonyms") for entry in data[table]),
    ]
    return {part for entries in lists for word in entries for part in re.split(r"[_-]", word)}


def test_training_and_held_out_names_share_no_word() -> None:
    assert all_words("train").isdisjoint(all_words("held-out"))


def test_a_word_belongs_to_one_cluster() -> None:
    data = json.loads((files("augmentors") / "data" / "names.json").read_text("utf-8"))
    for entries in (data["topics"], data["synonyms"]):
        owners: dict[str, int] = {}
        for number, entry in enumerate(entries):
            for word in {*entry["seeds"], *entry["train"], *entry["held-out"]}:
                assert owners.setdefault(word, number) == number, word


def test_every_cluster_can_be_drawn_from_for_training_and_for_evaluation() -> None:
    for table in (topic_of(), synonyms_of()):
        assert all(cluster.train and cluster.held_out for cluster in table.values())


def test_pools_are_large_enough_for_a_harness_of_thirty_tools() -> None:
    for pool in ("train", "held-out"):
        known = word_pool(pool)
        assert len(known.verbs) * len(known.nouns) >= 60
        assert len(known.params) * len(known.param_tails) >= 60


def test_distractors_are_legal_tools_of_known_origin_and_split() -> None:
    bank = distractors()
    assert len(bank) >= 120
    assert len({entry.tool.name for entry in bank}) == len(bank)
    for entry in bank:
        assert TOOL_NAME.fullmatch(entry.tool.name)
        assert entry.tool.parameters["type"] == "object"
        assert entry.tool.failure and entry.tool.origin and entry.tool.description
    assert {entry.pool for entry in bank} == {"train", "held-out"}
    assert sum(bool(re.search("[一-鿿]", entry.tool.description)) for entry in bank) >= 20


def test_schemas_of_distractors_use_json_schema_types_only() -> None:
    legal = {"string", "integer", "number", "boolean", "array", "object", "null"}

    def types(schema: object) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(types, schema)) if schema else set()
        if not isinstance(schema, dict):
            return set()
        own = {schema["type"]} if isinstance(schema.get("type"), str) else set()
        return own.union(*(types(value) for value in schema.values()))

    assert set().union(*(types(entry.tool.parameters) for entry in distractors())) <= legal


def test_words_mean_the_same_word_by_word() -> None:
    assert means_the_same("item_num", "product_number")
    assert means_the_same("getQuote", "get_quote")
    assert not means_the_same("price", "quantity")
    assert not means_the_same("item", "item_id")
    assert not means_the_same("", "x")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            ("get_weather", "查询一个城市今天的天气"),
            ("get_current_weather", "Current temperature of a city."),
        ),
        (("get_quote", "查一个链接的价格"), ("price_of", "The price of one product.")),
        (("a", "Cancel an order of the shop."), ("b", "Cancels one order in the shop")),
        (("a", "查询商品的库存"), ("b", "查商品库存还有多少")),
    ],
)
def test_descriptions_of_one_job_are_close(left: tuple[str, str], right: tuple[str, str]) -> None:
    assert similarity(features(*left), features(*right)) >= 0.45


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("get_quote", "查一个链接的价格"), ("unstar_repository", "Unstar a GitHub repository")),
        (("delivery_days", "How many days a delivery takes."), ("mkdir", "Create a new directory.")),
        (("get_quote", "查一个链接的价格"), ("x", "监测个人健康数据")),
    ],
)
def test_descriptions_of_different_jobs_are_far(left: tuple[str, str], right: tuple[str, str]) -> None:
    assert similarity(features(*left), features(*right)) < 0.2
