"""The tiny model: transformers' LFM2 (gated short convolutions and attention) at about 0.7 M parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import Lfm2ForCausalLM, PreTrainedTokenizerFast

WIDTH, HEAD, TAPS = 96, 48, 16
LAYERS = ("conv", "full_attention", "conv", "full_attention", "full_attention")
COMPARING_LAYER = 3


def build(tokenizer: PreTrainedTokenizerFast, *, seed: int) -> Lfm2ForCausalLM:
    """A model with fresh weights that copies from the start (see `_start_as_copier`)."""
    import torch
    from transformers import Lfm2Config, Lfm2ForCausalLM

    torch.manual_seed(seed)
    config = Lfm2Config(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        intermediate_size=128,
        block_auto_adjust_ff_dim=False,
        num_hidden_layers=len(LAYERS),
        layer_types=list(LAYERS),
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=HEAD,
        conv_bias=True,
        conv_L_cache=TAPS,
        max_position_embeddings=4096,
        rope_parameters={"rope_type": "default", "rope_theta": 1e10},
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        tie_word_embeddings=True,
    )
    model = Lfm2ForCausalLM(config)
    with torch.no_grad():
        _start_as_copier(model)
    return model


def load(path: str) -> Lfm2ForCausalLM:
    """The checkpoint at `path` in float32."""
    import torch
    from transformers import AutoModelForCausalLM

    model: Lfm2ForCausalLM = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32)
    return model


def _start_as_copier(model: Lfm2ForCausalLM) -> None:
    """Set weights so that the model copies, if poorly, before the first step.

    The first convolution tells each position its previous token, through a rotation. The second keeps two
    sums of tokens: those just passed, and those a little further back. An attention head's keys are its
    queries after the first rotation, its output half its values transposed: it finds an earlier copy of the
    current token and says what followed it. One head of `COMPARING_LAYER` finds where the recent sum looks
    like the further one here. From ordinary random weights copying is not learned in the steps we can afford.
    """
    import torch

    nn = torch.nn
    half, lags = WIDTH // 2, torch.arange(TAPS).flip(0)
    previous = torch.linalg.qr(torch.randn(WIDTH, WIDTH)).Q
    sums = torch.linalg.qr(torch.randn(WIDTH, WIDTH)).Q
    nn.init.normal_(model.model.embed_tokens.weight, std=WIDTH**-0.5)
    for index, layer in enumerate(model.model.layers):
        nn.init.normal_(layer.feed_forward.w1.weight, std=WIDTH**-0.5)
        nn.init.normal_(layer.feed_forward.w3.weight, std=WIDTH**-0.5)
        nn.init.zeros_(layer.feed_forward.w2.weight)
        if layer.is_attention_layer:
            attention = layer.self_attn
            nn.init.orthogonal_(attention.q_proj.weight)
            attention.k_proj.weight.copy_(attention.q_proj.weight @ previous.T)
            nn.init.orthogonal_(attention.v_proj.weight)
            attention.out_proj.weight.copy_(0.5 * attention.v_proj.weight.T)
            attention.q_layernorm.weight.fill_(2.0)
            attention.k_layernorm.weight.fill_(2.0)
            if index == COMPARING_LAYER:
                head = nn.init.orthogonal_(torch.empty(HEAD, half))
                attention.q_proj.weight[:HEAD] = head @ sums[:, half:].T
                attention.k_proj.weight[:HEAD] = head @ sums[:, :half].T
            continue
        short = layer.conv
        nn.init.normal_(short.in_proj.weight, std=0.3 * WIDTH**-0.5)
        short.in_proj.bias[: 2 * WIDTH] = 1.0
        short.in_proj.bias[2 * WIDTH :] = 0.0
        nn.init.normal_(short.conv.weight, std=0.02)
        short.conv.bias.zero_()
        short.out_proj.bias.zero_()
        read = torch.linalg.qr(torch.randn(WIDTH, WIDTH)).Q
        if index == 0:
            short.conv.weight[:, 0, lags == 1] += 1.0
            short.out_proj.weight.copy_(0.12 * previous @ read.T)
        else:
            read[half:] = read[:half]
            short.conv.weight[:half, 0, (lags >= 1) & (lags <= 8)] += 0.35
            short.conv.weight[half:, 0, (lags >= 7) & (lags <= 15)] += 0.35
            short.out_proj.weight.copy_(0.1 * sums)
        short.in_proj.weight[2 * WIDTH :] = read
