"""Calls that others wrote are printed and read back in every syntax, and other readers read them the same."""

import ast
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

from harness_dsl.ir.core import CatalogContent, Core, Prompt, Section
from harness_dsl.ir.surface import CallSyntax, Surface
from harness_dsl.ir.transcript import Call
from harness_dsl.ir.values import check_arguments
from harness_dsl.ir.verify import verify_core
from harness_dsl.protocol.markers import MARKERS, occurrences
from harness_dsl.protocol.view import View
from tests.laws.test_real_tools import tool

SYNTAXES = get_args(CallSyntax)


def answered(corpora: Path, name: str) -> Iterator[tuple[Core, list[Call]]]:
    """Items of BFCL: the functions as a harness, and the first answer that counts as right."""
    questions = (corpora / "bfcl" / f"{name}.json").read_text("utf-8").splitlines()
    answers = (corpora / "bfcl" / "possible_answer" / f"{name}.json").read_text("utf-8").splitlines()
    for question, answer in zip(map(json.loads, questions), map(json.loads, answers), strict=True):
        tools = {item["name"]: tool(item) for item in question["function"]}
        prompt = Prompt(
            id="prompt/system",
            sections=(Section(id="prompt/system/section/tools", content=CatalogContent(of="tools")),),
        )
        ordered = tuple(sorted(tools.values(), key=lambda node: node.id))
        core = Core(name="bfcl", version="1.0.0", tools=ordered, prompt=prompt)
        yield core, [called for entry in answer["ground_truth"] for called in calls(core, entry)]


def calls(core: Core, entry: dict[str, dict[str, list[Any]]]) -> Iterator[Call]:
    """The calls of one answer whose arguments fit; an empty text stands for an argument left out."""
    for name, options in entry.items():
        given = {key: values[0] for key, values in sorted(options.items()) if values[0] != ""}
        node = next(one for one in core.tools if one.id == f"tool/{name}")
        if check_arguments(given, node, core) is None:
            yield Call(tool=node.id, arguments=given)


@pytest.mark.parametrize("name", ["BFCL_v4_parallel", "BFCL_v4_multiple", "BFCL_v4_simple_python"])
def test_real_calls_are_read_as_they_were_printed(corpora: Path, name: str) -> None:
    checked = 0
    for core, wanted in islice(answered(corpora, name), 40):
        assert verify_core(core) == []
        for syntax in SYNTAXES:
            view = View(core, Surface(call_syntax=syntax))
            bodies = view.calls.bodies(wanted) if wanted else []
            assert [event for body in bodies for event in view.calls.read(f"\n{body}\n")] == wanted
            assert not any(occurrences(body, MARKERS) for body in bodies)
            for body in bodies:
                other_readers_agree(syntax, body, wanted)
            checked += len(wanted)
    assert checked > 150


def other_readers_agree(syntax: CallSyntax, body: str, wanted: list[Call]) -> None:
    """The standard library reads the same, where it has a reader; in tests, and nowhere else."""
    said = [(call.tool.removeprefix("tool/"), call.arguments) for call in wanted]
    match syntax:
        case "pythonic":
            tree = ast.parse(body, mode="eval").body
            assert isinstance(tree, ast.List)
            found = [node for node in tree.elts if isinstance(node, ast.Call)]
            assert [(ast.unparse(node.func), keywords(node)) for node in found] == said
        case "fenced_json":
            entries = json.loads(body.removeprefix("```json\n").removesuffix("\n```"))
            assert [(entry["function"], entry["parameters"]) for entry in entries] == said
        case "verbose_xml" | "concise_xml":
            elements = ElementTree.fromstring(body).findall("function")
            assert [(one.get("name"), params(one)) for one in elements] == said
        case "hermes_json" | "llama_json":
            key = "arguments" if syntax == "hermes_json" else "parameters"
            entry = json.loads(body)
            assert (entry["name"], entry[key]) in said
        case "qwen_xml":
            assert body.startswith(tuple(f"<function={name}>\n" for name, _ in said))


def keywords(node: ast.Call) -> dict[str, Any]:
    assert not node.args
    return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords}


def params(element: ElementTree.Element) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for param in element.iter("param"):
        text = param.get("value", param.text or "")
        found[str(param.get("name"))] = text if param.get("type") == "string" else json.loads(text)
    return found
