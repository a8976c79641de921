"""What is doubtful about a conversation that can be lifted, one phrase each; behind a colon is detail."""

from collections.abc import Iterator

from harness_dsl.ir.core import Core
from harness_dsl.ir.transcript import Call, Generated, Result, SkillShown, Transcript
from harness_dsl.ir.values import check_arguments
from harness_dsl.protocol.view import View

UNFIT = "the arguments of a call do not fit its tool"
OPEN = "a conversation ends with a result, which no message follows"


def doubts(transcript: Transcript, core: Core, view: View) -> Iterator[str]:
    """Calls that a runtime refuses, and an end without a reply."""
    tools = {tool.id: tool for tool in core.tools}
    for event in transcript.events:
        for item in event.events if isinstance(event, Generated) else ():
            if not isinstance(item, Call) or item.tool not in tools:
                continue
            problem = check_arguments(item.arguments, tools[item.tool], core, view.naming)
            if problem is not None:
                yield f"{UNFIT}: `{view.naming.name(item.tool)}`: {problem}"
    if transcript.events and isinstance(transcript.events[-1], Result | SkillShown):
        yield OPEN
