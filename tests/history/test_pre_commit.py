"""The hooks of `.pre-commit-hooks.yaml` under the real `pre-commit`, on a real repository, offline."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.history.repositories import SHOP, Repo, version

ROOT = Path(__file__).resolve().parents[2]
POLICY = SHOP.replace(
    "  }\n  section tools", '    rule kind """Be kind."""\n      check chars(reply) > 0\n  }\n  section tools'
)
HOOKS = ("harness-check", "harness-fmt", "harness-guard")


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with the three hooks installed, taken from a repository that holds our hook file."""
    folder = Path(sys.executable).parent
    if importlib.util.find_spec("pre_commit") is None or not (folder / "harnessc").exists():
        pytest.skip("pre-commit or harnessc is not installed here: `pip install -e '.[dev]'`")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "pre-commit"))
    source = Repo(tmp_path / "hooks")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source.folder)
    source.git("add", ".")
    source.commit()
    made = Repo(tmp_path / "work")
    revision = source.git("rev-parse", "HEAD").strip()
    listed = "".join(f"      - id: {hook}\n" for hook in HOOKS)
    made.stage(
        ".pre-commit-config.yaml",
        f"repos:\n  - repo: {source.folder}\n    rev: {revision}\n    hooks:\n{listed}",
    )
    made.commit()
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "install"], cwd=made.folder, check=True, capture_output=True
    )
    return made


def commit(repo: Repo, message: str, hooks: tuple[str, ...] = HOOKS) -> tuple[bool, str]:
    """Commits under these hooks; whether it went in, and what was said."""
    done = subprocess.run(
        ["git", "commit", "-m", message],
        cwd=repo.folder,
        env={**os.environ, "SKIP": ",".join(sorted(set(HOOKS) - set(hooks)))},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


def test_commits_are_guarded_as_staged(guarded: Repo) -> None:
    repo = guarded
    repo.stage("shop.harness", SHOP.replace("  turns 6", "      turns 6"))
    went, said = commit(repo, "unformatted", ("harness-fmt",))
    assert not went and "harness fmt" in said and "files were modified by this hook" in said
    repo.git("add", "shop.harness")
    assert repo.git("show", ":shop.harness") == SHOP
    repo.git("commit", "-q", "--no-verify", "-m", "first")

    # The step of the version is on disk and not staged: what is staged does not pass.
    repo.stage("shop.harness", POLICY)
    partly = repo.write("shop.harness", version(POLICY, "1.1.0"))
    went, said = commit(repo, "policy without its version", ("harness-guard",))
    assert not went and "HD901" in said and 'Write "1.1.0"' in said, said
    assert partly.read_text("utf-8") == version(POLICY, "1.1.0")
    assert repo.git("show", ":shop.harness") == POLICY

    # The other way round: what is staged passes, although what is on disk has mistakes.
    repo.git("add", "shop.harness")
    broken = repo.write("shop.harness", version(POLICY, "1.1.0").replace("tool get_quote(", "tool ("))
    went, said = commit(repo, "policy")
    assert went and said.count("Passed") == len(HOOKS), said
    assert "tool (" in broken.read_text("utf-8")
    assert repo.git("show", "HEAD:shop.harness") == version(POLICY, "1.1.0")
