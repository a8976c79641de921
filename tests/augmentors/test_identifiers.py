"""Which words of a prose stand as code, and the words inside identifiers."""

import pytest

from augmentors.identifiers import code_mentions, is_code_like, sanitised, words, written


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use `price` first.", {"price"}),
        ("Say the price first.", set()),
        ("call search() twice", {"search"}),
        ("先调用search(3)再说", {"search", "先调用search"}),
        ("请用`查价格`。", {"查价格"}),
        ("请用查价格。", set()),
        ("先用get_quote查", {"get_quote"}),
        ("getQuote or get-quote or q2", {"getQuote", "q2"}),
        ('{"link_id": 3}', {"link_id"}),
        ("3号链接多少钱", set()),
    ],
)
def test_code_mentions(text: str, found: set[str]) -> None:
    assert set(code_mentions(text)) == found


def test_words_do_not_depend_on_the_style() -> None:
    for style in ("snake", "camel", "kebab"):
        assert words(written(("get", "quote", "now"), style)) == ("get", "quote", "now")
    assert words("HTTPServer2") == ("http", "server", "2")


def test_an_ordinary_word_is_not_code_like() -> None:
    assert not any(map(is_code_like, ("price", "Price", "CNY", "link-id", "价格")))
    assert all(map(is_code_like, ("get_price", "getPrice", "q2")))


def test_sanitising_is_what_targets_do() -> None:
    assert sanitised("a.b c") == "a_b_c"
    assert len(sanitised("x" * 80)) == 64
