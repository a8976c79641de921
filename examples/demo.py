"""The whole journey on two cores: compile, augment, train twice, evaluate, serve and hot-swap.

    make demo

Prints what is measured, whatever it is, and writes build/demo/results.json and build/demo/results.png.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text
from ruamel.yaml import YAML

if TYPE_CHECKING:
    from augmentors.banks import Pool
    from trainer.demo import Results

ROOT = Path(__file__).resolve().parent.parent
SHOP = Path("examples/live_shop/shop.harness")
MINI = Path("examples/live_shop/shop_mini.harness")
CONFIG = Path("examples/live_shop/configs/sft_mini.yaml")
ROOM = Path("examples/live_shop/rooms/beauty.yaml")
OUT = Path("build/demo")
VARIANTS = 100
ITEMS = 200
SHOP_EDITS = (("quantity: int(min: 1, max: 5) = 1", "quantity: int(min: 1, max: 3) = 1"),)
MINI_EDITS = (
    ('harness shop_mini "1.0.0"', 'harness shop_mini "1.1.0"'),
    ("tool get_quote(", 'tool get_quote named "ask_cost" ('),
    ('opener "亲" in', 'opener "各位" in'),
)
QUESTIONS = ("3号链接多少钱", "5号还有货吗", "5号多少钱")

console = Console(width=min(Console().width, 118), highlight=False)


def main() -> int:
    os.chdir(ROOT)
    # A finished training run is read, not repeated: the demo measures anew each time.
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    started = time.monotonic()
    compile_step()
    augment_step()
    results = train_step()
    serve_step(results.hsa.model)
    seconds = round(time.monotonic() - started, 1)
    report = {**results.as_json(), "seconds": seconds}
    (OUT / "results.json").write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", "utf-8")
    console.print(f"\nAll of it took {seconds:.0f} s. Results: {OUT / 'results.json'}, {OUT / 'results.png'}")
    return 0


def compile_step() -> None:
    heading(
        "1. Compile",
        "A harness is a typed program. It is checked, laid out and compiled to a Core (what it means) and a "
        "Surface (how it is shown). An edit is judged by what it changes for code and for the model.",
    )
    for path in (SHOP, MINI):
        harnessc("check", path)
        harnessc("fmt", "--check", path)
        harnessc("compile", path, "-o", OUT / f"{path.stem}.ir.json")
    edited = write_edit(SHOP, SHOP_EDITS)
    harnessc("diff", SHOP, edited, findings=True)


def augment_step() -> None:
    heading(
        "2. Augment",
        "The same harness, shown in other ways: new names, other orders, tools that do not matter. "
        "An independent checker proves what each certificate claims.",
    )
    rows = OUT / "variants.jsonl"
    harnessc("augment", SHOP, "-n", str(VARIANTS), "--seed", "0", "-o", rows, quiet=True)
    harnessc("verify", rows, "--harness", SHOP)
    show_variant()


def show_variant() -> None:
    from augmentors.policy import Policy
    from augmentors.variants import draw
    from harness_dsl.protocol.protocol import Protocol
    from harness_dsl.protocol.tokenizer import HFTokenizer
    from harness_dsl.syntax.compile import compile_file
    from trainer.sft.config import load_config

    compiled = compile_file(MINI)
    assert compiled.core is not None and compiled.surface is not None
    config = load_config(CONFIG)
    policy = Policy.load(config.policy) if config.policy else Policy.default()
    variant = draw(compiled.core, compiled.surface, policy, 0, 1)
    operators = ", ".join(step.operator for step in variant.certificate.operators)
    tokenizer = HFTokenizer.from_file(config.base)
    shown = (
        ("the compact shop, as its file shows it", compiled.core, compiled.surface),
        (f"one variant of it: {operators}", variant.core, variant.surface),
    )
    width = (console.width - 2) // 2
    texts = [Protocol(core, surface, tokenizer).render({}).text for _, core, surface in shown]
    console.print(
        Columns(
            [
                Panel(Text(text), title=title, width=width)
                for (title, _, _), text in zip(shown, texts, strict=True)
            ],
            padding=(0, 1),
        )
    )


def train_step() -> Results:
    from trainer.demo import run_arms

    heading(
        "3. Train, and 4. evaluate",
        "One small model is trained twice for the same steps on the compact shop: always as its file shows "
        "it (fixed), and under a fresh variant per row (HSA). Both then answer questions they have not seen: "
        "on their own harness, on variants with names that training never drew, and after an edit of a rule.",
    )
    columns = (TextColumn("{task.description:24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bars = {arm: progress.add_task(f"{arm}: starting", total=None) for arm in ("fixed", "hsa")}

        def report(arm: str, what: str, at: int, of: int) -> None:
            progress.update(bars[arm], description=f"{arm}: {what}", completed=at, total=of)

        results = run_arms(CONFIG, OUT, ITEMS, report)
        for arm, bar in bars.items():
            progress.update(bar, description=f"{arm}: done", completed=1, total=1)
    show_results(results)
    return results


def show_results(results: Results) -> None:
    from trainer.demo import ARMS, SUITES
    from trainer.evaluate.plot import plot_scores
    from trainer.sft.config import load_config

    arms = {arm: getattr(results, arm) for arm in ARMS}
    table = Table(title=f"right answers (calls and reply), % with 95 % Wilson interval, {ITEMS} items a cell")
    for column in ("arm", "own harness", "unseen names", "edit uptake", "rows", "shown as", "tokens"):
        table.add_column(column, justify="left" if column == "arm" else "right")
    for name, arm in arms.items():
        cells = [
            f"{100 * score.share:.1f} [{100 * score.low:.0f}–{100 * score.high:.0f}]"
            for score in (arm.score(suite) for suite in SUITES)
        ]
        seen = arm.manifest
        table.add_row(name, *cells, f"{seen.rows:,}", f"{seen.surfaces:,}", f"{seen.tokens:,}")
    console.print(table)
    console.print(
        f"{load_config(CONFIG).steps} steps an arm; the prompt of {MINI.name} has "
        f"{results.fixed.manifest.prompt_tokens} tokens. Tool names of training: {name_pool('train')}. "
        f"Of the evaluation: {name_pool('held-out')}; the two pools have no word in common."
    )
    plot_scores(
        {name: [arm.score(suite) for suite in SUITES] for name, arm in arms.items()},
        OUT / "results.png",
        title="the same model, trained on one harness and on its variants",
    )


def name_pool(pool: Pool) -> str:
    """How many verbs and nouns names are drawn from, and one example."""
    from augmentors.banks import word_pool

    words = word_pool(pool)
    return f"{len(words.verbs)} verbs × {len(words.nouns)} nouns (such as {words.verbs[0]}_{words.nouns[0]})"


def serve_step(model: Path) -> None:
    heading(
        "5. Serve",
        "The model that was trained on variants answers over HTTP. Then an edited harness is activated: the "
        "price tool has another name, and every reply must begin with another word. Nothing is restarted.",
    )
    edited = write_edit(MINI, MINI_EDITS)
    harnessc("diff", MINI, edited, findings=True)
    compiled = OUT / "shop_mini_edited.ir.json"
    harnessc("compile", edited, "-o", compiled)
    with server(model) as service:
        conversation(service)
        activated = service.post("/admin/harness", json.loads(compiled.read_text("utf-8")))
        console.print(f"  [bold]activated[/] version {activated['version']} while the room is open")
        conversation(service)


def conversation(service: Service) -> None:
    for question in QUESTIONS:
        turn = service.post("/v1/rooms/demo/danmaku", {"text": question})
        console.print(f"  viewer  {question}")
        for call in turn["calls"]:
            value = call.get("value", call.get("failure"))
            console.print(f"    call  {call['tool']} {call['arguments']} → {value}", style="dim")
        milliseconds = turn["milliseconds"]["total"]
        console.print(
            f"  host    [bold]{turn['reply']}[/]   (version {turn['version']}, {milliseconds:.0f} ms)"
        )
        for call in turn["calls"]:
            if call["tool"] == "tool/get_quote":
                check_price(call["arguments"].get("link_id"), turn["reply"] or "")


def check_price(link: Any, reply: str) -> None:
    """Hold the reply against the catalogue itself, not against what the tool said."""
    from harness_dsl.ir.quantities import prices

    room = YAML(typ="safe").load(ROOM.read_text("utf-8"))
    price = next((product["price"] for product in room["products"] if product["link_id"] == link), None)
    said = [float(value) for value in prices(reply)]
    verdict = "[green]as in the catalogue[/]" if said == [price] else f"[red]the catalogue says {price}[/]"
    console.print(f"    price {verdict}", style="dim")


class Service:
    """The running server, spoken to over HTTP."""

    def __init__(self, port: int, token: str) -> None:
        self._url = f"http://127.0.0.1:{port}"
        self._token = token

    def post(self, path: str, body: Any) -> Any:
        data = json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"}
        request = urllib.request.Request(self._url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def wait(self, process: subprocess.Popen[bytes], seconds: float = 180) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and process.poll() is None:
            try:
                urllib.request.urlopen(self._url + "/readyz", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        raise SystemExit(f"the server did not start; see {OUT / 'serve.log'}")


@contextmanager
def server(model: Path) -> Iterator[Service]:
    """`harnessc serve` on a free port of loopback, ready to answer; stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_urlsafe()
    arguments = [
        "serve",
        MINI,
        "--model",
        model,
        "--room",
        ROOM,
        "--port",
        port,
        "--admin-token-env",
        "DEMO_TOKEN",
    ]
    say_command(arguments)
    with (OUT / "serve.log").open("wb") as log:
        process = subprocess.Popen(
            command(arguments), stdout=log, stderr=subprocess.STDOUT, env={**os.environ, "DEMO_TOKEN": token}
        )
        try:
            service = Service(port, token)
            service.wait(process)
            yield service
        finally:
            process.terminate()
            process.wait(timeout=30)


def write_edit(path: Path, edits: tuple[tuple[str, str], ...]) -> Path:
    """A copy of the harness, with its tools and fixtures, in which each `old` is replaced by its `new`."""
    text = path.read_text("utf-8")
    for old, new in edits:
        assert text.count(old) == 1, f"{path} no longer has exactly one `{old}`"
        text = text.replace(old, new)
    folder = OUT / "edited"
    shutil.copytree(path.parent, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    target = folder / path.name
    target.write_text(text, "utf-8")
    return target


def harnessc(*arguments: object, findings: bool = False, quiet: bool = False) -> None:
    """Run one command as a user would. Exit status 1 is a fault unless `findings` are the point."""
    say_command(arguments)
    done = subprocess.run(command(arguments), capture_output=True, text=True, encoding="utf-8")
    shown = (done.stdout + done.stderr).strip()
    if shown and not (quiet and done.returncode == 0):
        console.print(Text(shown))
    if done.returncode not in ((0, 1) if findings else (0,)):
        raise SystemExit(done.returncode)


def command(arguments: Any) -> list[str]:
    return [sys.executable, "-m", "harness_dsl.cli.main", *map(str, arguments)]


def say_command(arguments: Any) -> None:
    console.print(Text("$ harnessc " + shlex.join(map(str, arguments)), style="cyan"))


def heading(title: str, explanation: str) -> None:
    console.rule(f"[bold]{title}")
    console.print(explanation, style="italic")


if __name__ == "__main__":
    raise SystemExit(main())
