"""Everything for which a recorded conversation is refused. A code is never used again for something else."""

from typing import NamedTuple


class Kind(NamedTuple):
    """`name` is the bad thing; `summary` explains it to somebody who met it; `help` says what to do."""

    code: str
    name: str
    summary: str
    help: str


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("LG101", "undecodable-line", "The line is no UTF-8 text.", "Write the log as UTF-8."),
        Kind(
            "LG102",
            "too-long-line",
            "The line is longer than is read at once.",
            "Write one conversation a line, or raise --max-line if it is one.",
        ),
        Kind("LG103", "no-json", "The line is no JSON.", "Write one JSON object a line."),
        Kind(
            "LG104",
            "cut-off-line",
            "The file ends inside a line.",
            "Copy the log again: whoever wrote or copied it was stopped.",
        ),
        Kind(
            "LG105",
            "no-conversation",
            "The line is JSON, and no conversation.",
            "Write `messages` of role and content (OpenAI, Anthropic), or `conversations` of from and value"
            " (ShareGPT).",
        ),
        Kind(
            "LG106",
            "other-shape",
            "The line is a conversation in a form that is not converted.",
            "Convert it to OpenAI-style messages first.",
        ),
        Kind("LG107", "no-messages", "The conversation has no message.", "Leave the line out."),
        Kind(
            "LG201",
            "unknown-role",
            "A message has none of the known roles.",
            "Use system, developer, user, assistant or tool.",
        ),
        Kind(
            "LG202",
            "misplaced-system",
            "A system message stands inside the conversation.",
            "A harness has one system prompt, at the beginning: cut the conversation there.",
        ),
        Kind(
            "LG203",
            "no-text",
            "A content holds something that is no text, an image say.",
            "Put text in its place, or leave the conversation out.",
        ),
        Kind(
            "LG204",
            "malformed-call",
            "A call is of no known form.",
            "Give it a name and arguments, as the harness has them.",
        ),
        Kind(
            "LG205",
            "arguments-no-json",
            "The arguments of a call are no JSON object.",
            "Leave the conversation out: a model trained on it learns to write broken calls.",
        ),
        Kind(
            "LG206",
            "unfit-arguments",
            "The arguments of a call have a name or word that the tool does not have.",
            "Lift under the harness that the log was recorded with, in the version of that time.",
        ),
        Kind(
            "LG207",
            "repeated-call-id",
            "Two calls that wait for their results have the same id.",
            "Give each call an id of its own, so that results find it.",
        ),
        Kind(
            "LG208",
            "result-without-call",
            "A result answers no call.",
            "Give the id of the call that it answers, or leave it out.",
        ),
        Kind(
            "LG209",
            "call-without-result",
            "The conversation goes on although a call has no result.",
            "Write the result behind its call, or leave the conversation out.",
        ),
        Kind(
            "LG210",
            "order-of-parts",
            "A message has thinking, text and calls in an order that messages cannot say.",
            "Split it: thinking, then text, then calls.",
        ),
        Kind(
            "LG301",
            "other-harness",
            "The conversation says that it is of another harness.",
            "Name the harness it was recorded with: --harness FILE.",
        ),
        Kind(
            "LG302",
            "other-surface",
            "The conversation was shown under a variant of the harness.",
            "Lift what the variants were made from: names in it are those of the variant.",
        ),
        Kind(
            "LG303",
            "other-prompt",
            "The system prompt is not the one of the harness.",
            "Name the version it was recorded with, give its inputs, or take any prompt: --any-prompt.",
        ),
        Kind(
            "LG304",
            "missing-input",
            "The harness has an input, and the conversation gives no value for it.",
            "Write `inputs` beside the messages, or give the same for all: --inputs FILE.",
        ),
        Kind(
            "LG305",
            "unknown-tool",
            "The conversation uses a tool that the harness does not have.",
            "Name the harness it was recorded with, or keep such calls as text: --keep-unknown-calls.",
        ),
        Kind(
            "LG306",
            "repeated-tool",
            "Two tools of the conversation have the same name.",
            "Give each tool a name of its own: nobody can say which of them a call meant.",
        ),
        Kind(
            "LG307",
            "unresolved-mentions",
            "Thinking and replies name too many things that the harness does not have.",
            "Look at the names: they stay as they are under every variant. --limit says what is too much.",
        ),
        Kind(
            "LG308",
            "unknown-symbol",
            "A recorded event is of no known form or speaks of what the harness does not have.",
            "Name the harness it was recorded with: --harness FILE.",
        ),
    )
}


def kind_of(word: str) -> Kind | None:
    """The kind with this code or name."""
    wanted = word.lower()
    return next((kind for kind in KINDS.values() if wanted in (kind.code.lower(), kind.name)), None)


class Refusal(NamedTuple):
    """Why a line is refused. `message` is a phrase; `column` (from 1, in code points) and `length` are the
    place in the line; 0 where there is none to show.
    """

    kind: str
    message: str
    column: int = 0
    length: int = 0

    @property
    def code(self) -> str:
        return KINDS[self.kind].code
