"""TRL's SFT trainer, scoring only the positions that are trained (see
docs/decisions/0020-score-only-trained-positions.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from trl import SFTTrainer

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class Learner(SFTTrainer):  # type: ignore[misc]  # TRL is untyped
    """`SFTTrainer` whose loss makes logits for the trained positions alone."""

    def compute_loss(
        self,
        model: PreTrainedModel,
        inputs: dict[str, torch.Tensor],
        return_outputs: bool = False,
        num_items_in_batch: torch.Tensor | int | None = None,
    ) -> Any:
        """Sum of negative log-likelihood over trained tokens, divided by their number in the whole step.

        Returns the loss, with the model's outputs beside it if `return_outputs`.
        """
        outputs, logits, wanted = trained_logits(model, inputs)
        total = torch.nn.functional.cross_entropy(logits.float(), wanted, reduction="sum")
        count = wanted.numel() if num_items_in_batch is None else num_items_in_batch
        loss = total / torch.as_tensor(count).clamp(min=1)
        mode = "train" if model.training else "eval"
        hits = (logits.argmax(-1) == wanted).float().mean().item()
        self._metrics[mode]["mean_token_accuracy"].append(hits)
        if mode == "train":
            self._total_train_tokens += int(inputs["attention_mask"].sum())
        self._metrics[mode]["num_tokens"] = [self._total_train_tokens]
        return (loss, outputs) if return_outputs else loss


def trained_logits(
    model: PreTrainedModel, inputs: dict[str, torch.Tensor]
) -> tuple[Any, torch.Tensor, torch.Tensor]:
    """The backbone's outputs, logits of shape (trained tokens, vocabulary), and the tokens wanted there."""
    outputs = model.base_model(
        input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], use_cache=False
    )
    wanted = inputs["labels"][:, 1:]
    trained = wanted != -100
    hidden = outputs.last_hidden_state[:, :-1][trained]
    return outputs, model.get_output_embeddings()(hidden), wanted[trained]
