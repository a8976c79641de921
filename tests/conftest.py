"""Hypothesis profiles, slow and GPU switches, golden files, and the corpora beside the checkout."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
CORPORA = ROOT.parent / "shared" / "corpora"

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("fast", max_examples=25, **_COMMON)
settings.register_profile("ci", max_examples=40, derandomize=True, print_blob=True, **_COMMON)
settings.register_profile("thorough", max_examples=1000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-slow", action="store_true", help="run the tests marked slow")
    parser.addoption("--run-gpu", action="store_true", help="run the tests marked gpu")
    parser.addoption("--run-sglang", action="store_true", help="run the tests against a real SGLang server")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "golden" in getattr(item, "fixturenames", ()) or item.path.name == "test_golden.py":
            item.add_marker("golden")
    switches = (
        ("slow", "--run-slow", "test-slow"),
        ("gpu", "--run-gpu", "gpu"),
        ("sglang", "--run-sglang", "test-sglang"),
    )
    for mark, option, target in switches:
        if config.getoption(option):
            continue
        skip = pytest.mark.skip(reason=f"{mark}: run it with `make {target}`")
        for item in items:
            if mark in item.keywords:
                item.add_marker(skip)


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What commands keep for the next run is not put beside what the user keeps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of real material; tests that read it skip, and say so, where it is absent."""
    if not CORPORA.is_dir():
        pytest.skip(f"needs the corpora in {CORPORA}, which are not here")
    return CORPORA


class Golden:
    """Compares text with a file under tests/golden, or rewrites it when UPDATE_GOLDEN=1."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def check(self, name: str, text: str) -> None:
        path = self.folder / name
        if os.environ.get("UPDATE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            return
        assert path.is_file(), f"no golden file {path.name}: `make update-golden` writes it"
        assert text == path.read_text("utf-8"), f"{name} differs: `make update-golden`, then read the diff"


@pytest.fixture(scope="session")
def golden() -> Golden:
    return Golden(ROOT / "tests" / "golden")
