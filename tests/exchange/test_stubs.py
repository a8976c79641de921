"""Python stubs: typed functions that a strict type checker takes, with the names implementations have."""

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from mypy import api

from harness_dsl.exchange.exporting import Export, export
from harness_dsl.exchange.stub_module import function_names
from harness_dsl.exchange.stub_types import python_name
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import leaf
from harness_dsl.ir.surface import Surface
from harness_dsl.syntax.compile import compile_file, compile_text
from runtime.signatures import read_signature
from tests.strategies import cores, surfaces
from tests.strategies.surfaces import default_surface

SHOP = Path(__file__).parents[2] / "examples" / "live_shop" / "shop.harness"
ODD = '''
type str {
  class: string
  __x: int(min: 1)
  note?: string? "May be \\"quoted\\"."
}

type Tree { leaves: Tree[] }

type Empty = str[]

input room: Tree "The room."
input from: string

tool import(from: int = 3, room: "a" | "b", tags: string[] = ["x"], cup?: string, more?: any) -> str {
  """Ends with a "quote" """
}

tool list named "shown" (名: date, ﬁ: decimal = 2.5) -> list {
  """
  Two lines: C:\\temp
  and a {{ tool.import.cup }}.
  """
  impl python "shop.tools:quote"
  fails gone
  timeout 5ms
}

type list = str?
'''


def stubs(text: str) -> Export:
    prompt = "prompt system {\n  section tools catalog tools\n}"
    compiled = compile_text(f'harness tea "1.0.0"\n{text}\n{prompt}\n')
    assert compiled.core is not None and compiled.surface is not None, compiled.diagnostics
    return export(compiled.core, compiled.surface, "python-stubs")


def function(text: str, name: str) -> Any:
    return next(node for node in ast.parse(text).body if getattr(node, "name", "") == name)


def test_a_stub_is_what_an_implementation_has_to_be() -> None:
    result = stubs(
        'type Quote { amount: decimal(min: 0) "In yuan." coupon?: string }\n'
        "input room: any\n"
        'tool quote(unit: "kg" | "g" = "kg", link named "id": int "Number.", more?: int?) -> Quote {\n'
        '  """Price of {{ tool.quote.link }}."""\n  effect write\n  fails gone\n'
        '  impl python "shop.tools:get_quote"\n}'
    )
    assert result.faults == []
    assert result.text == (
        "# Tools of tea 1.0.0.\nfrom __future__ import annotations\n\nfrom decimal import Decimal\n"
        "from typing import Any, Literal, NotRequired, TypedDict\n\n\n"
        'class Quote(TypedDict):\n    """amount: In yuan."""\n    amount: float | Decimal\n'
        "    coupon: NotRequired[str]\n\n\n"
        "def get_quote(link: int, unit: Literal['kg', 'g'] = 'kg', more: int | None = None, *, room: Any)"
        ' -> Quote:\n    """Price of id.\n\n    link: Number.\n\n    Fails with: gone.\n    """\n'
        "    raise NotImplementedError\n"
    )
    assert [(lost.symbol, lost.what) for lost in result.lost if lost.symbol] == [
        ("tool/quote", "its effect, `write`"),
        ("tool/quote/param/more", "that absent and null are two things"),
        ("type/Quote/field/amount", "`minimum`"),
    ]
    assert result.names == {"get_quote": "tool/quote"}


def test_names_that_python_refuses_are_keywords_of_a_dictionary() -> None:
    result = stubs(ODD)
    assert result.names == {"import_": "tool/import", "quote": "tool/list"}
    odd = function(result.text, "import_")
    assert [each.arg for each in odd.args.args] == ["room", "tags", "cup", "more"]
    assert [each.arg for each in odd.args.kwonlyargs] == []  # `room` is its own, and `from` is no Python name
    assert ast.unparse(odd.args.kwarg.annotation) == "Unpack[import__arguments]"
    assert "import__arguments = TypedDict('import__arguments', {\n    'from': 'int',\n})" in result.text
    assert ast.get_docstring(odd) == 'Ends with a "quote" '
    assert "str_ = TypedDict('str_', {" in result.text and "'class': 'str'" in result.text
    listed = function(result.text, "quote")
    assert [each.arg for each in listed.args.args] == ["名"]
    assert "C:\\temp" in (ast.get_docstring(listed) or "")


@settings(max_examples=25, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(cores())
def _generated(folder: Path, core: Core) -> None:
    for at, surface in enumerate((Surface(), default_surface(core))):
        result = export(core, surface, "python-stubs")
        assert [fault for fault in result.faults if "run time" not in fault.reason] == []
        number = len(list(folder.iterdir()))
        (folder / f"stub_{number}_{at}.py").write_text(result.text, "utf-8")


def test_a_strict_type_checker_takes_every_stub(tmp_path: Path) -> None:
    compiled = compile_file(SHOP)
    assert compiled.core is not None and compiled.surface is not None
    (tmp_path / "shop.py").write_text(export(compiled.core, compiled.surface, "python-stubs").text, "utf-8")
    (tmp_path / "odd.py").write_text(stubs(ODD).text, "utf-8")
    _generated(tmp_path)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from shop import get_quote\n\nget_quote('3', room=None, danmaku='x')\n", "utf-8")
    cache = ["--cache-dir", str(tmp_path / "cache"), "--config-file", ""]
    out, err, status = api.run(["--strict", *cache, *map(str, sorted(tmp_path.glob("*.py")))])
    assert err == ""
    assert [line.split(":")[0] for line in out.splitlines() if ": error:" in line] == [str(wrong)] * 2, out
    assert status == 1


@pytest.mark.parametrize(
    "text", ["plain", "'''", '"""', "\\", 'ends "', "a\nb", "  lead", "tab\t", "a\rb", "“中”"]
)
def test_a_description_is_the_docstring(text: str) -> None:
    compiled = compile_text(
        'harness tea "1.0.0"\ntool t() -> any { """Plain.""" }\nprompt system { section a "b" }\n'
    )
    assert compiled.core is not None
    wording = compiled.core.tools[0].description.canonical[0].model_copy(update={"text": text})
    surface = Surface(wordings={"tool/t/description": (wording,)})
    made = export(compiled.core, surface, "python-stubs").text
    node = function(made, "t")
    assert ast.get_docstring(node, clean=False).rstrip() == text.replace("\nb", "\n    b").rstrip()


@settings(max_examples=15)
@given(cores().flatmap(lambda core: surfaces(core).map(lambda surface: (core, surface))))
def test_stubs_know_nothing_of_the_surface_but_texts_and_order(pair: tuple[Core, Surface]) -> None:
    core, surface = pair
    plain = export(core, Surface(), "python-stubs").text
    bare = surface.model_copy(update={"orders": {}, "wordings": {}, "hidden": ()})
    assert signatures(export(core, bare, "python-stubs").text) == signatures(plain)


def signatures(text: str) -> list[str]:
    found = []
    for node in ast.parse(text).body:
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:]
        found.append(ast.unparse(node))
    return found


@settings(max_examples=15)
@given(cores())
def test_the_runtime_takes_every_stub_as_an_implementation(core: Core) -> None:
    result = export(core, Surface(), "python-stubs")
    scope: dict[str, Any] = {}
    exec(compile(result.text, "<stubs>", "exec"), scope)
    inputs = [leaf(input_.id) for input_ in core.inputs]
    functions = function_names(core.tools)
    refused = {fault.symbol.split("/")[1] for fault in result.faults}
    for tool in core.tools:
        if leaf(tool.id) not in refused:
            signature = read_signature(scope[functions[tool.id]], tool, inputs)
            own = {leaf(param.id) for param in tool.params}
            assert set(signature.inputs) == {name for name in inputs if name not in own and python_name(name)}
