"""Foreign files as one harness, with everything that could not be taken over.

One bad definition never stops the others: what cannot be read, and what the language refuses once it is
written, is left out with the reason.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness_dsl.exchange.draft import SkillDraft, ToolDraft
from harness_dsl.exchange.found import Found, Kind, Loss, Refusal, SkillSource, ToolSource, Unreadable
from harness_dsl.exchange.json_files import json_files
from harness_dsl.exchange.names import Names, identifier
from harness_dsl.exchange.prose import quoted, without_surrogates
from harness_dsl.exchange.reading_skills import read_skills, skill_files
from harness_dsl.exchange.reading_tools import read_anthropic, read_items, read_mcp, read_openai
from harness_dsl.exchange.tidy import analyse, tidy
from harness_dsl.exchange.tools import ToolReader
from harness_dsl.exchange.writing import write_declared, write_skill, write_tool
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis

READERS: dict[Kind, Callable[[Path], Iterator[Found]]] = {
    "mcp": read_mcp,
    "openai": read_openai,
    "anthropic": read_anthropic,
    "bfcl": read_items,
    "acebench": read_items,
    "skills": read_skills,
}
_WHAT: dict[Kind, str] = {
    "mcp": "MCP tools",
    "openai": "OpenAI tools",
    "anthropic": "Anthropic tools",
    "bfcl": "BFCL tools",
    "acebench": "ACEBench tools",
    "skills": "Agent Skills",
}


@dataclass(slots=True)
class Imported:
    """A harness in the canonical layout. `text` is "" if nothing could be taken over.

    `sources`: what each tool was read from, by its identifier. `repeated`: definitions that stand in the
    source more than once, letter by letter, and here once.
    """

    name: str
    text: str
    losses: list[Loss] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    sources: dict[str, ToolSource | SkillSource] = field(default_factory=dict)
    files: int = 0
    repeated: int = 0


@dataclass(slots=True)
class _Piece:
    source: ToolSource | SkillSource
    draft: ToolDraft | SkillDraft
    losses: list[Loss]


def import_harness(kind: Kind, path: Path, server: str = "") -> Imported:
    """Everything of `kind` at `path`, a file or folder. `server`: the MCP server that runs the tools."""
    result = _harness(kind, list(READERS[kind](path)), path.resolve().stem, server)
    result.files = len(skill_files(path) if kind == "skills" else json_files(path))
    return result


def import_items(kind: Kind, path: Path) -> Iterator[Imported]:
    """One harness for each benchmark item, each with a name of its own, after the item; what belongs to no
    item comes together first.
    """
    groups: dict[tuple[str, str], list[Found]] = {("", ""): []}
    for found in READERS[kind](path):
        own = isinstance(found, ToolSource) and found.group
        key = (found.file, str(own)) if own else ("", "")
        groups.setdefault(key, []).append(found)
    names = Names()
    for (_, group), members in groups.items():
        if members:
            yield _harness(kind, members, names.identifier(group or path.resolve().stem), "")


def _harness(kind: Kind, found: list[Found], name: str, server: str) -> Imported:
    name = identifier(name)
    result = Imported(name, "", files=len({entry.file for entry in found}))
    pieces = list(_pieces(found, result, server))
    head = f'harness {name} "1.0.0"\n  {quoted(f"{_WHAT[kind]} of {name}, as imported.")}\n'
    analysis = _checked(pieces, head, result)
    if analysis is not None:
        result.text = tidy(analysis)
    for piece in pieces:
        result.losses += piece.losses
        result.sources[piece.draft.name] = piece.source
    return result


def _pieces(found: Iterable[Found], result: Imported, server: str) -> Iterator[_Piece]:
    """A draft of each definition; what is left out goes to `result`."""
    tools, skills = ToolReader(server), Names()
    seen: set[str] = set()
    for entry in found:
        if isinstance(entry, Refusal):
            result.refusals.append(entry)
        elif isinstance(entry, Loss):
            result.losses.append(entry)
        elif isinstance(entry, SkillSource):
            yield _skill(entry, skills)
        else:
            key = repr((entry.name, entry.description, entry.parameters, entry.returns, entry.annotations))
            if key in seen:
                result.repeated += 1
                continue
            seen.add(key)
            losses = [Loss(entry.file, at, what) for at, what in entry.losses]

            def lose(at: str, what: str, to: list[Loss] = losses, file: str = entry.file) -> None:
                to.append(Loss(file, at, what))

            try:
                yield _Piece(entry, tools.read(entry, lose), losses)
            except Unreadable as problem:
                result.refusals.append(Refusal(entry.file, entry.at, _called(entry.name), str(problem)))


def _skill(source: SkillSource, names: Names) -> _Piece:
    losses = [Loss(source.file, at, what) for at, what in source.losses]
    own = names.identifier(source.name)
    shown = names.shown(source.name, own)
    if shown != source.name:
        losses.append(Loss(source.file, "/name", f"the name `{source.name}`: it is shown as `{shown}`"))
    when, body = without_surrogates(source.description), without_surrogates(source.body)
    return _Piece(source, SkillDraft(own, shown, when, body), losses)


def _checked(pieces: list[_Piece], head: str, result: Imported) -> Analysis | None:
    """The analysis of all pieces; those that the language refuses are taken out of `pieces`. None: none is
    left.
    """
    while pieces:
        analysis = analyse(_text(pieces, head), f"{result.name}.harness")
        if analysis.ok:
            return analysis
        reasons = _faults(analysis, pieces)
        for piece in [piece for piece in pieces if piece.draft.name in reasons]:
            pieces.remove(piece)
            at = piece.source.at if isinstance(piece.source, ToolSource) else ""
            name = _called(piece.source.name)
            result.refusals.append(Refusal(piece.source.file, at, name, reasons[piece.draft.name]))
    return None


def _faults(analysis: Analysis, pieces: list[_Piece]) -> dict[str, str]:
    """The first error of each piece, by its identifier."""
    owners = {
        decl.name: piece.draft.name
        for piece in pieces
        if isinstance(piece.draft, ToolDraft)
        for decl in piece.draft.types
    }
    reasons: dict[str, str] = {}
    for found in analysis.diagnostics:
        if found.severity != "error":
            continue
        for decl in analysis.file.decls:
            if decl.start <= found.span.start < decl.end and isinstance(
                decl, t.ToolDecl | t.SkillDecl | t.RecordDecl | t.AliasDecl
            ):
                name = decl.name.text
                owner = owners.get(name, name) if isinstance(decl, t.RecordDecl | t.AliasDecl) else name
                reasons.setdefault(owner, f"{found.code} {found.message}")
    if not reasons:
        raise AssertionError(f"generated text is wrong: {analysis.diagnostics[0]}")
    return reasons


def _text(pieces: list[_Piece], head: str) -> str:
    parts = [head]
    sections = []
    for piece in pieces:
        if isinstance(piece.draft, ToolDraft):
            parts += [write_declared(decl) for decl in piece.draft.types]
            parts.append(write_tool(piece.draft))
        else:
            parts.append(write_skill(piece.draft))
    for word, kind in (("skills", SkillDraft), ("tools", ToolDraft)):
        if any(isinstance(piece.draft, kind) for piece in pieces):
            sections.append(f"  section {word} catalog {word}\n")
    parts.append("prompt system {\n" + "".join(sections) + "}\n")
    return "\n\n".join(parts)


def _called(name: Any) -> str:
    return name if isinstance(name, str) else ""
