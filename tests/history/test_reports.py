"""What a reviewer reads: order, places, values around what differs, states that cannot be compared."""

import json
from pathlib import Path

import pytest

from harness_dsl.history.report_text import short
from tests.history.conftest import Run
from tests.history.repositories import SHOP, Repo
from tests.history.test_guard import MODULE, NARROW, POLICY

MIXED = (
    NARROW.replace("turns 6", "turns 7")
    .replace("  effect read\n", "  effect write\n")
    .replace("You are the host", "You are a host")
    .replace("tool get_quote(", 'tool get_quote named "quote" (')
    .replace("about tea.", "about teas.")
)


@pytest.fixture
def mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"old": SHOP, "new": MIXED}.items():
        (tmp_path / f"{name}.harness").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_edits_that_ask_for_most_stand_first(mixed: Path, run: Run) -> None:
    status, out, _ = run("diff", "old.harness", "new.harness", "--format", "json")
    edits = json.loads(out)["edits"]
    assert status == 0 and [(edit["behaviour"], edit["contract"]) for edit in edits] == [
        ("safety", "narrowing"),
        ("capability", "narrowing"),
        ("capability", "narrowing"),
        ("capability", "none"),
        ("wording", "none"),
        ("surface", "none"),
        ("none", "none"),
    ]
    _, out, _ = run("diff", "old.harness", "new.harness")
    assert out.startswith(
        "tool/get_quote: effect changed\n  contract narrowing, behaviour safety    old.harness"
    )
    assert "\n\n7 edits: contract narrowing, behaviour safety\n" in out
    assert "a major step is needed, to 2.0.0, but the version is the same" in out.splitlines()[-1]


def test_what_asks_for_little_is_folded_away_in_a_pull_request(mixed: Path, run: Run) -> None:
    _, out, _ = run("diff", "old.harness", "new.harness", "--format", "markdown")
    assert "<details>" not in out and out.count("| **narrowing** |") == 3 and out.count("**safety**") == 1
    text = MIXED.replace('decimal "In yuan."', 'decimal "In Yuan."')
    (mixed / "new.harness").write_text(text)
    _, out, _ = run("diff", "old.harness", "new.harness", "--format", "markdown")
    shown, _, folded = out.partition(
        "<details><summary>4 edits that ask for a patch step at most</summary>\n\n"
    )
    assert "wording" not in shown and "capability" not in folded and folded.rstrip().endswith("</details>")
    assert folded.startswith("| symbol |")


def test_values_are_cut_around_what_differs() -> None:
    assert short("a", "b", 9) == ("a", "b")
    assert short(None, "a\nb", 9) == (None, "a⏎b")
    one, other = short("x" * 100 + "old" + "y" * 100, "x" * 100 + "new" + "y" * 100, 30)
    assert (one, other) == ("…xxxxxxxxxxoldyyyyyyyyyyyyyyy…", "…xxxxxxxxxxnewyyyyyyyyyyyyyyy…")
    assert short("x" * 50, "x" * 60, 30) == ("…xxxxxxxxxx", "…xxxxxxxxxxxxxxxxxxxx")


def test_a_place_that_is_the_same_is_said_once(mixed: Path, run: Run) -> None:
    (mixed / "lib").mkdir()
    for folder in ("a", "b"):
        (mixed / folder).mkdir()
        (mixed / folder / "s.harness").write_text(SHOP if folder == "a" else POLICY)
    (mixed / "b" / "s.harness").write_text("# one more line\n" + SHOP.replace("turns 6", "turns 7"))
    _, out, _ = run("diff", "a/s.harness", "b/s.harness")
    assert "capability    a/s.harness:26 → b/s.harness:27\n" in out


def test_files_that_cannot_be_compared_keep_no_other_from_it(mixed: Path, run: Run) -> None:
    for folder in ("a", "b"):
        (mixed / folder).mkdir()
        (mixed / folder / "good.harness").write_text(SHOP if folder == "a" else POLICY)
        (mixed / folder / "bad.harness").write_bytes(SHOP.encode() if folder == "a" else b"\x00\xff")
        (mixed / folder / "worse.harness").write_text(
            SHOP.replace("tool get_quote(", "tool (") if folder == "a" else SHOP
        )
    (mixed / "a" / "gone.harness").write_text(SHOP.replace("tea_shop", "gone"))
    status, out, _ = run("diff", "a", "b")
    assert status == 1 and "b/bad.harness:1:2: error[HD111]" in out and "a/worse.harness:10:" in out
    assert (
        "good.harness\n  prompt/system/section/rules/kind: added" in out and "gone.harness\n  removed" in out
    )
    assert out.endswith("4 harnesses differ: 1 needs a minor step of the version, 2 broken, 1 removed\n")
    status, out, _ = run("diff", "a", "b", "--format", "markdown")
    assert status == 1 and "### `gone.harness`\n\nRemoved." in out and "```text\na/worse.harness:10:" in out
    files = json.loads(run("diff", "a", "b", "--format", "json")[1])["files"]
    assert [file["status"] for file in files] == ["broken", "removed", "changed", "broken"]
    assert "HD111" in files[0]["about"]


def test_modules_are_compared_by_what_they_declare(mixed: Path, run: Run) -> None:
    (mixed / "m1.harness").write_text(MODULE)
    (mixed / "m2.harness").write_text(MODULE.replace("> 0", "> 1"))
    status, out, _ = run("diff", "m1.harness", "m2.harness")
    assert status == 0 and "prompt/system/section/manners/kind: check changed" in out
    (mixed / "m2.harness").write_text('module common "1.0.0"\n\nlimits {\n  reply_chars 9\n}\n')
    status, out, _ = run("diff", "m1.harness", "m2.harness")
    assert status == 0 and "limit/reply_chars: added" in out and "manners: removed" in out
    (mixed / "m2.harness").write_text(MODULE.replace("chars(reply)", "chars(replay)"))
    status, out, error = run("diff", "m1.harness", "m2.harness")
    assert status == 1 and "HD202" in error and "HD217" not in error


def test_a_symbol_renamed_by_similarity_says_so_and_what_else_changed(mixed: Path, run: Run) -> None:
    text = SHOP.replace("get_quote", "look_up").replace("link_id: int(min: 1)", "link_id: int(min: 2)")
    (mixed / "new.harness").write_text(text)
    _, out, _ = run("diff", "old.harness", "new.harness")
    assert "tool/look_up: renamed, by similarity (9" in out
    assert "%); changed with it: param/link_id type\n" in out
    assert "  - tool/get_quote\n  + tool/look_up\n" in out
    hint = "if `tool/get_quote` was renamed, write `moved tool.get_quote -> tool.look_up`, and it is followed"
    assert out.splitlines()[-1] == hint
    _, out, _ = run("diff", "old.harness", "new.harness", "--format", "markdown")
    assert "write `moved tool.get_quote -> tool.look_up`, and" in out
    line = "moved tool.get_quote -> tool.look_up"
    (mixed / "new.harness").write_text(text.replace("\nlimits", f"\n{line}\n\nlimits"))
    _, out, _ = run("diff", "old.harness", "new.harness")
    assert "tool/look_up: id moved" in out and "similarity" not in out and "was renamed" not in out


def test_a_former_id_is_followed_through_and_not_to_be_forgotten(mixed: Path, run: Run) -> None:
    first, second = "moved tool.get_quote -> tool.look_up", "moved tool.look_up -> tool.ask"
    once = SHOP.replace("get_quote", "look_up").replace("\nlimits", f"\n{first}\n\nlimits")
    twice = SHOP.replace("get_quote", "ask").replace("\nlimits", f"\n{first}\n{second}\n\nlimits")
    for name, text in {"once": once, "twice": twice, "lost": twice.replace(f"{first}\n", "")}.items():
        (mixed / f"{name}.harness").write_text(text)
    for old in ("old", "once"):
        _, out, _ = run("diff", f"{old}.harness", "twice.harness")
        assert "2 edits: contract none, behaviour surface" in out and "tool/ask: id moved" in out
    _, out, _ = run("diff", "once.harness", "lost.harness")
    assert out.startswith("tool/ask: former id forgotten\n  contract narrowing, behaviour capability")
    assert out.endswith(
        "`moved tool.get_quote -> tool.ask` is gone: keep it, for whoever still has `tool/get_quote`\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("amount: decimal", "total: decimal", "type.Quote.amount -> type.Quote.total"),
        ("rule quoted", "rule told", "section.rules.quoted -> section.rules.told"),
        ("link_id: int(min: 1)", "link: int(min: 1)", "tool.get_quote.link_id -> tool.get_quote.link"),
        ("section persona", "section who", "section.persona -> section.who"),
    ],
)
def test_the_line_that_a_hint_gives_is_followed(mixed: Path, run: Run, old: str, new: str, line: str) -> None:
    much = "What a viewer pays now for all pieces, with every promotion that runs."
    before = SHOP.replace("In yuan.", much).replace("link_id: int(min: 1)", f'link_id: int(min: 1) "{much}"')
    after = before.replace(old, new).replace(".amount\n", ".total\n" if "total" in new else ".amount\n")
    after = after.replace("order persona", "order who") if "who" in new else after
    (mixed / "old.harness").write_text(before)
    (mixed / "new.harness").write_text(after)
    _, out, _ = run("diff", "old.harness", "new.harness")
    assert f"write `moved {line}`, and it is followed" in out, out
    (mixed / "new.harness").write_text(after.replace("\nlimits", f"\nmoved {line}\n\nlimits"))
    _, out, _ = run("diff", "old.harness", "new.harness")
    assert "id moved" in out and "similarity" not in out


def test_what_the_model_was_trained_on(mixed: Path, run: Run) -> None:
    Path("manifest.json").write_text('{"operators": {"rename": 3, "limits": 2}}')
    status, out, _ = run(
        "diff", "old.harness", "new.harness", "--manifest", "manifest.json", "--format", "json"
    )
    labels = {edit["id"]: edit["coverage"] for edit in json.loads(out)["edits"]}
    assert (
        status == 0
        and labels["limit/turns"] == "partly"
        and labels["prompt/system/section/persona"] == "outside"
    )
    _, out, _ = run("diff", "old.harness", "new.harness", "--format", "json")
    assert {edit["coverage"] for edit in json.loads(out)["edits"]} == {"unknown"}
    for file in ("nowhere.json", "old.harness"):
        status, _, error = run("diff", "old.harness", "new.harness", "--manifest", file)
        assert status == 2 and f"`{file}`" in error and error.count("\n") == 1


def test_a_manifest_that_is_missing_leaves_every_label_unknown(repo: Repo, run: Run) -> None:
    repo.stage("harness.toml", '[guard]\nmanifest = "runs/manifest.json"\n')
    repo.stage("shop.harness", SHOP.replace("turns 6", "turns 7"))
    status, out, _ = run("guard")
    assert status == 1 and "  whether the model was trained on it is unknown\n" in out
    assert "| unknown |" in run("guard", "--format", "markdown")[1]
