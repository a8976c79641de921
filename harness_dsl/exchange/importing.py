"""Foreign files as one harness, with everything that could not be taken over.

One bad definition never stops the others: what cannot be read, and what the language refuses once it is
written, is left out with the reason.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness_dsl.exchange.cases import Titles, draft_case
from harness_dsl.exchange.draft import CaseDraft, SkillDraft, ToolDraft
from harness_dsl.exchange.found import (
    CaseSource,
    Found,
    Kind,
    Lose,
    Loss,
    Refusal,
    SkillSource,
    ToolSource,
    Unreadable,
)
from harness_dsl.exchange.json_files import json_files
from harness_dsl.exchange.names import Names, identifier
from harness_dsl.exchange.prose import quoted, without_surrogates
from harness_dsl.exchange.reading_skills import read_skills, skill_files
from harness_dsl.exchange.reading_tools import read_acebench, read_anthropic, read_bfcl, read_mcp, read_openai
from harness_dsl.exchange.tidy import analyse, tidy
from harness_dsl.exchange.tools import ToolReader
from harness_dsl.exchange.writing import write_case, write_declared, write_skill, write_tool
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.quotes import value_of

READERS: dict[Kind, Callable[[Path], Iterator[Found]]] = {
    "mcp": read_mcp,
    "openai": read_openai,
    "anthropic": read_anthropic,
    "bfcl": read_bfcl,
    "acebench": read_acebench,
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
    source more than once, letter by letter, and here once. `tests`: items that became tests.
    """

    name: str
    text: str
    losses: list[Loss] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    sources: dict[str, ToolSource | SkillSource] = field(default_factory=dict)
    files: int = 0
    repeated: int = 0
    tests: int = 0


@dataclass(slots=True)
class _Piece:
    source: ToolSource | SkillSource | CaseSource
    draft: ToolDraft | SkillDraft | CaseDraft
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
        own = isinstance(found, ToolSource | CaseSource) and found.group
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
        if isinstance(piece.source, CaseSource):
            result.losses += piece.losses
            result.tests += 1
            continue
        # A definition that is referred to in two ways is read twice.
        result.losses += dict.fromkeys(piece.losses)
        result.sources[piece.draft.name] = piece.source
    return result


def _pieces(found: Iterable[Found], result: Imported, server: str) -> Iterator[_Piece]:
    """A draft of each definition; what is left out goes to `result`."""
    tools, skills, titles = ToolReader(server), Names(), Titles()
    seen: dict[str, ToolDraft | None] = {}
    drafts: dict[int, ToolDraft] = {}
    for entry in found:
        if isinstance(entry, Refusal):
            result.refusals.append(entry)
        elif isinstance(entry, Loss):
            result.losses.append(entry)
        elif isinstance(entry, SkillSource):
            yield _skill(entry, skills)
        elif isinstance(entry, CaseSource):
            yield from _case(entry, drafts, titles, result)
        else:
            key = repr(
                (
                    entry.name,
                    entry.description,
                    entry.parameters,
                    entry.returns,
                    entry.annotations,
                    entry.title,
                )
            )
            if key in seen:
                result.repeated += 1
            else:
                piece = _tool(entry, tools, result)
                seen[key] = piece.draft if piece and isinstance(piece.draft, ToolDraft) else None
                yield from [piece] if piece else []
            if (draft := seen[key]) is not None:
                drafts[id(entry)] = draft


def _losses(entry: ToolSource | SkillSource | CaseSource) -> tuple[list[Loss], Lose]:
    """Those that reading found, and what puts more behind them."""
    losses = [Loss(entry.file, at, what) for at, what in entry.losses]
    return losses, lambda at, what: losses.append(Loss(entry.file, at, what))


def _tool(source: ToolSource, tools: ToolReader, result: Imported) -> _Piece | None:
    losses, lose = _losses(source)
    try:
        return _Piece(source, tools.read(source, lose), losses)
    except Unreadable as problem:
        result.refusals.append(Refusal(source.file, source.at, _called(source.name), str(problem)))
        return None


def _case(
    source: CaseSource, drafts: dict[int, ToolDraft], titles: Titles, result: Imported
) -> Iterator[_Piece]:
    losses, lose = _losses(source)
    draft = draft_case(source, drafts, titles, lose)
    if draft is None:
        result.losses += losses
    else:
        yield _Piece(source, draft, losses)


def _skill(source: SkillSource, names: Names) -> _Piece:
    losses, lose = _losses(source)
    own = names.identifier(source.name)
    shown = names.shown(source.name, own)
    if shown != source.name:
        lose("/name", f"the name `{source.name}`: it is shown as `{shown}`")
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
            reason, source = reasons[piece.draft.name], piece.source
            if isinstance(source, CaseSource):
                result.losses.append(Loss(source.file, source.at, f"a test: {reason}"))
                continue
            at = source.at if isinstance(source, ToolSource) else ""
            result.refusals.append(Refusal(source.file, at, _called(source.name), reason))
    return None


def _faults(analysis: Analysis, pieces: list[_Piece]) -> dict[str, str]:
    """The first error of each piece, by its identifier."""
    owners = {
        decl.name: piece.draft.name
        for piece in pieces
        if isinstance(piece.draft, ToolDraft)
        for decl in piece.draft.types
    }
    titles = {
        identifier(piece.draft.title): piece.draft.name
        for piece in pieces
        if isinstance(piece.draft, CaseDraft)
    }
    reasons: dict[str, str] = {}
    for found in analysis.diagnostics:
        if found.severity != "error":
            continue
        for decl in analysis.file.decls:
            if not decl.start <= found.span.start < decl.end:
                continue
            if isinstance(decl, t.TestDecl):
                owner = titles[identifier(value_of(decl.title))]
            elif isinstance(decl, t.RecordDecl | t.AliasDecl):
                owner = owners.get(decl.name.text, decl.name.text)
            elif isinstance(decl, t.ToolDecl | t.SkillDecl):
                owner = decl.name.text
            else:
                continue
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
        elif isinstance(piece.draft, SkillDraft):
            parts.append(write_skill(piece.draft))
    for word, kind in (("skills", SkillDraft), ("tools", ToolDraft)):
        if any(isinstance(piece.draft, kind) for piece in pieces):
            sections.append(f"  section {word} catalog {word}\n")
    parts.append("prompt system {\n" + "".join(sections) + "}\n")
    parts += [write_case(piece.draft) for piece in pieces if isinstance(piece.draft, CaseDraft)]
    return "\n\n".join(parts)


def _called(name: Any) -> str:
    return name if isinstance(name, str) else ""
