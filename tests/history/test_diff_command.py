"""`harnessc diff` over files, folders and git revisions."""

import json
from pathlib import Path

import pytest

from tests.history.conftest import Run
from tests.history.repositories import SHOP, Repo, version

POLICY = SHOP.replace(
    "  }\n  section tools", '    rule kind """Be kind."""\n      check chars(reply) > 0\n  }\n  section tools'
)


def test_revisions_and_paths_at_them(repo: Repo, run: Run) -> None:
    repo.commit(shop=POLICY)
    for words in (
        ("HEAD~1", "HEAD"),
        ("HEAD~1:shop.harness", "HEAD:shop.harness"),
        ("HEAD~1", "shop.harness"),
        ("HEAD~1:./shop.harness", ":shop.harness"),
        ("HEAD~1", "HEAD", "--", "shop.harness"),
    ):
        status, out, _ = run("diff", *words)
        assert status == 0 and "prompt/system/section/rules/kind: added" in out, words
        assert "behaviour policy" in out and "shop.harness:20" in out
        assert run("diff", "--exit-code", *words)[0] == 1


def test_what_is_on_disk_is_not_what_is_compared(repo: Repo, run: Run) -> None:
    repo.commit(shop=POLICY)
    file = repo.write("shop.harness", "broken")
    before = file.stat()
    status, out, _ = run("diff", "HEAD~1", "HEAD", "--format", "json")
    (shop,) = json.loads(out)["files"]
    assert (status, shop["behaviour"], shop["verdict"]["needed"]) == (0, "policy", "minor")
    assert file.read_text() == "broken" and file.stat().st_mtime_ns == before.st_mtime_ns


def test_fixtures_are_read_at_the_revision(repo: Repo, run: Run) -> None:
    text = SHOP.replace("input danmaku", 'input room: any "The room."\ninput danmaku', 1) + (
        '\ntest "a" {\n  given room = fixture "rooms/a.yaml"\n  user "?"\n  expect no call get_quote\n}\n'
    )
    repo.stage("rooms/a.yaml", "price: 1\n")
    repo.commit(shop=text)
    repo.stage("rooms/a.yaml", "price: 2\n")
    repo.commit()
    (repo.folder / "rooms/a.yaml").unlink()
    status, out, _ = run("diff", "HEAD~1", "HEAD")
    assert status == 0 and "test/a: given changed" in out
    assert run("diff", "HEAD~1:shop.harness", "shop.harness")[0] == 1


def test_folders_are_matched_by_path(tmp_path: Path, run: Run) -> None:
    for name, text in {
        "a/x/s": SHOP,
        "a/gone": SHOP,
        "b/x/s": POLICY,
        "b/new": version(SHOP, "2.0.0"),
    }.items():
        file = tmp_path / f"{name}.harness"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("tea_shop", Path(name).name))
    status, out, _ = run("diff", tmp_path / "a", tmp_path / "b", "--format", "json")
    found = {file["path"]: file["status"] for file in json.loads(out)["files"]}
    assert (status, found) == (
        0,
        {"gone.harness": "removed", "new.harness": "added", "x/s.harness": "changed"},
    )
    assert run("diff", tmp_path / "a", tmp_path / "a", "--exit-code")[:2] == (0, "no harness differs\n")


def test_a_moved_file_is_found_by_the_name_of_its_harness(repo: Repo, run: Run) -> None:
    repo.git("mv", "shop.harness", "tea.harness")
    repo.commit(tea=POLICY)
    status, out, _ = run("diff", "HEAD~1", "HEAD")
    assert status == 0 and "moved here from shop.harness" in out and "rules/kind: added" in out
    assert "removed" not in out


def test_a_state_with_mistakes_is_said_and_the_others_go_on(repo: Repo, run: Run) -> None:
    repo.commit(shop=SHOP.replace("tool get_quote(", "tool ("), other=SHOP.replace("tea_shop", "other"))
    status, out, _ = run("diff", "HEAD~1", "HEAD")
    assert status == 1 and "HEAD:shop.harness:10:" in out and "error[HD101]" in out
    assert "other.harness\n  added" in out and "/tmp" not in out


def test_markdown_cells_hold_whatever_the_values_hold(repo: Repo, run: Run) -> None:
    repo.commit(shop=SHOP.replace("the host of a tea shop", "a `host` | of *tea*"))
    status, out, _ = run("diff", "HEAD~1", "HEAD", "--format", "markdown")
    rows = [line for line in out.splitlines() if line.startswith("|")]
    cells = [row.replace("\\|", "").count("|") for row in rows]
    assert status == 0 and len(rows) == 3 and set(cells) == {7}
    assert "``You are a `host` \\| of *tea*.``" in rows[2]
    assert "`HEAD~1:shop.harness:16`" in rows[2] and "patch step" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("HEAD", "nowhere"), "`nowhere` is no file, no folder and no git revision"),
        (("HEAD:no.harness", "HEAD"), "`HEAD:no.harness` is no file"),
        (("shop.harness", "."), "`shop.harness` is a file and `.` is a folder"),
        (("--", "HEAD", "HEAD", "../x"), "lies outside the repository"),
        (("shop.harness", "shop.harness", "--", "x"), "go with two git revisions"),
        (("--", "HEAD", "--output=x"), "`--output=x` is no file, no folder and no git revision"),
    ],
)
def test_wrong_operands_are_one_sentence(repo: Repo, run: Run, words: tuple[str, ...], said: str) -> None:
    status, out, error = run("diff", *words)
    assert (status, out) == (2, "") and said in error and error.count("\n") == 1


def test_without_a_repository(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, error = run("diff", "HEAD", "HEAD~1")
    assert status == 2 and "lies in no git repository" in error and error.count("\n") == 1


def test_without_the_git_program(repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    status, _, error = run("diff", "HEAD", "HEAD~1")
    assert status == 2 and "the program `git` is not installed" in error


def test_revisions_of_a_bare_repository(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.commit(shop=POLICY)
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    monkeypatch.chdir(tmp_path / "bare")
    status, out, _ = run("diff", "HEAD~1", "HEAD", "--", "shop.harness")
    assert status == 0 and "rules/kind: added" in out


def test_names_that_are_hard_for_git(repo: Repo, run: Run) -> None:
    path = 'a "b"/茶 店.harness'
    repo.stage(path, SHOP.replace("tea_shop", "x"))
    repo.commit()
    repo.stage(path, POLICY.replace("tea_shop", "x"))
    repo.commit()
    status, out, _ = run("diff", "HEAD~1", "HEAD")
    assert status == 0 and out.startswith(path) and "rules/kind: added" in out


def test_what_may_be_left_out_is_not_said_to_be_missing(run: Run) -> None:
    status, _, err = run("diff", "HEAD~1")
    assert status == 2 and "the following arguments are required: B;" in err
