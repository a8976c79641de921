"""Where MCP servers, OpenAI and Anthropic requests and benchmarks write the parts of a tool."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness_dsl.exchange.found import Found, Refusal, ToolSource, pointer
from harness_dsl.exchange.json_files import Document, documents
from harness_dsl.exchange.reading_answers import Answers, Benchmark, read_case

_PARAMETERS = ("inputSchema", "input_schema", "parameters", "arguments")


def read_mcp(path: Path) -> Iterator[Found]:
    """`tools/list` answers, tool lists and single tools; `arguments` may be a flat list of them."""
    for document in documents(path):
        if isinstance(document, Refusal):
            yield document
            continue
        value, at = document.value, document.at
        if isinstance(value, dict) and isinstance(value.get("result"), dict):
            value, at = value["result"], f"{at}/result"
        for entry, place in _listed(value, at):
            yield _tool(document.file, entry, place, "outputSchema", mcp=True)


def read_openai(path: Path) -> Iterator[Found]:
    """`tools` of Chat Completions and of Responses, and the older `functions`."""
    for document in documents(path):
        if isinstance(document, Refusal):
            yield document
            continue
        for entry, place in _listed(document.value, document.at):
            if isinstance(entry, dict) and entry.get("type", "function") != "function":
                reason = f"`{entry['type']}` is a tool of the provider, not a function"
                yield Refusal(document.file, place, _name(entry), reason)
            elif isinstance(entry, dict) and isinstance(entry.get("function"), dict):
                yield _tool(document.file, entry["function"], f"{place}/function", "", drop=("strict",))
            else:
                yield _tool(document.file, entry, place, "", drop=("strict", "type"))


def read_anthropic(path: Path) -> Iterator[Found]:
    """`tools` of the Messages API."""
    for document in documents(path):
        if isinstance(document, Refusal):
            yield document
            continue
        for entry, place in _listed(document.value, document.at):
            if isinstance(entry, dict) and entry.get("type", "custom") != "custom":
                reason = f"`{entry['type']}` is a tool of the provider, not a function"
                yield Refusal(document.file, place, _name(entry), reason)
            else:
                yield _tool(document.file, entry, place, "", drop=("type",))


def read_bfcl(path: Path) -> Iterator[Found]:
    """Items of the Berkeley Function-Calling Leaderboard with their answers; lists of function documents."""
    return _items("bfcl", path)


def read_acebench(path: Path) -> Iterator[Found]:
    """Items of ACEBench with their answers; lists of function documents."""
    return _items("acebench", path)


def _items(kind: Benchmark, path: Path) -> Iterator[Found]:
    """`function` of an item holds its tools. What it asks comes after them."""
    answers = Answers(path)
    for document in documents(path):
        if isinstance(document, Refusal):
            yield document
            continue
        values = document.value if isinstance(document.value, list) else [document.value]
        for index, item in enumerate(values):
            at = f"{document.at}/{index}" if isinstance(document.value, list) else document.at
            tools = []
            for found in _item(document, item, at):
                yield found
                tools += [found] if isinstance(found, ToolSource) else []
            if isinstance(item, dict) and "function" in item:
                known = answers.of(document.file)
                case = read_case(kind, item, document.file, at, tools, known)
                yield from [] if case is None else [case]


def _item(document: Document, item: Any, at: str) -> Iterator[Found]:
    if not isinstance(item, dict) or not ("function" in item or "name" in item):
        if not isinstance(item, dict) or "ground_truth" not in item:
            yield Refusal(document.file, at, "", "it is neither an item with tools nor a tool")
        return
    functions = item.get("function", [item])
    group = str(item.get("id", "")) if "function" in item else ""
    listed = functions if isinstance(functions, list) else [functions]
    for index, entry in enumerate(listed):
        place = at if "function" not in item else f"{at}/function"
        place = f"{place}/{index}" if isinstance(functions, list) and "function" in item else place
        result = "response" if isinstance(entry, dict) and "response" in entry else "results"
        found = _tool(document.file, entry, place, result)
        if isinstance(found, ToolSource):
            found.group = group
        yield found


def _listed(value: Any, at: str) -> Iterator[tuple[Any, str]]:
    """The tools in a document, each with its pointer."""
    if isinstance(value, dict):
        for key in ("tools", "functions"):
            if isinstance(value.get(key), list):
                yield from ((entry, f"{at}/{key}/{index}") for index, entry in enumerate(value[key]))
                return
    if isinstance(value, list):
        yield from ((entry, f"{at}/{index}") for index, entry in enumerate(value))
    else:
        yield value, at


def _name(entry: dict[str, Any]) -> str:
    name = entry.get("name")
    return name if isinstance(name, str) else ""


def _tool(
    file: str, entry: Any, at: str, result: str, *, mcp: bool = False, drop: tuple[str, ...] = ()
) -> ToolSource | Refusal:
    if not isinstance(entry, dict):
        return Refusal(file, at, "", "it is no object with a name")
    keys = [key for key in _PARAMETERS if key in entry]
    if (
        not keys
        and not mcp
        and "function" not in drop
        and entry.keys() - {"name", "description", "type", "strict"}
    ):
        return Refusal(file, at, _name(entry), "it has neither `parameters` nor `arguments`")
    key = keys[0] if keys else "parameters"
    annotations = entry.get("annotations") if mcp else None
    source = ToolSource(
        file,
        at,
        entry.get("name"),
        entry.get("description"),
        entry.get(key),
        f"{at}/{key}",
        entry.get(result) if result else None,
        f"{at}/{result}",
        annotations if isinstance(annotations, dict) else {} if mcp else None,
    )
    if mcp and not source.description:
        titles = [each.get("title") for each in (entry, source.annotations or {})]
        source.title = next((title for title in titles if isinstance(title, str) and title.strip()), "")
    if isinstance(source.parameters, list):
        source.parameters = _flat(source.parameters, source)
    known = {"name", "description", key, result, *drop} | ({"annotations"} if mcp else set())
    if source.title:
        known |= {"title"} if entry.get("title") == source.title else set()
    for word in entry.keys() - known:
        source.losses.append((at + pointer(word), f"`{word}`"))
    source.losses.sort()
    return source


def _flat(arguments: list[Any], source: ToolSource) -> dict[str, Any]:
    """A flat list of arguments as an object schema. Nothing says which are required: all but those marked
    `optional` are.
    """
    properties: dict[str, Any] = {}
    required = []
    for index, argument in enumerate(arguments):
        name = argument.get("name") if isinstance(argument, dict) else None
        if not isinstance(name, str) or not name or name in properties:
            source.losses.append((f"{source.parameters_at}/{index}", "an argument without a name of its own"))
            continue
        properties[name] = argument
        if argument.get("optional") is not True:
            required.append(name)
    if required:
        what = "which arguments may be left out: the list does not say, so none may"
        source.losses.append((source.parameters_at, what))
    return {"type": "object", "properties": properties, "required": required}
