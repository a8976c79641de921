"""The parser tables, and the page that a reader sees, are those of the grammar."""

import os
import re
from pathlib import Path

import pytest

import grammar
from grammar.ebnf import grammar_page
from grammar.generate import tables_source

PAGE = Path(__file__).resolve().parents[2] / "docs" / "grammar.md"


def test_the_tables_are_up_to_date() -> None:
    tables = Path(grammar.__file__).parent / "tables.py"
    assert tables.read_text("utf-8") == tables_source(), "run `python -m grammar.generate`"


@pytest.mark.golden
def test_the_page_is_up_to_date() -> None:
    if os.environ.get("UPDATE_GOLDEN") == "1":
        PAGE.write_text(grammar_page(), "utf-8")
    assert PAGE.read_text("utf-8") == grammar_page(), "run `make update-golden`"


def test_every_name_on_the_page_is_a_rule_or_a_token() -> None:
    page = grammar_page()
    rules = set(re.findall(r"^([a-z_]+) ::=", page, re.MULTILINE))
    tokens = set(re.findall(r"^\| ([A-Z]+) \|", page, re.MULTILINE))
    block = page.split("```ebnf\n")[1].split("```")[0]
    used = set(re.findall(r"[A-Za-z_]+", re.sub(r'"[^"]*"', "", block)))
    assert used == rules | tokens
