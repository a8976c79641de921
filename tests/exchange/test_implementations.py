"""Implementations in Python against the tools that name them, without an import."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness_dsl.cli.main import main
from harness_dsl.ir.core import Core
from harness_dsl.lint import lint
from harness_dsl.syntax.analysis import analysed
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.source import decode
from runtime.signatures import read_signature

HARNESS = '''harness shop "1.0.0"

input room: any

tool quote(link_id: int, quantity: int = 1, cup?: string) -> any {
  """Quote it."""
  impl python "shop.tools:quote"
}

prompt system {
  section tools catalog tools
}
'''
FIT = "def quote(link_id, quantity=1, cup=None, *, room): ...\n"


def found(
    folder: Path, source: str | None, harness: str = HARNESS, project: str = "[runtime]\n"
) -> list[str]:
    """What `check` says of implementations of `harness` beside this module."""
    (folder / "shop").mkdir(exist_ok=True)
    (folder / "shop" / "__init__.py").write_text("raise SystemExit('imported')\n")
    if source is not None:
        (folder / "shop" / "tools.py").write_text(source, "utf-8")
    if project:
        (folder / "harness.toml").write_text(project)
    analysis = analysed(decode(harness.encode(), "x"), str(folder / "shop.harness"))
    assert analysis is not None and analysis.ok, analysis and analysis.diagnostics
    return [each.message for each in lint(analysis) if each.code == "HD507"]


@pytest.mark.parametrize(
    "source",
    [
        FIT,
        "async def quote(cup='x', *, quantity=1, link_id): ...\n",
        "def quote(**arguments): ...\n",
        "def quote(link_id, **rest): ...\n",
        "def quote(link_id, quantity, cup=None, more=3, *, room=None, **rest): ...\n",
        "def quote(link_id, quantity=compute(), cup=None): ...\n",
        "@cached\ndef quote(): ...\n",
        "from elsewhere import quote\n",
        "from elsewhere import *\n",
        "def __getattr__(name): ...\n",
        "quote = make('quote')\n",
        "class quote:\n    def __call__(self): ...\n",
        "try:\n    import fast\nexcept ImportError:\n    def quote(): ...\nelse:\n    " + FIT,
        "if fast:\n    def quote(): ...\nelse:\n    " + FIT,
        "def quote(link_id, quantity, cup=None):\n    def all_():\n        yield 1\n    return all_()\n",
        "\ufeff# 中文\r\n" + FIT.replace("\n", "\r\n"),
    ],
)
def test_what_fits_or_cannot_be_known_is_left_alone(tmp_path: Path, source: str) -> None:
    assert found(tmp_path, source) == []


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ("def price(): ...\n", ["`{path}` has no function `quote`"]),
        (None, ["`{folder}` has no module `shop.tools`"]),
        ("def quote(:\n", ["`{path}` cannot be parsed: invalid syntax in line 1"]),
        (
            "def quote(link, quantity=1, cup=None): ...\n",
            ["`quote` does not take `link_id`"],
        ),
        ("def quote(): ...\n", ["`quote` does not take `link_id`", "`quote` does not take `quantity`",
                                 "`quote` does not take `cup`"]),
        ("def quote(link_id, /, quantity=1, cup=None): ...\n", ["`quote` does not take `link_id`"]),
        ("def quote(link_id, quantity, cup): ...\n", ["`quote` needs `cup`, which may be absent"]),
        (
            "def quote(link_id, quantity, cup=None, *, shop): ...\n",
            ["`quote` needs `shop`, which is neither a parameter nor an input"],
        ),
        (
            "def quote(link_id, room, quantity=1, cup=None): ...\n",
            ["`quote` takes the input `room` among the parameters of the tool"],
        ),
        ("def quote(link_id, quantity=2, cup=None): ...\n", ["`quote` has another default for `quantity`"]),
        (
            "def quote(link_id, quantity=1, cup=None):\n    yield 1\n",
            ["`quote` is a generator, which returns no result"],
        ),
        ("if x:\n    def quote(): ...\nelse:\n    def quote(link_id): ...\n",
         ["`quote` does not take `quantity`", "`quote` does not take `cup`"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(tmp_path: Path, source: str | None, messages: list[str]) -> None:
    names = {"path": tmp_path / "shop" / "tools.py", "folder": tmp_path}
    assert found(tmp_path, source) == [message.format(**names) for message in messages]


@pytest.mark.parametrize(
    ("project", "target"),
    [
        ("", "shop.tools:quote"),
        ("[runtime]\n", "json:loads"),
        ("[runtime]\n", "elsewhere.tools:quote"),
        ('[runtime]\npath = ".."\n', "shop.tools:quote"),
        ('[runtime]\npath = "src"\n', "shop.tools:quote"),
        ("[runtime]\npath = 3\n", "shop.tools:quote"),
        ("runtime = 3\n", "shop.tools:quote"),
        ("[runtime\n", "shop.tools:quote"),
    ],
)
def test_what_the_project_does_not_reach_is_no_finding(tmp_path: Path, project: str, target: str) -> None:
    harness = HARNESS.replace("shop.tools:quote", target)
    assert found(tmp_path, "def quote(): ...\n", harness, project) == []


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("def quote(): ...\n")
    home = tmp_path / "home"
    home.mkdir()
    assert found(home, None) != []
    (home / "shop" / "tools.py").symlink_to(outside)
    assert "has no module" in found(home, None)[0]


@pytest.mark.parametrize(
    ("signature", "messages"),
    [
        ("facts", []),
        ("facts, more=1", []),
        ("**all", []),
        ("fact", ["`hot` does not take `facts`"]),
        ("facts, more", ["`hot` needs `more`, and a hook is given `facts` alone"]),
    ],
)
def test_equivalents_of_hooks_are_looked_at_too(tmp_path: Path, signature: str, messages: list[str]) -> None:
    harness = HARNESS.replace(
        "prompt system",
        'hook h on before_reply {\n  if reply contains "hot"\n  log\n  same as python "shop.tools:hot"\n}\n\n'
        "prompt system",
    )
    assert found(tmp_path, FIT + f"def hot({signature}): ...\n", harness) == messages


def test_both_places_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(tmp_path, "# 茶\n\ndef 报价(): ...\ndef quote(link, quantity=1, cup=None):\n    pass\n")
    (tmp_path / "shop.harness").write_text(HARNESS)
    assert main(["check", str(tmp_path / "shop.harness")]) == 1
    shown = capsys.readouterr().out
    assert f"{tmp_path / 'shop.harness'}:5:12: warning[HD507] `quote` does not take `link_id`" in shown
    assert f"  in the function ({tmp_path / 'shop' / 'tools.py'}:4:5)" in shown
    assert "    4 | def quote(link, quantity=1, cup=None):\n      |     -----" in shown
    allowed = HARNESS.replace("tool quote", "# allow HD507: bound by another layer\ntool quote")
    (tmp_path / "shop.harness").write_text(allowed)
    assert main(["check", str(tmp_path / "shop.harness")]) == 0


NAMES = ("link_id", "quantity", "cup", "room", "other", "facts")
KINDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@st.composite
def signatures(draw: st.DrawFn) -> str:
    """Parameters of a function, legal in Python."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
    kinds = sorted(draw(st.sampled_from(KINDS)) for _ in names)
    bare = [draw(st.booleans()) for _ in names]
    parameters = []
    optional = False
    for name, kind, default in zip(names, kinds, bare, strict=True):
        optional = optional or default
        has = default if kind is inspect.Parameter.KEYWORD_ONLY else optional
        parameters.append(inspect.Parameter(name, kind, default=None if has else inspect.Parameter.empty))
    if draw(st.booleans()):
        parameters.append(inspect.Parameter("rest", inspect.Parameter.VAR_KEYWORD))
    return str(inspect.Signature(parameters))


def loads(core: Core, signature: str) -> bool:
    """Whether the runtime takes such a function."""
    scope: dict[str, Any] = {}
    exec(f"def quote{signature}: ...", scope)
    try:
        read_signature(scope["quote"], core.tools[0], ["room"])
    except ValueError:
        return False
    return True


@given(signatures())
def test_check_and_the_runtime_agree(tmp_path_factory: pytest.TempPathFactory, signature: str) -> None:
    core = compile_text(HARNESS).core
    assert core is not None
    folder = tmp_path_factory.mktemp("project")
    said = found(folder, f"def quote{signature}: ...\n")
    fits = [message for message in said if "another default" not in message] == []
    assert fits == loads(core, signature), said
