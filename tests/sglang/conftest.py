"""A real SGLang server on a model that this repository makes. Without its environment the tests skip, and
say why.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.engines.sglang_launch import Launch, Server, launched

from .conversation import Conversation, played
from .memorized import learn, model, save

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / ".venv-sglang"
SHARED = Path("/dev/shm")

# A CPU without AMX: native-torch paths. Float32, so that what is compared does not hang on rounding.
FLAGS = (
    *("--device", "cpu", "--dtype", "float32", "--attention-backend", "torch_native"),
    *("--sampling-backend", "pytorch", "--grammar-backend", "xgrammar", "--disable-overlap-schedule"),
    *("--max-total-tokens", "16384", "--mem-fraction-static", "0.3", "--skip-server-warmup"),
    *("--enable-metrics", "--enable-cache-report"),
    # Its scheduler would take a whole core while it waits.
    "--sleep-on-idle",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("sglang")
            # Starting a server takes half a minute on a quiet machine, and minutes on a busy one.
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(900))


@pytest.fixture(scope="session", autouse=True)
def nothing_left() -> Iterator[None]:
    """SGLang 0.5.23 leaves a small file of shared memory for every server that it ends."""
    before = set(SHARED.glob("sglang_loads_*"))
    yield
    for left in set(SHARED.glob("sglang_loads_*")) - before:
        if not in_use(left):
            left.unlink(missing_ok=True)


def in_use(file: Path) -> bool:
    """Whether a process has mapped `file`: it may be that of somebody else's server."""
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with contextlib.suppress(OSError):
            if str(file) in maps.read_text("utf-8", "replace"):
                return True
    return False


@pytest.fixture(scope="session")
def python() -> str:
    """The interpreter of the server's environment."""
    if not (ENVIRONMENT / ".installed").is_file():
        why = ENVIRONMENT / "why-not.txt"
        reason = why.read_text("utf-8").strip() if why.is_file() else "`make test-sglang` builds it"
        pytest.skip(f"there is no real SGLang in {ENVIRONMENT.name}: {reason}")
    return str(ENVIRONMENT / "bin" / "python")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables under which a server runs without a GPU or a network, and leaves its files in one folder."""
    home = str(tmp_path_factory.mktemp("home"))
    places = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR")
    return {
        "SGLANG_USE_CPU_ENGINE": "1",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "TMPDIR": home,
        **dict.fromkeys(places, home),
    }


@pytest.fixture(scope="session")
def conversation() -> Conversation:
    return played()


@pytest.fixture(scope="session")
def model_directory(conversation: Conversation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows the conversation by heart."""
    net = model(conversation.tokenizer, seed=0)
    loss = learn(net, [conversation.row])
    assert loss < 0.05, f"the model did not learn the conversation: its loss is {loss:.3f}"
    path = tmp_path_factory.mktemp("model")
    save(net, path)
    return path


@pytest.fixture(scope="session")
def server(
    python: str,
    environment: dict[str, str],
    model_directory: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """One server for all tests that do not need flags of their own."""
    log = tmp_path_factory.mktemp("log") / "server.log"
    launch = Launch(model_directory, FLAGS, python=python, environment=environment, log=log, ready_s=600)
    with launched(launch) as running:
        yield running
