"""Modules: what is brought in means what it means in its own file, and every mistake has one place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness_dsl.cli.main import main
from harness_dsl.diagnostics import Diagnostic, render
from harness_dsl.ir.canonical import core_digest, surface_digest
from harness_dsl.syntax.compile import Compiled, compile_file, compile_text
from harness_dsl.syntax.format import format_text
from harness_dsl.syntax.source import decode
from tests.language.layouts import scrambled

DECLARATIONS = {
    "Quote": 'type Quote {\n  amount: decimal "In yuan."\n}\n',
    "reply_chars": "limits {\n  reply_chars 60\n}\n",
    "get_quote": 'tool get_quote(link_id: int) -> Quote {\n  """Quote it."""\n}\n',
    "prices": 'reply skill prices {\n  when """A price is asked for."""\n  uses get_quote\n}\n',
    "calm": (
        "hook calm on before_reply {\n"
        "  if chars(reply) > limits.reply_chars and not called(get_quote)\n"
        '  retry """Say it in {{ limits.reply_chars }} characters, or use {{ tool.get_quote }}."""\n'
        "}\n"
    ),
    "quiet": 'hook quiet on before_reply {\n  if reply == ""\n  log\n}\n',
}
SECTION = (
    "  section law unordered {\n"
    '    rule no_cures """Promise no cure."""\n'
    '      check not reply matches r"cure"\n'
    '    rule quoted """Quote with {{ tool.get_quote.link_id }}."""\n'
    "  }\n"
)
BELONGINGS = (
    'alternatives {\n  tool.get_quote named "query_price"\n'
    '  section.law.no_cures """Cures are not promised."""\n}\n'
    "moved tool.old_quote -> tool.get_quote\n"
)
MODULE = (
    'module compliance "1.0.0"\n\n'
    + "\n".join(DECLARATIONS.values())
    + f"\nprompt system {{\n{SECTION}}}\n{BELONGINGS}"
)
PERSONA = '  section persona """Be kind."""\n'
HEAD = 'harness shop "1.0.0"\n\n'
IMPORT = 'import "common/rules.harness" as compliance\n'
USES = "".join(f"use compliance.{name}\n" for name in DECLARATIONS)
SPLIT = f"{HEAD}{IMPORT}{USES}prompt system {{\n{PERSONA}  use compliance.law\n}}\n"
WHOLE = HEAD + "".join(DECLARATIONS.values()) + f"prompt system {{\n{PERSONA}{SECTION}}}\n" + BELONGINGS

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files by path (`__` for `/`); returns the path of the first."""

    def write(**files: str) -> Path:
        paths = [tmp_path / f"{name.replace('__', '/')}.harness" for name in files]
        for path, text in zip(paths, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return paths[0]

    return write


def said(compiled: Compiled) -> list[tuple[str, str, str]]:
    """(code, file, text under the caret) of every error."""
    return [
        (
            found.code,
            Path(found.span.path).name,
            compiled.files[found.span.path][found.span.start : found.span.end],
        )
        for found in compiled.diagnostics
        if found.severity == "error"
    ]


def only(compiled: Compiled) -> Diagnostic:
    (found,) = [found for found in compiled.diagnostics if found.severity == "error"]
    return found


def test_what_is_brought_in_means_what_it_would_mean_here(write: Write) -> None:
    split, whole = compile_file(write(shop=SPLIT, common__rules=MODULE)), compile_text(WHOLE)
    assert split.core is not None and whole.core is not None, said(split) + said(whole)
    assert split.core == whole.core
    assert core_digest(split.core) == core_digest(whole.core)
    assert split.surface is not None and whole.surface is not None
    assert surface_digest(split.core, split.surface) == surface_digest(whole.core, whole.surface)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Promise no cure.", "Promise no cures."),
        ("amount: decimal", "amount: int"),
        ("reply_chars 60", "reply_chars 61"),
        ("log\n", 'log """Silence."""\n'),
    ],
)
def test_a_module_that_says_something_else_is_seen(write: Write, here: str, there: str) -> None:
    assert here in MODULE
    split = compile_file(write(shop=SPLIT, common__rules=MODULE.replace(here, there)))
    whole = compile_text(WHOLE)
    assert split.core is not None and whole.core is not None
    assert core_digest(split.core) != core_digest(whole.core)


def test_hooks_run_in_the_order_in_which_they_are_brought_in(write: Write) -> None:
    swapped = SPLIT.replace("use compliance.calm\n", "").replace(
        "use compliance.quiet\n", "use compliance.quiet\nuse compliance.calm\n"
    )
    core = compile_file(write(shop=swapped, common__rules=MODULE)).core
    assert core is not None and [hook.id for hook in core.hooks] == ["hook/quiet", "hook/calm"]


def test_nothing_enters_unnamed(write: Write) -> None:
    text = f"{HEAD}{IMPORT}prompt system {{\n{PERSONA}}}\n"
    split, alone = (
        compile_file(write(shop=text, common__rules=MODULE)),
        compile_text(text.replace(IMPORT, "")),
    )
    assert split.core is not None and split.core == alone.core


def test_rules_enter_a_list_under_their_label(write: Write) -> None:
    text = (
        HEAD
        + IMPORT
        + "use compliance.get_quote, compliance.Quote\nprompt system {\n  section rules unordered {\n"
        '    rule kind """Be kind."""\n    use compliance.law.no_cures, compliance.law.quoted\n  }\n}\n'
    )
    compiled = compile_file(write(shop=text, common__rules=MODULE))
    assert {"prompt/system/section/rules/no_cures", "prompt/system/section/rules/quoted"} <= set(
        compiled.spans
    )
    rules = "".join(SECTION.splitlines(keepends=True)[1:-1])
    written = text.replace("    use compliance.law.no_cures, compliance.law.quoted\n", rules)
    written += 'alternatives {\n  section.rules.no_cures """Cures are not promised."""\n}\n'
    assert compiled.core is not None and compiled.core == compile_file(write(shop=written)).core


def test_spans_files_and_the_source_digest_cover_the_module(write: Write) -> None:
    path = write(shop=SPLIT, common__rules=MODULE)
    compiled = compile_file(path)
    module = str(path.parent / "common" / "rules.harness")
    assert list(compiled.files) == [str(path), module]
    span = compiled.spans["tool/get_quote"]
    assert span.path == module and MODULE[span.start : span.end] == "get_quote"
    assert compiled.spans["prompt/system/section/persona"].path == str(path)
    (path.parent / "common" / "rules.harness").write_text(MODULE + "# remark\n")
    edited = compile_file(path)
    assert edited.core == compiled.core and edited.source_digest != compiled.source_digest


def test_prose_may_name_the_module(write: Write) -> None:
    text = SPLIT.replace(
        "Be kind.", "Use {{ compliance.get_quote.link_id }} or {{ compliance.skill.prices }}."
    )
    plain = SPLIT.replace("Be kind.", "Use {{ tool.get_quote.link_id }} or {{ skill.prices }}.")
    one = compile_file(write(shop=text, common__rules=MODULE))
    assert one.core is not None and one.core == compile_file(write(shop=plain)).core


@pytest.mark.parametrize(
    ("edit", "code", "at"),
    [
        (("use compliance.Quote", "use compliance.Quot"), "HD202", "Quot"),
        (("use compliance.Quote", "use complience.Quote"), "HD202", "complience"),
        (("use compliance.Quote", "use compliance.Quote, compliance.Quote"), "HD109", "compliance.Quote"),
        (("use compliance.calm", "use compliance.law"), "HD216", "compliance.law"),
        (("  use compliance.law", "  use compliance.calm"), "HD216", "compliance.calm"),
        (("as compliance", "as tool"), "HD203", "tool"),
        (("use compliance.Quote\n", ""), "HD215", "compliance.get_quote"),
        (("Be kind.", "Use {{ compliance.nothing }}."), "HD405", "compliance.nothing"),
        (("rules.harness", "missing.harness"), "HD210", '"common/missing.harness"'),
        (("common/", "common\\\\"), "HD213", '"common\\\\rules.harness"'),
        (("common/rules.harness", "/common/rules.harness"), "HD213", '"/common/rules.harness"'),
        (("common/rules.harness", "C:/rules.harness"), "HD213", '"C:/rules.harness"'),
        (("common/rules.harness", "../rules.harness"), "HD213", '"../rules.harness"'),
    ],
)
def test_a_wrong_import_or_use_is_said_once(write: Write, edit: tuple[str, str], code: str, at: str) -> None:
    assert edit[0] in SPLIT
    compiled = compile_file(write(shop=SPLIT.replace(edit[0], edit[1], 1), common__rules=MODULE))
    assert compiled.core is None
    assert (code, "shop.harness", at) in said(compiled)
    if code in ("HD210", "HD213", "HD109"):
        assert len(said(compiled)) == 1


def test_what_a_use_needs_is_named(write: Write) -> None:
    found = only(compile_file(write(shop=SPLIT.replace("use compliance.Quote\n", ""), common__rules=MODULE)))
    assert (
        found.help == "Add `use compliance.Quote`."
        and Path(found.labels[0].span.path).name == "rules.harness"
    )


def test_two_meanings_of_a_name_collide_unless_overridden(write: Write) -> None:
    own = SPLIT.replace("use compliance.Quote\n", "type Quote {\n  amount: decimal\n  unit: string\n}\n")
    hidden = only(compile_file(write(shop=own, common__rules=MODULE)))
    assert hidden.code == "HD214" and "`override compliance.Quote`" in hidden.help
    both = own.replace("use compliance.get_quote\n", "use compliance.get_quote, compliance.Quote\n")
    assert only(compile_file(write(shop=both))).code == "HD214"
    overridden = compile_file(write(shop=own.replace(IMPORT, f"{IMPORT}override compliance.Quote\n")))
    assert overridden.core is not None, said(overridden)
    (quote,) = overridden.core.types
    assert len(quote.fields or ()) == 2


def test_of_two_modules_one_may_be_overridden(write: Write) -> None:
    other = 'module b "1.0.0"\n\ntype Quote {\n  price: int\n}\n'
    text = SPLIT.replace("use compliance.Quote\n", "use b.Quote\n").replace(
        IMPORT, IMPORT + 'import "b.harness" as b\n'
    )
    path = write(shop=text, common__rules=MODULE, b=other)
    assert only(compile_file(path)).code == "HD214"
    overridden = compile_file(
        write(shop=text.replace("use b.Quote\n", "use b.Quote\noverride compliance.Quote\n"))
    )
    assert overridden.core is not None, said(overridden)


def test_what_comes_along_may_not_fit_either(write: Write) -> None:
    old = SPLIT + 'tool old_quote(link_id: int) -> any {\n  """The old one."""\n}\n'
    found = only(compile_file(write(shop=old, common__rules=MODULE)))
    assert (found.code, said(compile_file(write(shop=old)))[0][2]) == ("HD215", "compliance.get_quote")
    twice = SPLIT + 'alternatives {\n  tool.get_quote named "query_price"\n}\n'
    assert [code for code, *_ in said(compile_file(write(shop=twice)))] == ["HD705"]


def test_an_input_of_a_module_is_there_for_others(write: Write) -> None:
    path = write(common__rules=MODULE + 'input room: any "The room."\n')
    assert main(["check", str(path)]) == 0


def test_an_override_needs_something_to_put_in_its_place(write: Write) -> None:
    text = SPLIT.replace("use compliance.quiet", "override compliance.quiet")
    found = only(compile_file(write(shop=text, common__rules=MODULE)))
    assert (found.code, found.help) == ("HD202", "Declare it, or write `use compliance.quiet`.")


def test_a_broken_module_is_said_at_the_import_and_in_its_file(write: Write) -> None:
    compiled = compile_file(
        write(shop=SPLIT, common__rules=MODULE.replace("amount: decimal", "amount: decmal"))
    )
    assert said(compiled) == [
        ("HD212", "shop.harness", '"common/rules.harness"'),
        ("HD301", "rules.harness", "decmal"),
    ]


def test_a_cycle_is_shown_whole(write: Write) -> None:
    def module(name: str, target: str) -> str:
        return f'module {name} "1.0.0"\nimport "{target}.harness" as other\n'

    path = write(a=module("a", "b"), b=module("b", "c"), c=module("c", "a"))
    found = [d for d in compile_file(path).diagnostics if d.code != "HD217"]
    names = [Path(part).name for part in found[0].message.split(": ")[1].split(" → ")]
    assert [d.code for d in found] == ["HD211"] and names == [f"{x}.harness" for x in "abca"]
    shop = write(shop=f'{HEAD}import "b.harness" as b\nprompt system {{\n{PERSONA}}}\n')
    assert [code for code, *_ in said(compile_file(shop))] == ["HD212", "HD211"]
    itself = write(me=module("me", "me"))
    assert [code for code, *_ in said(compile_file(itself))] == ["HD211", "HD217"]


def test_modules_may_use_modules(write: Write) -> None:
    middle = f'module middle "1.0.0"\n{IMPORT.replace("common/", "")}' + USES
    text = SPLIT.replace(IMPORT, 'import "common/middle.harness" as m\n' + IMPORT).replace(
        "use compliance.get_quote", "use m.get_quote"
    )
    split, whole = (
        compile_file(write(shop=text, common__middle=middle, common__rules=MODULE)),
        compile_text(WHOLE),
    )
    assert split.core is not None and split.core == whole.core, said(split)


def test_the_project_is_the_folder_of_harness_toml(write: Write, tmp_path: Path) -> None:
    path = write(inner__shop=SPLIT.replace("common/", "../common/"), common__rules=MODULE)
    assert only(compile_file(path)).code == "HD213"
    (tmp_path / "harness.toml").touch()
    assert compile_file(path).core is not None


def test_a_link_out_of_the_project_is_refused(write: Write, tmp_path: Path) -> None:
    outside = write(outside__rules=MODULE)
    path = write(project__shop=SPLIT.replace("common/", ""))
    (path.parent / "rules.harness").symlink_to(outside)
    assert only(compile_file(path)).code == "HD213"


def test_modules_can_come_from_elsewhere_than_the_disk() -> None:
    asked: list[str] = []

    def reader(path: str):  # type: ignore[no-untyped-def]
        asked.append(path)
        return decode(MODULE.encode(), path)

    assert compile_text(SPLIT, "at/HEAD/shop.harness", reader=reader).core is not None
    assert asked == ["at/HEAD/common/rules.harness"]


def test_check_reports_a_module_once(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(shop=SPLIT, common__rules=MODULE.replace("Promise no cure.", "Call `get_quote`."))
    assert main(["check", str(path), "--info"]) == 1
    out = capsys.readouterr().out
    assert out.count("HD406") == 1 and "common/rules.harness:" in out
    assert main(["check", str(path.parent)]) == 1
    assert capsys.readouterr().out.count("HD406") == 1


def test_a_second_place_in_another_file_is_named(write: Write) -> None:
    compiled = compile_file(write(shop=SPLIT.replace("use compliance.Quote\n", ""), common__rules=MODULE))
    assert "common/rules.harness:" in render.text([only(compiled)], compiled.files).splitlines()[3]


def test_a_module_alone_is_checked_and_not_compiled(write: Write) -> None:
    path = write(common__rules=MODULE)
    assert main(["check", str(path)]) == 0
    compiled = compile_file(path)
    assert compiled.module and only(compiled).code == "HD217"


def test_fmt_sorts_imports_at_the_top_and_keeps_comments() -> None:
    text = (
        'harness x "1.0.0"  # head\nimport "b" as b # on b\nuse b.y\n# about a\nimport "a" as a\n'
        'prompt system { use a.s  section p unordered { use a.s.r rule q """Q.""" } }\n'
        '# about c\nimport "c" as c\n# end\n'
    )
    shown, _ = format_text(text, "x")
    assert shown == (
        'harness x "1.0.0"  # head\n\n# about a\nimport "a" as a\nimport "b" as b  # on b\n# about c\n'
        'import "c" as c\n\nuse b.y\n\nprompt system {\n  use a.s\n  section p unordered {\n    use a.s.r\n'
        '    rule q """Q."""\n  }\n}\n\n# end\n'
    )


@pytest.mark.parametrize("seed", range(15))
def test_fmt_of_imports_is_idempotent_and_changes_no_core(seed: int, write: Write) -> None:
    more = SPLIT.replace(IMPORT, "") + 'import "z.harness" as z\n' + IMPORT + 'import "b.harness" as b\n'
    text, comments = scrambled(more, seed)
    shown, _ = format_text(text, "x")
    assert shown is not None and format_text(shown, "x")[0] == shown
    assert all(shown.count(comment) == text.count(comment) for comment in comments)
    empty = 'module e "1.0.0"\n'
    path = write(shop=text, common__rules=MODULE, z=empty, b=empty)
    before = compile_file(path).core
    path.write_text(shown)
    assert before is not None and compile_file(path).core == before
