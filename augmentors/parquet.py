"""Datasets as Parquet files, a row group at a time: what readers of columns want to see stands in columns.

A row file has the row itself, as its JSON line, in the column `line`; nothing else is needed to read it back.
A file of conversations has `messages` as lists of objects, as trainers that read messages take them. Whatever
else is in a Parquet file is read as one JSON object a row, without what is null.

pyarrow is imported here alone, and when it is needed.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from augmentors.lineage import entry

SUFFIX = ".parquet"
_MAGIC = b"PAR1"
_GROUP = 512
_LINE = "line"


def is_parquet(path: Path) -> bool:
    """Whether the file at `path` begins as a Parquet file does. Raises `OSError`."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def lines(path: Path) -> Iterator[str]:
    """The rows of a Parquet file as JSON lines. Raises `OSError` for one that cannot be read, and
    `ModuleNotFoundError` without pyarrow.
    """
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_GROUP, columns=_columns(file)):
                yield from _as_lines(batch.to_pylist())
    except pyarrow.ArrowException as error:
        raise _unreadable(path, error) from None


class Groups:
    """The rows of a Parquet file by their place; one row group is kept. Raises as `lines` does."""

    def __init__(self, path: Path) -> None:
        import pyarrow
        import pyarrow.parquet

        self._path = path
        try:
            self._file = pyarrow.parquet.ParquetFile(path)
        except pyarrow.ArrowException as error:
            raise _unreadable(path, error) from None
        about = self._file.metadata
        sizes = [about.row_group(at).num_rows for at in range(about.num_row_groups)]
        self._ends = [*accumulate(sizes)]
        self._group, self._lines = -1, [""]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, at: int) -> str:
        import pyarrow

        group = bisect_right(self._ends, at)
        if group != self._group:
            try:
                table = self._file.read_row_group(group, columns=_columns(self._file))
            except pyarrow.ArrowException as error:
                raise _unreadable(self._path, error) from None
            self._group, self._lines = group, [*_as_lines(table.to_pylist())]
        return self._lines[at - (self._ends[group - 1] if group else 0)]


def _columns(file: Any) -> list[str] | None:
    """The columns to read; None: all."""
    return [_LINE] if _LINE in file.schema_arrow.names else None


def _as_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield row[_LINE] if [*row] == [_LINE] else json.dumps(_without_null(row), ensure_ascii=False)


def _unreadable(path: Path, error: Exception) -> OSError:
    return OSError(0, f"no Parquet file that can be read: {str(error).splitlines()[0]}", str(path))


def write(source: Iterable[str], target: Path) -> None:
    """Writes JSON lines of rows or conversations, all of one form, as a Parquet file. Memory does not grow
    with their number. Raises `OSError`, and `ModuleNotFoundError` without pyarrow.
    """
    import pyarrow
    import pyarrow.parquet

    numbered = enumerate(source, 1)
    group = [*islice(numbered, _GROUP)]
    is_messages = bool(group) and '"messages":' in group[0][1] and not _is_row(group[0][1])
    schema = _messages_schema() if is_messages else _rows_schema()
    columns = _message_columns if is_messages else _row_columns
    with pyarrow.parquet.ParquetWriter(target, schema, compression="zstd") as file:
        while group:
            rows = [columns(number, line) for number, line in group]
            file.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
            group = [*islice(numbered, _GROUP)]


def _is_row(line: str) -> bool:
    """Whether a line is a certified row, which may have messages beside its certificate."""
    data = json.loads(line)
    return "v" in data or "schema_version" in data


def _row_columns(number: int, line: str) -> dict[str, Any]:
    data, told = json.loads(line), entry(number, line)
    return {
        "seed": data.get("seed"),
        "row": data.get("row"),
        "level": data.get("level"),
        "operators": _operators(data),
        "families": sorted(told.families),
        "pools": sorted(told.pools),
        "lineage": [*told.lineage.items()],
        _LINE: line.rstrip("\n"),
    }


def _message_columns(number: int, line: str) -> dict[str, Any]:
    data = json.loads(line)
    return {
        **{key: data.get(key) for key in ("seed", "row", "core_digest", "surface_digest", "messages")},
        "operators": data.get("operators", []),
        "pools": data.get("pools", []),
        "lineage": [*entry(number, line).lineage.items()],
    }


def _operators(data: dict[str, Any]) -> list[str]:
    if isinstance(data.get("ops"), str):
        return [said.partition(":")[0] for said in data["ops"].split()]
    return [one["operator"] for one in data.get("operators", ())]


def _without_null(value: Any) -> Any:
    """`value` as JSON data: a column that only some rows have is null in others, and maps come as pairs."""
    if isinstance(value, dict):
        found = {key: _without_null(inner) for key, inner in value.items() if inner is not None}
        if isinstance(value.get("lineage"), list):
            found["lineage"] = dict(value["lineage"])
        return found
    if isinstance(value, list):
        return [_without_null(inner) for inner in value]
    return value


def _rows_schema() -> Any:
    import pyarrow

    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    return pyarrow.schema(
        [
            ("seed", pyarrow.int64()),
            ("row", pyarrow.int64()),
            ("level", text),
            ("operators", texts),
            ("families", texts),
            ("pools", texts),
            ("lineage", pyarrow.map_(text, text)),
            (_LINE, text),
        ]
    )


def _messages_schema() -> Any:
    import pyarrow

    text = pyarrow.string()
    function = pyarrow.struct([("name", text), ("arguments", text)])
    call = pyarrow.struct([("id", text), ("type", text), ("function", function)])
    message = [("role", text), ("content", text), ("reasoning_content", text)]
    message += [("tool_calls", pyarrow.list_(call)), ("tool_call_id", text)]
    return pyarrow.schema(
        [
            ("seed", pyarrow.int64()),
            ("row", pyarrow.int64()),
            ("core_digest", text),
            ("surface_digest", text),
            ("operators", pyarrow.list_(text)),
            ("pools", pyarrow.list_(text)),
            ("lineage", pyarrow.map_(text, text)),
            ("messages", pyarrow.list_(pyarrow.struct(message))),
        ]
    )
