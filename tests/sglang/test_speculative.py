"""Speculative decoding on the real server is lossless, and the server says how much of it was accepted.

Triton's kernels run in its interpreter here, at about a second a token: minutes, so slow. It shows SGLang's
speculation as it is scheduled, drafted and verified; it says nothing about speed.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.engines.base import Generation, Sampling
from runtime.engines.embedded import EmbeddedEngine
from runtime.engines.sglang import SGLangEngine
from runtime.engines.sglang_launch import Launch, Server, launched
from tests.runtime.conformance import collected, whole
from trainer.sft.collate import IGNORED, Row

from .conftest import FLAGS
from .conversation import Conversation
from .memorized import learn, model, save

# The end of the conversation: a reply that is sent back, a call, its result, the reply.
TAIL = 130
STEPS, DRAFTED = 3, 4

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tail(conversation: Conversation) -> Row:
    row = conversation.row
    return Row(row.ids[-TAIL:], row.labels[-TAIL:], row.source)


@pytest.fixture(scope="module")
def pair(
    conversation: Conversation, tail: Row, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """A model that knows the tail, and a smaller one that half knows it."""
    folders = tmp_path_factory.mktemp("target"), tmp_path_factory.mktemp("draft")
    target = model(conversation.tokenizer, seed=1)
    assert learn(target, [tail]) < 0.05
    draft = model(conversation.tokenizer, seed=2, width=64, layers=1)
    learn(draft, [tail], sure=1.0)
    for net, folder in zip((target, draft), folders, strict=True):
        save(net, folder)
    return folders


@pytest.fixture(scope="module")
def speculating(
    python: str,
    environment: dict[str, str],
    pair: tuple[Path, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    target, draft = pair
    kept = [word for word in FLAGS if word != "torch_native"]
    kept.insert(kept.index("--attention-backend") + 1, "triton")
    flags = (
        *kept,
        *("--speculative-algorithm", "STANDALONE", "--speculative-draft-model-path", str(draft)),
        *("--speculative-num-steps", str(STEPS), "--speculative-eagle-topk", "1"),
        *("--speculative-num-draft-tokens", str(DRAFTED)),
        "--incremental-streaming-output",
    )
    launch = Launch(
        target,
        flags,
        python=python,
        environment={**environment, "TRITON_INTERPRET": "1"},
        log=tmp_path_factory.mktemp("log") / "server.log",
        ready_s=900,
    )
    with launched(launch) as running:
        yield running


def beginnings(row: Row) -> list[int]:
    """Where in `row` what the model says begins."""
    told = [label != IGNORED for label in row.labels]
    return [at for at in range(1, len(told)) if told[at] and not told[at - 1]]


@pytest.mark.timeout(1800)
def test_speculation_changes_no_token_and_reports_what_was_accepted(
    speculating: Server, pair: tuple[Path, Path], tail: Row, conversation: Conversation
) -> None:
    known = [tail.ids[:at] for at in beginnings(tail)]
    assert len(known) >= 3
    end = conversation.tokenizer.added_tokens["<|im_end|>"]
    unknown = [(300, 307, 314), (500, 600, 700, 800)]

    async def case() -> tuple[list[Generation], list[Generation], Generation]:
        engine = SGLangEngine(speculating.url, timeout_s=900)
        plain = EmbeddedEngine.load(pair[0], device="cpu", dtype="float32")
        sampling = Sampling(max_tokens=16, stop_ids=(end,))
        prompts = [*known, *unknown]
        drafted = [await engine.generate(prompt, sampling) for prompt in prompts]
        expected = [await plain.generate(prompt, sampling) for prompt in prompts]
        streamed = whole(await collected(engine, known[0], sampling))
        await engine.close()
        await plain.close()
        return drafted, expected, streamed

    drafted, expected, streamed = asyncio.run(case())
    assert [g.ids for g in drafted] == [g.ids for g in expected]
    assert [g.stop_reason for g in drafted] == [g.stop_reason for g in expected]
    assert streamed.ids == drafted[0].ids
    accepted = [generation.draft_acceptance for generation in drafted]
    print(f"accepted of what was drafted: {accepted}")
    assert all(share is not None for share in accepted)
    # The draft model half knows the conversation and nothing else: drafts were taken, and refused.
    shares = [share or 0.0 for share in accepted]
    assert max(shares[: len(known)]) > 0.5
    assert min(shares[len(known) :]) < 0.5
