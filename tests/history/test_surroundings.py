"""`harnessc guard` and `diff` in repositories as people have them: worktrees, submodules, merges."""

import time
from pathlib import Path

import pytest

from tests.history.conftest import Run
from tests.history.repositories import SHOP, Repo, version
from tests.history.test_guard import MODULE, NARROW, POLICY, WORDED, codes, guard


def test_a_linked_worktree_has_its_own_index(
    repo: Repo, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    (tmp_path / "linked" / "shop.harness").write_text(NARROW)
    monkeypatch.chdir(tmp_path / "linked")
    run("diff", "HEAD", "shop.harness")
    assert guard(run)[1]["shop.harness"]["status"] == "same"
    Repo.at(tmp_path / "linked").git("add", ".")
    assert codes(guard(run)[1]["shop.harness"]) == ["HD901", "HD902"]
    monkeypatch.chdir(repo.folder)
    assert guard(run)[0] == 0


def test_a_submodule_is_another_repository(
    repo: Repo, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = Repo(tmp_path / "inner")
    inner.stage("common.harness", MODULE)
    inner.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.folder), "lib")
    status, files = guard(run)
    assert status == 0 and list(files) == ["shop.harness"]
    repo.commit()
    (repo.folder / "lib" / "common.harness").write_text(MODULE.replace("> 0", "> 1"))
    assert guard(run)[0] == 0
    monkeypatch.chdir(repo.folder / "lib")
    Repo.at(repo.folder / "lib").git("add", ".")
    assert codes(guard(run)[1]["common.harness"]) == ["HD901"]


def test_an_import_from_a_submodule_is_said_to_be_missing(repo: Repo, run: Run, tmp_path: Path) -> None:
    """Git keeps a submodule's commit and not its files, so what is staged cannot be compiled."""
    inner = Repo(tmp_path / "inner")
    inner.stage("common.harness", MODULE)
    inner.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.folder), "lib")
    text = SHOP.replace("\ntype", '\nimport "lib/common.harness" as common\n\ntype', 1)
    repo.stage("shop.harness", text)
    status, files = guard(run)
    assert status == 1 and codes(files["shop.harness"])[0] == "HD210"


@pytest.mark.parametrize("setting", ["true", "input"])
def test_line_ends_of_the_disk_are_not_those_of_the_index(repo: Repo, run: Run, setting: str) -> None:
    repo.git("config", "core.autocrlf", setting)
    (repo.folder / "shop.harness").write_bytes(WORDED.replace("\n", "\r\n").encode())
    repo.git("add", ".")
    status, files = guard(run)
    assert status == 0 and [edit["behaviour"] for edit in files["shop.harness"]["edits"]] == ["wording"]
    assert run("diff", "HEAD", "shop.harness")[0] == 0


def test_files_that_a_sparse_checkout_leaves_out_are_judged_too(repo: Repo, run: Run) -> None:
    repo.stage("a/x.harness", SHOP.replace("tea_shop", "x"))
    repo.stage("b/y.harness", SHOP.replace("tea_shop", "y"))
    repo.commit()
    repo.git("sparse-checkout", "set", "a")
    assert not (repo.folder / "b").exists()
    status, files = guard(run)
    assert status == 0 and list(files) == ["a/x.harness", "b/y.harness", "shop.harness"]
    repo.stage("a/x.harness", POLICY.replace("tea_shop", "x"))
    status, files = guard(run)
    assert status == 1 and [path for path, file in files.items() if not file["passes"]] == ["a/x.harness"]


def test_paths_that_are_not_ascii(repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.stage("茶 店/“é”.harness", SHOP.replace("tea_shop", "x"))
    repo.commit()
    repo.git("mv", "茶 店", "店\t'\"")
    repo.stage("店\t'\"/“é”.harness", POLICY.replace("tea_shop", "x"))
    status, files = guard(run)
    assert status == 1 and files["店\t'\"/“é”.harness"]["was"] == "茶 店/“é”.harness"
    monkeypatch.chdir(repo.folder / "店\t'\"")
    assert list(guard(run, "“é”.harness")[1]) == ["店\t'\"/“é”.harness"]


def merging(repo: Repo, side: str, main: str) -> None:
    """A merge of two branches that both changed `shop.harness`, stopped at the conflict."""
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(shop=side)
    repo.git("checkout", "-q", "main")
    repo.commit(shop=main)
    with pytest.raises(AssertionError):
        repo.git("merge", "-q", "side")


def test_a_resolved_merge_is_judged_against_head(repo: Repo, run: Run) -> None:
    merging(repo, version(POLICY, "1.1.0"), version(SHOP.replace("turns 6", "turns 7"), "1.2.0"))
    status, out, error = run("guard")
    assert (status, out) == (2, "") and "`shop.harness` has conflicts of a merge" in error
    both = POLICY.replace("turns 6", "turns 7")
    repo.stage("shop.harness", version(both, "1.2.0"))
    assert codes(guard(run)[1]["shop.harness"]) == ["HD901"]  # 1.2.0 is on main already, with less in it
    repo.stage("shop.harness", version(both, "1.3.0"))
    assert guard(run)[0] == 0
    assert guard(run, "--against", "side")[0] == 0
    repo.commit()
    assert guard(run, "--against", "main~1")[0] == 0


def test_a_merge_without_conflicts_may_need_a_step_of_its_own(repo: Repo, run: Run) -> None:
    """Two branches may both have taken the step to 1.1.0; the merge of the two is more than either."""
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(shop=version(POLICY, "1.1.0"))
    assert guard(run, "--against", "main")[0] == 0
    repo.git("checkout", "-q", "main")
    repo.commit(shop=version(SHOP.replace("turns 6", "turns 7"), "1.1.0"))
    repo.git("merge", "-q", "side")
    assert codes(guard(run, "--against", "main~1")[1]["shop.harness"]) == ["HD901"]


def test_markers_of_a_conflict_that_were_staged_are_mistakes(repo: Repo, run: Run) -> None:
    merging(repo, version(POLICY, "1.1.0"), version(WORDED, "1.0.1"))
    repo.git("add", "shop.harness")
    status, files = guard(run)
    assert status == 1 and codes(files["shop.harness"]) == ["HD122"]


def test_the_index_that_a_hook_of_git_names_is_read(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`git commit FILE` runs its hooks with an index of its own."""
    other = repo.folder / ".git" / "next-index"
    monkeypatch.setenv("GIT_INDEX_FILE", str(other))
    repo.git("read-tree", "HEAD")
    repo.stage("shop.harness", NARROW)
    assert codes(guard(run)[1]["shop.harness"]) == ["HD901", "HD902"]
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert guard(run)[0] == 0


def test_a_harness_that_is_a_link_or_has_become_a_folder(repo: Repo, run: Run) -> None:
    repo.git("rm", "-q", "shop.harness")
    repo.stage("real.txt", SHOP)
    (repo.folder / "shop.harness").symlink_to("real.txt")
    repo.git("add", ".")
    status, files = guard(run)
    assert status == 0 and files["shop.harness"]["status"] == "removed"
    (repo.folder / "shop.harness").unlink()
    repo.stage("shop.harness/x.harness", SHOP)
    status, files = guard(run)
    assert status == 0 and files["shop.harness/x.harness"]["was"] == "shop.harness"


def test_many_unchanged_files_cost_little(repo: Repo, run: Run) -> None:
    """What a commit does not touch is answered from the cache: the work is counted, not timed."""
    for number in range(60):
        repo.write(f"s/{number}.harness", SHOP.replace("tea_shop", f"shop_{number}"))
    repo.git("add", ".")
    repo.commit()
    assert guard(run)[0] == 0
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("harness_dsl.cli.check.check", lambda *_: pytest.fail("checked again"))
        patched.setattr("harness_dsl.history.git.subprocess.run", counted := Counted())
        start = time.process_time()
        assert run("guard")[0] == 0
        assert time.process_time() - start < 5
    assert counted.calls < 12


class Counted:
    """`subprocess.run`, counting how often it is called."""

    def __init__(self) -> None:
        import subprocess

        self.calls, self._run = 0, subprocess.run

    def __call__(self, *words: object, **options: object) -> object:
        self.calls += 1
        return self._run(*words, **options)  # type: ignore[call-overload]
