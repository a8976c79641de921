"""`harnessc guard`: what is staged, judged against HEAD."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness_dsl.cli.check import check
from harness_dsl.cli.guard_tests import Tests
from harness_dsl.history.cache import Cache, cache_folder
from harness_dsl.history.git import Repository
from harness_dsl.history.guarding import Guard
from harness_dsl.history.staged import snapshots, staged
from tests.history.conftest import Run
from tests.history.repositories import SHOP, Repo, version

POLICY = SHOP.replace(
    "  }\n  section tools", '    rule kind """Be kind."""\n      check chars(reply) > 0\n  }\n  section tools'
)
NARROW = SHOP.replace("quantity: int = 1", "quantity: int")
WORDED = SHOP.replace("You are the host", "You are a host")
MEANT = "# acknowledges narrowing: asked for"


def guard(run: Run, *words: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit status, and what is said of each harness by path."""
    status, out, error = run("guard", "--format", "json", *words)
    assert status in (0, 1), error
    document = json.loads(out)
    assert document["passes"] == (status == 0)
    return status, {file["path"]: file for file in document["files"]}


def codes(file: dict[str, Any]) -> list[str]:
    return [found["code"] for found in file["findings"]]


def test_findings_show_the_version_and_say_what_to_write(repo: Repo, run: Run) -> None:
    repo.stage("shop.harness", NARROW)
    status, out, error = run("guard")
    assert status == 1 and "shop.harness:1:18: error[HD901]" in out and 'help: Write "2.0.0".' in out
    assert "tool/get_quote/param/quantity" in out and "# acknowledges narrowing: why" in out
    assert error == "1 file, 1 changed: 2 findings\n"


def test_notes_of_what_may_go_in(repo: Repo, run: Run) -> None:
    repo.stage("shop.harness", WORDED)
    _, files = guard(run)
    assert "1.0.1" in files["shop.harness"]["notes"][0]
    assert "evaluate the model" in files["shop.harness"]["notes"][1]


def test_an_acknowledgement_holds_for_one_edit_only(repo: Repo, run: Run) -> None:
    repo.commit(shop=version(NARROW, "2.0.0", MEANT))
    again = NARROW.replace("link_id: int(min: 1)", "link_id: int(min: 2)")
    repo.stage("shop.harness", version(again, "3.0.0", MEANT))
    _, files = guard(run)
    assert codes(files["shop.harness"]) == ["HD902"]
    assert "earlier edit" in files["shop.harness"]["findings"][0]["help"]
    repo.stage("shop.harness", version(again, "3.0.0", MEANT + " again"))
    assert guard(run)[0] == 0


def test_the_index_is_judged_and_not_the_disk(repo: Repo, run: Run) -> None:
    repo.stage("shop.harness", POLICY)
    repo.write("shop.harness", version(POLICY, "1.1.0"))
    assert codes(guard(run)[1]["shop.harness"]) == ["HD901"]
    repo.stage("shop.harness", version(POLICY, "1.1.0"))
    file = repo.write("shop.harness", "broken {")
    assert guard(run)[0] == 0
    assert file.read_text() == "broken {"
    assert repo.git("diff", "--cached", "--name-only") == "shop.harness\n"


def test_mistakes_layout_and_warnings(repo: Repo, run: Run) -> None:
    repo.stage("shop.harness", SHOP.replace("results(get_quote)", "results(get_qote)"))
    assert codes(guard(run)[1]["shop.harness"]) == ["HD202"]
    repo.stage("shop.harness", SHOP.replace("limits {", "type Quote = string\n\nlimits {"))
    for _ in ("judged", "from the cache"):
        (twice,) = guard(run)[1]["shop.harness"]["findings"]
        assert twice["code"] == "HD201" and twice["labels"][0]["line"] == 4
    repo.stage("shop.harness", SHOP.replace("  turns 6", "      turns 6"))
    status, out, _ = run("guard")
    assert status == 1 and "error[HD905]" in out and "harnessc fmt shop.harness" in out
    repo.stage("shop.harness", SHOP.replace("\n", "\r\n"))
    assert codes(guard(run)[1]["shop.harness"]) == ["HD905"]


def test_edit_and_revert_is_nothing(repo: Repo, run: Run) -> None:
    repo.stage("shop.harness", NARROW)
    repo.stage("shop.harness", SHOP)
    status, files = guard(run)
    assert (status, files["shop.harness"]["status"]) == (0, "same")


def test_a_renamed_file_keeps_its_history(repo: Repo, run: Run) -> None:
    repo.git("mv", "shop.harness", "tea.harness")
    status, files = guard(run)
    assert status == 0 and files["tea.harness"]["was"] == "shop.harness" and list(files) == ["tea.harness"]
    repo.stage("tea.harness", NARROW)
    assert codes(guard(run)[1]["tea.harness"]) == ["HD901", "HD902"]
    # So much is different that git sees another file; the name in the header tells.
    repo.stage("tea.harness", 'harness tea_shop "1.0.1"\n\nprompt system {\n  section a """Hello."""\n}\n')
    status, files = guard(run)
    assert files["tea.harness"]["was"] == "shop.harness" and "HD902" in codes(files["tea.harness"])


def test_new_and_removed_files(repo: Repo, run: Run) -> None:
    repo.git("rm", "-q", "shop.harness")
    repo.stage("other.harness", 'harness other "1.0.0"\n\nprompt system {\n  section a """Hello."""\n}\n')
    repo.stage("third.harness", "harness")
    status, files = guard(run)
    assert status == 1 and {path: file["status"] for path, file in files.items()} == {
        "shop.harness": "removed",
        "other.harness": "added",
        "third.harness": "added",
    }
    assert [path for path, file in files.items() if not file["passes"]] == ["third.harness"]


def test_a_broken_head_is_no_way_around_the_rule(repo: Repo, run: Run) -> None:
    for broken in ("tool (", "tool 7("):
        repo.commit(shop=SHOP.replace("tool get_quote(", broken))
    repo.stage("shop.harness", NARROW)
    status, files = guard(run)
    assert status == 1 and codes(files["shop.harness"]) == ["HD901", "HD902"]
    assert "the edits are those since" in files["shop.harness"]["notes"][0]
    repo.stage("shop.harness", SHOP)
    assert guard(run)[0] == 0


def test_without_any_good_state_only_the_staged_one_is_checked(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Repo(tmp_path / "new")
    monkeypatch.chdir(repo.folder)
    repo.commit(shop="harness")
    repo.stage("shop.harness", NARROW)
    status, files = guard(run)
    assert status == 0 and "cannot be named" in files["shop.harness"]["notes"][0]


def test_files_that_are_only_announced_are_not_in_the_commit(repo: Repo, run: Run) -> None:
    repo.write("new.harness", SHOP)
    repo.git("add", "-N", "new.harness")
    assert list(guard(run)[1]) == ["shop.harness"]
    repo.stage("empty.harness", "")
    status, files = guard(run)
    assert status == 1 and list(files) == ["empty.harness", "shop.harness"]


def test_bytes_that_are_no_text(repo: Repo, run: Run) -> None:
    (repo.folder / "shop.harness").write_bytes(b"harness \xff")
    repo.git("add", ".")
    (repo.folder / "a\udcff.harness").write_text(SHOP)
    repo.git("add", ".")
    status, files = guard(run)
    assert status == 1 and codes(files["shop.harness"]) == ["HD111"] and len(files) == 2


def test_the_first_commit(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(tmp_path / "new")
    monkeypatch.chdir(repo.folder)
    assert guard(run) == (0, {})
    repo.stage("shop.harness", SHOP)
    status, files = guard(run)
    assert (status, files["shop.harness"]["status"]) == (0, "added")


def test_what_is_no_place_to_commit(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    for folder, said in (
        (tmp_path, "no git repository"),
        (tmp_path / "bare", "bare repository has no index"),
    ):
        monkeypatch.chdir(folder)
        status, out, error = run("guard")
        assert (status, out) == (2, "") and said in error and error.count("\n") == 1
    monkeypatch.chdir(repo.folder)
    status, _, error = run("guard", "nothing.harness")
    assert status == 2 and "`nothing.harness` is not in the index" in error


def test_conflicts_are_said(repo: Repo, run: Run) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(shop=WORDED)
    repo.git("checkout", "-q", "main")
    repo.commit(shop=SHOP.replace("You are the host", "You are her host"))
    with pytest.raises(AssertionError):
        repo.git("merge", "-q", "side")
    status, _, error = run("guard")
    assert status == 2 and "`shop.harness` has conflicts of a merge" in error


def test_only_what_a_path_touches(repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.stage("a/x.harness", SHOP.replace("tea_shop", "x"))
    repo.stage("b/y.harness", SHOP.replace("tea_shop", "y"))
    assert list(guard(run, "a")[1]) == ["a/x.harness"]
    monkeypatch.chdir(repo.folder / "a")
    assert list(guard(run, "x.harness", "../shop.harness")[1]) == ["a/x.harness", "shop.harness"]
    assert len(guard(run)[1]) == 3


def with_test(text: str) -> str:
    return (
        text.replace('link."""\n', 'link."""\n  impl python "tools:quote"\n', 1)
        + '\ntest "a price" {\n  user "3?"\n  expect call get_quote(link_id: 3)\n'
        '  expect reply states price = 89 "CNY"\n}\n'
    )


def put_tools(repo: Repo, price: str) -> None:
    repo.stage("harness.toml", '[runtime]\nallow = ["tools"]\n')
    repo.stage("tools.py", f"def quote(link_id, quantity=1):\n    return {{'amount': {price}}}\n")


def test_a_minor_edit_needs_passing_tests_of_the_staged_files(repo: Repo, run: Run) -> None:
    put_tools(repo, "89")
    repo.commit(shop=with_test(SHOP))
    put_tools(repo, "1 / 0")
    repo.write("tools.py", "def quote(link_id, quantity=1):\n    return {'amount': 89}\n")
    repo.stage("shop.harness", with_test(version(POLICY, "1.1.0")))
    status, files = guard(run)
    assert status == 1 and codes(files["shop.harness"]) == ["HD904"]
    assert files["shop.harness"]["findings"][0]["line"] > 20
    repo.git("add", "tools.py")
    status, files = guard(run)
    assert status == 0 and files["shop.harness"]["tests"] == {"passed": 1, "run": 1}


FAILED = {"test/a_price": ("tool/get_quote does not work: the tool has no implementation",)}


@pytest.mark.parametrize(
    ("implemented", "results", "expected"),
    [
        (True, Tests(1, 1, {}), []),
        (True, Tests(0, 1, FAILED), ["HD904"]),
        (False, Tests(0, 1, FAILED), []),
        (False, Tests(0, 1, {"test/a_price": ("it says nothing",)}), ["HD904"]),
        (True, Tests(0, 0, {}, "no module named `tools`"), ["HD904"]),
    ],
)
def test_results_of_tests(repo: Repo, implemented: bool, results: Tests, expected: list[str]) -> None:
    old, new = with_test(SHOP), with_test(version(POLICY, "1.1.0"))
    if not implemented:
        old, new = (text.replace('  impl python "tools:quote"\n', "") for text in (old, new))
    repo.commit(shop=old)
    repo.stage("shop.harness", new)
    head, index = snapshots(Repository())
    with head, index:
        (one,) = staged(head, index, [])
        judged = Guard(head, index, Cache(None), check, lambda path: results).judge(one)
    assert [found.code for found in judged.findings] == expected
    assert any("cannot be run here" in note for note in judged.notes) == (not implemented and not expected)


def test_places_in_results_are_those_of_the_repository(repo: Repo) -> None:
    repo.commit(shop=with_test(SHOP))
    repo.stage("shop.harness", with_test(version(POLICY, "1.1.0")))
    head, index = snapshots(Repository())
    with head, index:
        (one,) = staged(head, index, [])
        failing = Guard(
            head,
            index,
            Cache(None),
            check,
            lambda path: Tests(0, 1, {"test/a_price": (f"denied ({path}:3)",)}),
        )
        (found,) = failing.judge(one).findings
    assert str(index.folder) not in found.message and "shop.harness:3)" in found.message


def test_coverage_by_the_manifest_of_the_project(repo: Repo, run: Run) -> None:
    repo.stage("harness.toml", '[guard]\nmanifest = "runs/manifest.json"\n')
    repo.stage("shop.harness", WORDED)
    _, files = guard(run)
    assert "there is no `runs/manifest.json`" in files["shop.harness"]["notes"][0]
    repo.write("runs/manifest.json", '{"operators": {"wordings": 3}}')
    _, files = guard(run)
    assert files["shop.harness"]["edits"][0]["coverage"] == "inside"
    repo.stage("runs/manifest.json", '{"operators": {"rename": 3}}')
    assert "outside what the model was trained on" in run("guard")[1]
    for settings, said in (
        ("[guard", "harness.toml:1:"),
        ("[guard]\nmanifest = 1", "`guard.manifest` is the path of a file"),
        ("[guard]\nmanifst = 'x'", "`guard.manifst` is unknown"),
    ):
        repo.stage("harness.toml", settings)
        status, shown, _ = run("guard")
        assert status == 1 and said in shown and "error[HD121]" in shown
    repo.stage("harness.toml", "[guard]\nmanifest = 'harness.toml'")
    status, _, error = run("guard")
    assert status == 2 and "is no manifest" in error and error.count("\n") == 1


def test_unchanged_files_come_from_a_cache_that_is_safe_to_delete(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.stage("bad.harness", SHOP.replace("tea_shop", "bad").replace("  turns 6", "      turns 6"))
    first = run("guard")
    assert first[0] == 1 and "error[HD905]" in first[1]
    with monkeypatch.context() as patched:
        patched.setattr("harness_dsl.cli.check.check", lambda *_: pytest.fail("checked again"))
        assert run("guard") == first
    answers = list(cache_folder().glob("*.json"))
    assert len(answers) == 2
    for answer in answers:
        answer.write_text("{")
    assert run("guard") == first
    for answer in answers:
        answer.unlink()
    assert run("guard") == first == run("guard", "--no-cache")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    assert run("guard") == first


def test_the_cache_forgets_the_older_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness_dsl.cache.MOST", 3)
    cache = Cache(tmp_path)
    for number in range(4):
        cache.put(str(number), {"n": number})
        (tmp_path / f"{number}.json").touch()
    cache.trim()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["2.json", "3.json"]
    assert cache.get("3") == {"n": 3} and cache.get("0") is None


MODULE = """module common "1.0.0"

prompt system {
  section manners unordered {
    rule kind \"\"\"Be kind.\"\"\"
      check chars(reply) > 0
  }
}
"""


def test_an_edited_module_and_its_importers_answer_for_it(repo: Repo, run: Run) -> None:
    text = SHOP.replace("\ntype", '\nimport "lib/common.harness" as common\n\ntype', 1).replace(
        "  section tools", "  use common.manners\n  section tools", 1
    )
    repo.stage("lib/common.harness", MODULE)
    repo.stage("harness.toml", "")
    repo.commit(shop=text, other=SHOP.replace("tea_shop", "other"))
    assert guard(run)[0] == 0
    repo.stage("lib/common.harness", MODULE.replace("chars(reply) > 0", "chars(reply) > 1"))
    status, files = guard(run)
    assert status == 1 and {path: codes(file) for path, file in files.items()} == {
        "lib/common.harness": ["HD901"],
        "other.harness": [],
        "shop.harness": ["HD901"],
    }
    (edit,) = files["shop.harness"]["edits"]
    assert edit["new_place"] == "lib/common.harness:5" and edit["behaviour"] == "policy"
    (own,) = files["lib/common.harness"]["edits"]
    assert (own["id"], own["behaviour"], own["new_place"]) == (edit["id"], "policy", "lib/common.harness:5")
    assert list(guard(run, "lib")[1]) == ["lib/common.harness", "shop.harness"]
    edited = MODULE.replace("chars(reply) > 0", "chars(reply) > 1")
    repo.stage("lib/common.harness", version(edited, "1.1.0"))
    assert {path: codes(file) for path, file in guard(run)[1].items()}["lib/common.harness"] == []
    repo.commit(shop=version(text, "1.1.0"))
    status, out, _ = run("diff", "HEAD~1", "HEAD", "--", "shop.harness")
    assert status == 0 and "HEAD~1:lib/common.harness:5 → HEAD:lib/common.harness:5" in out
    assert guard(run)[0] == 0
    repo.git("rm", "-q", "lib/common.harness")
    status, files = guard(run)
    assert status == 1 and codes(files["shop.harness"])[0] == "HD210"


def test_a_version_that_goes_back_does_not_go_in(repo: Repo, run: Run) -> None:
    repo.commit(shop=version(SHOP, "2.1.0"))
    for text in (version(WORDED, "1.9.0"), version(SHOP, "1.9.0")):
        repo.stage("shop.harness", text)
        status, files = guard(run)
        shop = files["shop.harness"]
        assert (status, codes(shop), shop["passes"], shop["verdict"]["allowed"]) == (
            1,
            ["HD901"],
            False,
            False,
        )
    repo.stage("shop.harness", version(WORDED, "2.1.0"))
    status, files = guard(run)
    shop = files["shop.harness"]
    assert (status, shop["passes"], shop["verdict"]["allowed"]) == (0, True, True)
    assert shop["verdict"]["version_suffices"] is False
