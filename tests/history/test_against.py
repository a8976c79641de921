"""`harnessc guard --against BRANCH`: all that a branch did, judged as one edit."""

import json
from pathlib import Path

import pytest

from tests.history.conftest import Run
from tests.history.repositories import SHOP, Repo, version
from tests.history.test_guard import MEANT, NARROW, POLICY, WORDED, codes, guard

OTHER = SHOP.replace("tea_shop", "other")


@pytest.fixture
def branch(repo: Repo) -> Repo:
    """A branch `work` that was left by `main` one commit ago."""
    repo.git("checkout", "-q", "-b", "work")
    return repo


def on_main(repo: Repo, **files: str) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit(**files)
    repo.git("checkout", "-q", "work")


def test_a_branch_is_judged_from_where_it_began(branch: Repo, run: Run) -> None:
    on_main(branch, shop=NARROW, other=OTHER)
    branch.commit(shop=WORDED)
    branch.commit(shop=POLICY)
    assert guard(run)[0] == 0
    status, files = guard(run, "--against", "main")
    assert status == 1 and list(files) == ["shop.harness"] and codes(files["shop.harness"]) == ["HD901"]
    (edit,) = files["shop.harness"]["edits"]
    base = branch.git("merge-base", "main", "HEAD")[:12]
    assert edit["behaviour"] == "policy" and edit["new_place"] == "shop.harness:20"
    branch.commit(shop=version(POLICY, "1.1.0"))
    assert guard(run, "--against", "main")[0] == 0
    branch.commit(shop=version(NARROW, "2.0.0", MEANT))
    status, files = guard(run, "--against", "main")
    assert status == 0 and files["shop.harness"]["edits"][0]["old_place"] == f"{base}:shop.harness:10"


def test_steps_of_the_version_are_not_counted_twice(branch: Repo, run: Run) -> None:
    """Each commit needs its own step; the branch as a whole needs one."""
    branch.commit(shop=version(POLICY, "1.1.0"))
    branch.commit(shop=POLICY.replace("turns 6", "turns 7").replace("1.0.0", "1.1.0"))
    assert guard(run, "--against", "main")[0] == 0


def test_what_is_staged_counts_and_what_was_taken_back_does_not(branch: Repo, run: Run) -> None:
    branch.commit(shop=NARROW)
    branch.stage("shop.harness", SHOP)
    status, files = guard(run, "--against", "main")
    assert status == 0 and files["shop.harness"]["status"] == "same"
    assert guard(run)[1]["shop.harness"]["status"] == "changed"


def test_renamed_on_the_branch(branch: Repo, run: Run) -> None:
    branch.git("mv", "shop.harness", "tea.harness")
    branch.commit()
    branch.commit(tea=POLICY)
    status, files = guard(run, "--against", "main")
    assert status == 1 and files["tea.harness"]["was"] == "shop.harness" and list(files) == ["tea.harness"]


def test_a_broken_state_before_the_branch_is_looked_past(branch: Repo, run: Run) -> None:
    branch.commit(shop=SHOP.replace("tool get_quote(", "tool ("))
    branch.git("checkout", "-q", "-b", "later")
    branch.commit(shop=POLICY)
    status, files = guard(run, "--against", "work")
    assert status == 1 and codes(files["shop.harness"]) == ["HD901"]
    assert "has mistakes; the edits are those since" in files["shop.harness"]["notes"][0]


def test_against_in_a_bare_repository_head_is_judged(
    branch: Repo, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    branch.git("mv", "shop.harness", "tea.harness")
    branch.commit(tea=POLICY)
    branch.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    monkeypatch.chdir(tmp_path / "bare")
    status, files = guard(run, "--against", "main")
    assert status == 1 and codes(files["tea.harness"]) == ["HD901"]
    assert files["tea.harness"]["was"] == "shop.harness"


@pytest.mark.parametrize("revision", ["nowhere", "HEAD:shop.harness", "--all", "-h", "HEAD^{tree}"])
def test_what_is_no_commit_is_one_sentence(repo: Repo, run: Run, revision: str) -> None:
    status, out, error = run("guard", f"--against={revision}")
    assert (status, out) == (2, "") and f"git knows no commit `{revision}`" in error


def test_histories_with_nothing_in_common(
    repo: Repo, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("checkout", "-q", "--orphan", "alone")
    repo.commit(shop=POLICY)
    status, _, error = run("guard", "--against", "main")
    assert status == 2 and "`main` and HEAD have no commit in common\n" in error
    repo.git("checkout", "-q", "main")
    repo.commit(shop=POLICY)
    repo.git("checkout", "-q", "-b", "work", "HEAD~1")
    repo.commit(shop=WORDED)
    shallow = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.folder}", str(shallow))
    monkeypatch.chdir(shallow)
    status, _, error = run("guard", "--against", "origin/main")
    assert status == 2 and "shallow, fetch the whole history" in error and error.count("\n") == 1


def test_before_the_first_commit(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    new = Repo(tmp_path / "new")
    monkeypatch.chdir(new.folder)
    new.stage("shop.harness", SHOP)
    status, _, error = run("guard", "--against", "HEAD")
    assert status == 2 and "git knows no commit `HEAD`" in error


def test_json_names_the_state_before(branch: Repo, run: Run) -> None:
    branch.commit(shop=version(POLICY, "1.1.0"))
    document = json.loads(run("guard", "--against", "main", "--format", "json")[1])
    assert document["before"] == branch.git("rev-parse", "main").strip()[:12]
    assert json.loads(run("guard", "--format", "json")[1])["before"] == "HEAD"


def test_a_comment_for_a_pull_request(branch: Repo, run: Run) -> None:
    branch.commit(shop=NARROW, other=OTHER)
    status, out, _ = run("guard", "--against", "main", "--format", "markdown")
    assert status == 1 and out.startswith("**2 to correct before this may go in.**\n\n- `shop.harness:1:18`")
    assert "**HD901**" in out and "tool/get\\_quote/param/quantity" in out and "| **narrowing** |" in out
    assert "### `other.harness`\n\n- new: there is no version before it" in out
    branch.commit(shop=version(NARROW, "2.0.0", MEANT))
    status, out, _ = run("guard", "--against", "main", "--format", "markdown")
    assert status == 0 and out.startswith("**This may go in.**\n\n### `other.harness`") and "HD9" not in out
