"""Faults 19, 22 and 25 to 27 that users of other systems reported: modules, namespaces, names and prose."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.lexer import lex
from harness_dsl.cli.check import check as check_file
from harness_dsl.diagnostics import Diagnostic
from harness_dsl.ir.canonical import core_digest
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.compile import Compiled, compile_file
from harness_dsl.syntax.parse import parse
from tests.language.helpers import at_fault, check, check_body, codes

LAW = 'module law "1.0.0"\n\nhook calm on before_reply {\n  if reply contains "!"\n  log\n}\n'
SHOP = (
    'harness shop "1.0.0"\n\nimport "common/law.harness" as law\n\nuse law.calm\n\n'
    'prompt system {\n  section persona """Be kind."""\n}\n'
)
Write = Callable[[dict[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files by path; returns the path of the first."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        return tmp_path / next(iter(files))

    return write


def digest(compiled: Compiled) -> str:
    assert compiled.core is not None, compiled.diagnostics
    return core_digest(compiled.core)


@pytest.mark.parametrize("where", [".", "common", "/"])
def test_bug_19_an_import_leads_to_the_same_file_from_every_working_directory(
    where: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write({"shop.harness": SHOP, "common/law.harness": LAW, "law.harness": "no module"})
    whole = digest(compile_file(path))
    monkeypatch.chdir(path.parent / where)
    assert digest(compile_file(path)) == whole
    assert digest(compile_file(os.path.relpath(path))) == whole


def test_bug_19_an_import_is_relative_to_the_file_that_says_it(write: Write) -> None:
    """Not to the first file, nor to a file above it: both of those have another `law.harness`."""
    other = LAW.replace('"!"', '"?"')
    path = write(
        {
            "shop.harness": SHOP.replace("common/law.harness", "common/all.harness"),
            "common/all.harness": 'module all "1.0.0"\n\nimport "law.harness" as law\n\nuse law.calm\n',
            "common/law.harness": LAW,
            "law.harness": other,
            "harness.toml": "",
        }
    )
    straight = write({"direct.harness": SHOP})
    assert (
        digest(compile_file(path))
        == digest(compile_file(straight))
        != digest(compile_file(write({"near.harness": SHOP.replace("common/law", "law")})))
    )


def test_bug_19_a_folder_may_be_reached_through_a_link(write: Write, tmp_path: Path) -> None:
    path = write({"real/shop.harness": SHOP, "real/common/law.harness": LAW})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert digest(compile_file(tmp_path / "link" / "shop.harness")) == digest(compile_file(path))


def test_bug_19_a_path_with_backslashes_is_an_error_that_says_how_to_write_it(write: Write) -> None:
    path = write({"shop.harness": SHOP.replace("common/law", "common\\\\law"), "common/law.harness": LAW})
    (found,) = [one for one in compile_file(path).diagnostics if one.code == "HD213"]
    assert "common/law.harness" in found.help


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (LAW.replace("contains", "contain"), "HD101"),
        (LAW.replace("reply contains", "replay contains"), "HD202"),
        (LAW.replace("}\n", ""), "HD103"),
        ("\x00" + LAW, "HD116"),
    ],
)
def test_bug_22_what_is_wrong_in_a_module_reaches_the_one_who_checks_its_importer(
    broken: str, code: str, write: Write
) -> None:
    path = str(write({"shop.harness": SHOP, "common/law.harness": broken}))
    files: dict[str, str] = {}
    found = check_file(path, files)
    inside = [one for one in found if one.span.path.endswith("law.harness")]
    assert code in [one.code for one in inside] and all(one.span.path in files for one in inside)
    at_import = [one for one in found if one.span.path == path and one.code == "HD212"]
    assert len(at_import) == 1
    assert {one.code for one in compile_file(path).diagnostics} >= {code, "HD212"}


def test_bug_22_through_any_number_of_modules(write: Write) -> None:
    files = {"shop.harness": SHOP.replace("common/law", "m0")}
    for number in range(4):
        files[f"m{number}.harness"] = (
            f'module m{number} "1.0.0"\n\nimport "m{number + 1}.harness" as law\n\nuse law.calm\n'
        )
    files["m4.harness"] = LAW.replace("contains", "contain")
    found = check_file(str(write(files)), {})
    assert [one.code for one in found if one.span.path.endswith("m4.harness")] == ["HD101"]


TOOL = 'tool find(x: int) -> any {\n  """Find it."""\n}\n'


def test_bug_25_a_name_of_a_module_is_unknown_until_it_is_brought_in(write: Write) -> None:
    skill = 'reply skill s {\n  when """Now."""\n  uses find\n}\n'
    text = SHOP.replace("use law.calm\n", skill)
    path = write({"shop.harness": text, "common/law.harness": LAW + TOOL})
    assert "HD202" in {one.code for one in compile_file(path).diagnostics}
    path.write_text(text.replace("reply skill", "use law.find\n\nreply skill"))
    assert compile_file(path).core is not None


def test_bug_25_two_modules_may_use_one_name_for_two_things(write: Write) -> None:
    text = SHOP.replace("use law.calm\n", 'import "more.harness" as more\n\nuse law.find, more.calm\n')
    more = LAW.replace('"!"', '"?"').replace("law", "more")
    path = write({"shop.harness": text, "common/law.harness": LAW + TOOL, "more.harness": more + TOOL})
    core = compile_file(path).core
    assert core is not None and [hook.id for hook in core.hooks] == ["hook/calm"]
    path.write_text(text.replace("use law.find, more.calm", "use law.calm, more.calm"))
    assert "HD214" in {one.code for one in compile_file(path).diagnostics}


def test_bug_25_a_name_may_stand_for_one_thing_of_each_kind() -> None:
    body = (
        'type find { x: int }\ninput find: find\ntool find(find: find) -> find {\n  """Find."""\n}\n'
        'reply skill find {\n  when """Now."""\n  uses find\n}\n'
        "hook find on before_call {\n  if calling(find) and argument.find == null\n  log\n}\n"
        'prompt system {\n  section find """{{ tool.find }}, {{ skill.find }}, {{ find.x }}."""\n}\n'
        "limits {\n  find 1\n}\n"
    )
    assert [code for code in codes(check_body(body)) if code[:3] in ("HD1", "HD2", "HD4")] == ["HD218"]


def renamed(text: str, decl: t.ToolDecl | t.SkillDecl | t.RecordDecl | t.InputDecl) -> str:
    """`text` where only the declaration has another name."""
    return text[: decl.name.start] + "x" * (decl.name.end - decl.name.start) + text[decl.name.end :]


def stale(text: str, name: str, decl: t.Node) -> set[int]:
    """Where `name` is used for what `decl` declares, found without the compiler in code and in tags."""
    if isinstance(decl, t.InputDecl):
        in_code = rf"given\s+({name})\b"
        in_tags = rf"(?:\{{\{{|\{{%[^%]*?\b(?:if|in)\b)\s*({name})\b(?=[ .|])"
    elif isinstance(decl, t.RecordDecl):
        in_code, in_tags = rf"(?:[:=|<]|->)\s*({name})\b", rf"\{{\{{\s*type\.({name})\b"
    elif isinstance(decl, t.ToolDecl):
        before = r"\buses\b[^\n]*?|\bcalled\(|\bcalling\(|\bresults\(|\bcall\s+|\brequire\s+|\btool\."
        in_code = rf"(?:{before})({name})\b"
        in_tags = rf"\{{\{{\s*tool\.({name})\b"
    else:
        in_code, in_tags = (
            rf"(?:\bexpect\s+skill\s+|\bloaded\(|\bskill\.)({name})\b",
            rf"\{{\{{\s*skill\.({name})\b",
        )
    prose = [(token.start, token.end) for token in lex(text).tokens if token.kind in ("TEXT", "STRING")]
    found = {match.start(1) for match in re.finditer(in_tags, text)}
    for match in re.finditer(in_code, text):
        if not any(start <= match.start(1) < end for start, end in prose):
            found.add(match.start(1))
    return found - {decl.name.start}  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [t.ToolDecl, t.SkillDecl, t.RecordDecl, t.InputDecl])
def test_bug_26_every_stale_name_is_an_error_where_it_stands(kind: type, shop_path: Path) -> None:
    """One declaration after the other gets a new name; each place that still says the old one is reported."""
    text = shop_path.read_text("utf-8")
    file, _ = parse(text, "x")
    decls = [decl for decl in file.decls if isinstance(decl, kind)][:4]
    uses = 0
    for decl in decls:
        name = decl.name.text
        places = stale(text, name, decl)
        shop_copy = renamed(text, decl)
        found = check_at(shop_path, shop_copy)
        errors = {one.span.start: one for one in found if one.severity == "error"}
        assert places <= set(errors), (name, [text[at - 20 : at + 20] for at in places - set(errors)])
        assert all(at_fault(shop_copy, errors[at]) == name for at in places)
        uses += len(places)
    assert uses > 2


def check_at(path: Path, text: str) -> list[Diagnostic]:
    """What `check` finds in `text` if it stands at `path`."""
    from harness_dsl.lint.checking import checked
    from harness_dsl.syntax.source import decode

    return [
        one
        for one in checked(decode(text.encode(), str(path)), str(path)).found
        if one.span.path == str(path)
    ]


_WORDS = "search read write list order test run check open close find send call get set update plan review"
ORDINARY = _WORDS.split()


def tools_named(names: list[str]) -> str:
    return "\n".join(f'tool {name}({name}_id: int) -> any {{ """Do it."""\n}}' for name in names)


def harness_about(prose: str) -> str:
    prose = prose.replace('"""', "'''").replace("{{", "{ {").replace("{%", "{ %")
    prompt = f'prompt system {{\n  section p """\n{prose}\n"""\n}}\n'
    return f'harness x "1.0.0"\n\n{tools_named(ORDINARY)}\n\n{prompt}'


def test_bug_27_ordinary_words_in_prose_are_left_alone() -> None:
    prose = "Read the list, order what you find, and run a test. Call us; then close and update the plan."
    assert [one for one in check(harness_about(prose)) if one.code == "HD406"] == []
    marked = check(harness_about("Say `search` when you mean the tool, or search_id for its parameter."))
    assert [one.severity for one in marked if one.code == "HD406"] == ["warning", "warning"]


def test_bug_27_real_prose_is_never_stopped(corpora: Path) -> None:
    """Tools with names that are ordinary words, beside every real skill: no word is warned about."""
    warned = all_words = 0
    for path in sorted((corpora / "skills").rglob("SKILL.md")):
        prose = path.read_text("utf-8", "replace").replace("\0", "")
        # What stands in backticks is set apart as code by its author, so it is no prose.
        prose = re.sub(r"```.*?```|`[^`\n]*`", " ", prose, flags=re.DOTALL)
        all_words += len(re.findall(r"\w+", prose))
        warned += sum(one.code == "HD406" for one in check(harness_about(prose)))
    assert all_words > 30_000 and warned == 0
