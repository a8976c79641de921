"""What only the embedded engine promises: caches, batches, cancellation and clear errors."""

import asyncio
import builtins
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.engines import embedded_cache, embedded_worker
from runtime.engines.base import EngineError, Sampling
from runtime.engines.embedded import EmbeddedEngine

from .conftest import CONTEXT, VOCABULARY, attention_model

PROMPT = (3, 1, 4, 1, 5, 9, 2, 6)


def greedy_by_hand(model: Any, ids: tuple[int, ...], count: int) -> tuple[list[int], list[float]]:
    """The reference: a full forward pass per token, without any cache."""
    import torch

    output: list[int] = []
    logprobs: list[float] = []
    with torch.inference_mode():
        for _ in range(count):
            logits = model(torch.tensor([[*ids, *output]]), use_cache=False).logits[0, -1]
            output.append(int(logits.argmax()))
            logprobs.append(float(torch.log_softmax(logits, -1)[output[-1]]))
    return output, logprobs


def test_output_and_logprobs_equal_those_of_full_forward_passes(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        prompts = [PROMPT, PROMPT[:3], (*PROMPT, *PROMPT, 7), PROMPT[:1]]
        generations = await engine.generate_batch(prompts, Sampling(max_tokens=9, logprobs=True))
        for prompt, generation in zip(prompts, generations, strict=True):
            ids, logprobs = greedy_by_hand(model, prompt, 9)
            assert list(generation.ids) == ids
            assert generation.logprobs == pytest.approx(logprobs, abs=1e-4)
        await engine.close()

    run(case())


def test_padding_the_prompts_would_change_the_outputs_of_the_hybrid_model() -> None:
    """Why prompts are never padded: the broken twin of the law above gives other logits."""
    import torch

    from .conftest import hybrid_model

    model = hybrid_model()
    with torch.inference_mode():
        alone = model(torch.tensor([PROMPT[:3]])).logits[0, -1]
        padded = model(
            torch.tensor([[0] * 5 + list(PROMPT[:3])]),
            attention_mask=torch.tensor([[0] * 5 + [1] * 3]),
            position_ids=torch.tensor([[0] * 5 + [0, 1, 2]]),
        ).logits[0, -1]
    assert not torch.allclose(alone, padded, atol=1e-3)


def test_rows_that_join_late_and_leave_early_do_not_disturb_the_others(
    model: Any, run: Callable[..., Any]
) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model, max_batch=3)
        wanted = [(PROMPT[: 1 + at % 8], 3 + (at * 7) % 20) for at in range(12)]
        alone = [(await engine.generate(p, Sampling(max_tokens=n))).ids for p, n in wanted]
        tasks = []
        for prompt, count in wanted:
            tasks.append(asyncio.ensure_future(engine.generate(prompt, Sampling(max_tokens=count))))
            await asyncio.sleep(0.004)
        assert [g.ids for g in await asyncio.gather(*tasks)] == alone
        await engine.close()

    run(case())


def test_the_second_turn_prefills_only_its_new_tokens(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        first = await engine.generate(PROMPT, Sampling(max_tokens=4), session="a")
        longer = (*PROMPT, *first.ids, 11, 12, 13)
        second = await engine.generate(longer, Sampling(max_tokens=4), session="a")
        fresh = await engine.generate(longer, Sampling(max_tokens=4))
        assert first.cached_tokens == 0
        assert second.cached_tokens == len(PROMPT) + 3, "the last sampled id was never fed"
        assert fresh.cached_tokens == 0
        assert second.ids == fresh.ids
        await engine.close()

    run(case())


def test_the_tokens_that_a_session_feeds_are_counted(model: Any, run: Callable[..., Any]) -> None:
    """Not what the engine says of itself: what its model is really given, in three turns of one session."""
    fed: list[int] = []
    forward = model.forward

    def counting(*args: Any, **kwargs: Any) -> Any:
        fed.append(kwargs["input_ids"].numel())
        return forward(*args, **kwargs)

    async def case() -> None:
        engine = EmbeddedEngine(model)
        prompt: tuple[int, ...] = PROMPT
        for number in range(3):
            fed.clear()
            found = await engine.generate(prompt, Sampling(max_tokens=5), session="a")
            # Of the turn before, the last sampled id alone was never fed; each but the last of this turn is.
            new = len(PROMPT) if number == 0 else 1 + 3
            assert sum(fed) == new + 4
            prompt = (*prompt, *found.ids, 11, 12, 13)
        await engine.close()

    model.forward = counting
    try:
        run(case())
    finally:
        model.forward = forward


SYSTEM = tuple((7 * at + 3) % VOCABULARY for at in range(40))


def test_first_turns_share_the_beginning_of_their_prompts(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        prompts = [(*SYSTEM, *tail) for tail in ((1, 2, 3), (4, 5), (6, 7, 8, 9), (4, 6))]
        cached = []
        for number, prompt in enumerate(prompts):
            found = await engine.generate(
                prompt, Sampling(max_tokens=6, logprobs=True), session=f"room {number}"
            )
            ids, logprobs = greedy_by_hand(model, prompt, 6)
            assert list(found.ids) == ids
            assert found.logprobs == pytest.approx(logprobs, abs=1e-4)
            cached.append(found.cached_tokens)
        assert cached == [0, 0, 40, 40], "the second prompt shows where they part"
        await engine.flush_cache()
        again = await engine.generate(prompts[0], Sampling(max_tokens=1))
        assert again.cached_tokens == 0
        await engine.close()

    run(case())


def test_a_shared_beginning_is_copied_before_it_is_gone_on_from(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        prompts = [(*SYSTEM, *((at * at + step) % VOCABULARY for step in range(5))) for at in range(12)]
        together = await engine.generate_batch(prompts, Sampling(max_tokens=8))
        for prompt, generation in zip(prompts, together, strict=True):
            assert list(generation.ids) == greedy_by_hand(model, prompt, 8)[0]
        await engine.close()

    run(case())


def test_common_prefixes() -> None:
    for left, right, expected in (
        ((), (1,), 0),
        ((1, 2), (1, 2), 2),
        ((1, 2, 3), (1, 2, 4, 5), 2),
        ((9,), (1,), 0),
    ):
        assert embedded_cache.common_prefix(left, right) == expected
        assert embedded_cache.common_prefix(right, left) == expected


def test_a_changed_history_is_cropped_or_recomputed(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        await engine.generate(PROMPT, Sampling(max_tokens=6), session="a")
        changed = (*PROMPT[:5], 20, 21, 22)
        other = await engine.generate(changed, Sampling(max_tokens=6, logprobs=True), session="a")
        ids, logprobs = greedy_by_hand(model, changed, 6)
        assert list(other.ids) == ids
        assert other.logprobs == pytest.approx(logprobs, abs=1e-4)
        assert other.cached_tokens == (5 if model.config.model_type == "qwen3" else 0)
        await engine.close()

    run(case())


def test_a_stale_state_would_be_caught(
    model: Any, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken twin: a cache that is reused without looking at its ids gives other tokens."""

    def careless(state: Any, ids: Any) -> Any:
        return None if state is None else (state.cache, len(state.ids))

    monkeypatch.setattr(embedded_worker, "reusable", careless)

    async def case() -> None:
        engine = EmbeddedEngine(model)
        await engine.generate(PROMPT, Sampling(max_tokens=6), session="a")
        changed = (40, 41, 42, 43, 44, *PROMPT, 20, 21, 22)
        other = await engine.generate(changed, Sampling(max_tokens=12), session="a")
        assert list(other.ids) != greedy_by_hand(model, changed, 12)[0]
        await engine.close()

    run(case())


def test_weight_updates_need_and_get_a_flush(run: Callable[..., Any]) -> None:
    """Known bug 52: a prefix cache that survives a weight update."""
    import torch

    model = attention_model()

    async def case() -> None:
        engine = EmbeddedEngine(model)
        first = await engine.generate(PROMPT, Sampling(max_tokens=4), session="a")
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(torch.randn_like(weight) * 0.3)
        await engine.flush_cache()
        longer = (*PROMPT, *first.ids, 5)
        second = await engine.generate(longer, Sampling(max_tokens=8), session="a")
        assert second.cached_tokens == 0
        assert list(second.ids) == greedy_by_hand(model, longer, 8)[0]
        await engine.close()

    run(case())


def test_sessions_are_forgotten_from_the_least_recently_used(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model, max_sessions=2)
        outputs = {}
        for name in ("a", "b", "c"):
            outputs[name] = (await engine.generate(PROMPT, Sampling(max_tokens=2), session=name)).ids
        cached = {}
        for name in ("c", "b", "a"):
            prompt = (*PROMPT, *outputs[name], 1)
            cached[name] = (await engine.generate(prompt, Sampling(max_tokens=2), session=name)).cached_tokens
        assert cached == {"a": 0, "b": 9, "c": 9}
        await engine.close()

    run(case())


def test_sampling_with_a_seed_repeats_alone_and_in_a_batch(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        sampling = Sampling(max_tokens=12, temperature=1.0, top_p=0.9, seed=7)
        alone = await engine.generate(PROMPT, sampling)
        batch = await engine.generate_batch([PROMPT[:4], PROMPT, (9, 9)], sampling)
        other = await engine.generate(PROMPT, Sampling(max_tokens=12, temperature=1.0, top_p=0.9, seed=8))
        assert batch[1].ids == alone.ids
        assert other.ids != alone.ids
        await engine.close()

    run(case())


def test_logprobs_are_taken_at_the_sampling_temperature(run: Callable[..., Any]) -> None:
    """Known bug 51: log-probabilities of another temperature than that of sampling."""
    import torch

    model = attention_model()

    async def case() -> None:
        engine = EmbeddedEngine(model)
        sampling = Sampling(max_tokens=1, temperature=2.5, seed=3, logprobs=True)
        generation = await engine.generate(PROMPT, sampling)
        with torch.inference_mode():
            logits = model(torch.tensor([PROMPT])).logits[0, -1]
        at = generation.ids[0]
        assert generation.logprobs[0] == pytest.approx(
            float(torch.log_softmax(logits / 2.5, -1)[at]), abs=1e-4
        )
        assert generation.logprobs[0] != pytest.approx(float(torch.log_softmax(logits, -1)[at]), abs=1e-2)
        await engine.close()

    run(case())


def test_sampling_follows_the_distribution_and_top_p_cuts_its_tail() -> None:
    import torch

    from runtime.engines.embedded_sampling import choose, generator

    logits = torch.log(torch.tensor([0.5, 0.3, 0.15, 0.05]))
    for top_p, expected in ((1.0, [0.5, 0.3, 0.15, 0.05]), (0.7, [0.625, 0.375, 0, 0]), (0.0, [1, 0, 0, 0])):
        sampling = Sampling(temperature=1.0, top_p=top_p, seed=1)
        source = generator(sampling)
        counts = [0] * 4
        for _ in range(1500):
            counts[choose(logits, sampling, source)[0]] += 1
        for count, share in zip(counts, expected, strict=True):
            assert count / 1500 == pytest.approx(share, abs=4 * math.sqrt(0.25 / 1500))


def test_a_hanging_model_is_a_bounded_retryable_error(run: Callable[..., Any]) -> None:
    model = attention_model()
    forward = model.forward

    def slow(*args: Any, **kwargs: Any) -> Any:
        time.sleep(0.05)
        return forward(*args, **kwargs)

    model.forward = slow

    async def case() -> None:
        engine = EmbeddedEngine(model, timeout_s=0.2)
        started = time.perf_counter()
        with pytest.raises(EngineError, match="no answer within") as caught:
            await engine.generate(PROMPT, Sampling(max_tokens=80))
        assert caught.value.retryable
        assert time.perf_counter() - started < 1.0
        model.forward = forward
        assert (await engine.generate(PROMPT, Sampling(max_tokens=2))).stop_reason == "length"
        await engine.close()

    run(case())


def test_a_model_that_raises_fails_its_requests_and_not_the_engine(run: Callable[..., Any]) -> None:
    model = attention_model()
    forward = model.forward

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("the weights melted")

    async def case() -> None:
        engine = EmbeddedEngine(model)
        model.forward = broken
        with pytest.raises(EngineError, match="embedded: RuntimeError: the weights melted"):
            await engine.generate(PROMPT, Sampling(max_tokens=4))
        model.forward = forward
        assert len((await engine.generate(PROMPT, Sampling(max_tokens=4))).ids) == 4
        await engine.close()

    run(case())


def test_logits_that_are_not_numbers_are_an_error(run: Callable[..., Any]) -> None:
    import torch

    model = attention_model()
    with torch.no_grad():
        model.lm_head.weight.fill_(float("nan"))

    async def case() -> None:
        engine = EmbeddedEngine(model)
        with pytest.raises(EngineError, match="not finite"):
            await engine.generate(PROMPT, Sampling(max_tokens=4))
        await engine.close()

    run(case())


def test_prompts_that_cannot_be_run_are_value_errors(model: Any, run: Callable[..., Any]) -> None:
    async def case() -> None:
        engine = EmbeddedEngine(model)
        with pytest.raises(ValueError, match=f"the model takes {CONTEXT - 1}"):
            await engine.generate((1,) * CONTEXT, Sampling())
        with pytest.raises(ValueError, match="outside the vocabulary"):
            await engine.generate((1, VOCABULARY), Sampling())
        at_the_end = await engine.generate((1,) * (CONTEXT - 3), Sampling(max_tokens=50))
        assert len(at_the_end.ids) == 3
        assert at_the_end.stop_reason == "length"
        await engine.close()

    run(case())


def test_an_engine_serves_one_event_loop_after_another(model: Any, run: Callable[..., Any]) -> None:
    engine = EmbeddedEngine(model)
    first = run(engine.generate(PROMPT, Sampling(max_tokens=3)))
    second = run(engine.generate(PROMPT, Sampling(max_tokens=3)))
    run(engine.close())
    assert first.ids == second.ids


def test_a_saved_directory_loads_and_answers_like_the_model(
    model_directory: Path, run: Callable[..., Any]
) -> None:
    from .conftest import hybrid_model

    engine = EmbeddedEngine.load(model_directory, device="cpu")
    generation = run(engine.generate(PROMPT, Sampling(max_tokens=5)))
    run(engine.close())
    assert list(generation.ids) == greedy_by_hand(hybrid_model(), PROMPT, 5)[0]


def test_an_incomplete_directory_is_one_clear_sentence(tmp_path: Path, model_directory: Path) -> None:
    with pytest.raises(EngineError, match="is not a directory"):
        EmbeddedEngine.load(tmp_path / "nowhere")
    with pytest.raises(EngineError, match=r"has no config\.json"):
        EmbeddedEngine.load(tmp_path)
    (tmp_path / "config.json").write_bytes((model_directory / "config.json").read_bytes())
    with pytest.raises(EngineError, match=r"has no model\.safetensors"):
        EmbeddedEngine.load(tmp_path)
    (tmp_path / "model.safetensors").write_bytes((model_directory / "model.safetensors").read_bytes()[:1000])
    with pytest.raises(EngineError, match="cannot load the model"):
        EmbeddedEngine.load(tmp_path)
    (tmp_path / "model.safetensors.index.json").write_text('{"weight_map": {"a": "part-1.safetensors"}}')
    with pytest.raises(EngineError, match=r"part-1\.safetensors is missing"):
        EmbeddedEngine.load(tmp_path)


def test_a_missing_extra_is_one_sentence_that_names_it(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_torch(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_torch)
    with pytest.raises(EngineError, match=r"pip install -e '\.\[train\]'"):
        EmbeddedEngine.load(model_directory)


def test_joining_and_selecting_keeps_every_row(model: Any) -> None:
    import torch

    caches = []
    with torch.inference_mode():
        for length in (2, 5):
            cache = embedded_cache.fresh(model)
            model(torch.tensor([PROMPT[:length]]), cache=cache, use_cache=True)
            caches.append(cache)
    joined = embedded_cache.join(caches, [2, 5])
    for row, length in enumerate((2, 5)):
        back = embedded_cache.select(joined, [row], 5 - length)
        for layer, original in zip(back.layers, caches[row].layers, strict=True):
            if hasattr(original, "keys"):
                assert torch.equal(layer.keys, original.keys)
            else:
                assert torch.equal(layer.conv_states[0], original.conv_states[0])
