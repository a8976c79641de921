"""Hooks that say nothing are shown without any form, so none can be drawn for them."""

from augmentors.operators.feedback import Feedback
from harness_dsl.ir.texts import Literally
from tests.strategies import small_shop


def test_a_blank_message_takes_no_form() -> None:
    core, surface = small_shop()
    with_words = Feedback().symbols(core, surface)
    blank = tuple(
        hook.model_copy(
            update={"message": hook.message.model_copy(update={"canonical": (Literally(text=" \n"),)})}
        )
        for hook in core.hooks
        if hook.message is not None
    )
    assert with_words and len(blank) >= len(with_words)
    assert Feedback().symbols(core.model_copy(update={"hooks": blank}), surface) == ()
