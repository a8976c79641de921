"""Every call syntax by the name under which a Surface chooses it, and how a model is told to use it."""

from harness_dsl.ir.core import Core
from harness_dsl.ir.naming import Naming
from harness_dsl.ir.surface import CallSyntax, Surface, ToolDocs
from harness_dsl.protocol.calls import Calls
from harness_dsl.protocol.markers import CALL_CLOSE, CALL_OPEN
from harness_dsl.protocol.source_map import Writer
from harness_dsl.protocol.syntax_concise_xml import ConciseXmlCalls
from harness_dsl.protocol.syntax_fenced_json import FencedCalls
from harness_dsl.protocol.syntax_hermes import HermesCalls
from harness_dsl.protocol.syntax_llama_json import LlamaCalls
from harness_dsl.protocol.syntax_pythonic import PythonicCalls
from harness_dsl.protocol.syntax_qwen_xml import QwenCalls
from harness_dsl.protocol.syntax_verbose_xml import VerboseXmlCalls
from harness_dsl.protocol.values import Values

CALL_SYNTAXES: dict[CallSyntax, type[Calls]] = {
    syntax.name: syntax
    for syntax in (
        HermesCalls,
        QwenCalls,
        PythonicCalls,
        LlamaCalls,
        FencedCalls,
        VerboseXmlCalls,
        ConciseXmlCalls,
    )
}


def calls_of(core: Core, surface: Surface, naming: Naming, values: Values) -> Calls:
    """The calls of a Core in the syntax that `surface` chooses."""
    return CALL_SYNTAXES[surface.call_syntax](core, surface, naming, values)


def write_how_to_call(writer: Writer, syntax: CallSyntax, form: ToolDocs) -> None:
    """Append how a call is written. For Hermes JSON it is worded as fits the documentation in `form`."""
    if syntax != "hermes_json":
        _how_to(writer, CALL_SYNTAXES[syntax])
        return
    example = HermesCalls.example
    if form == "json_schema":
        writer.fixed("For each function call, return a json object with function name and arguments within ")
        writer.marker(CALL_OPEN)
        writer.marker(CALL_CLOSE)
        writer.fixed(" XML tags:\n")
        writer.marker(CALL_OPEN)
        writer.fixed(f"\n{example}\n")
        writer.marker(CALL_CLOSE)
        return
    writer.fixed("To call a tool, write ")
    writer.marker(CALL_OPEN)
    writer.fixed('{"name": ..., "arguments": ...}')
    writer.marker(CALL_CLOSE)
    writer.fixed(".")


def _how_to(writer: Writer, syntax: type[Calls]) -> None:
    several = "all calls of a turn in one such block" if syntax.together else "one such block for each call"
    writer.fixed(f"To call tools, write in exactly this form, {several}:\n")
    writer.marker(CALL_OPEN)
    writer.fixed(f"\n{syntax.example}\n")
    writer.marker(CALL_CLOSE)
