"""Git as a stranger's machine has it: no settings of the user, nothing of a surrounding hook."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness_dsl.cli.main import main
from tests.history.repositories import SHOP, Repo

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _stranger(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with `shop.harness` at its first commit, which is also the current folder."""
    made = Repo(tmp_path / "work")
    made.commit(shop=SHOP)
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `harnessc`: exit status, standard output, standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(word) for word in words])
        out, error = capsys.readouterr()
        return status, out, error

    return call
