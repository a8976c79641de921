"""The parser tables are those of the grammar."""

from pathlib import Path

import grammar
from grammar.generate import tables_source


def test_the_tables_are_up_to_date() -> None:
    tables = Path(grammar.__file__).parent / "tables.py"
    assert tables.read_text("utf-8") == tables_source(), "run `python -m grammar.generate`"
