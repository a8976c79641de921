"""What `guard` found, as Markdown: a comment that a pipeline leaves at a pull request."""

from harness_dsl.diagnostics import render
from harness_dsl.history.guarding import Guarded
from harness_dsl.history.report_markdown import code, markdown, prose


def comment(judged: list[Guarded]) -> str:
    """Whether it may go in, what keeps it from that, and the edits of each harness."""
    findings = [line for one in judged for line in _findings(one)]
    kept = list(dict.fromkeys(findings))  # a module is checked with each harness that imports it
    blocks = [f"**{len(kept)} to correct before this may go in.**" if kept else "**This may go in.**"]
    if kept:
        blocks.append("\n".join(kept))
    changed = [one for one in judged if one.comparison is not None or one.notes]
    blocks += [block for one in changed for block in _harness(one)]
    return "\n\n".join(blocks)


def _findings(one: Guarded) -> list[str]:
    lines = []
    for found in render.data(one.findings, one.files):
        place = code(f"{found['path']}:{found['line']}:{found['column']}")
        help_ = f" {prose(found['help'])}" if found["help"] else ""
        lines.append(f"- {place} **{found['code']}** {prose(found['message'])}.{help_}")
    return lines


def _harness(one: Guarded) -> list[str]:
    """The edits, and what is to be known besides."""
    blocks = [f"### {code(one.path)}" if one.comparison is None else markdown([one.comparison])]
    said = [] if one.tests is None else [f"tests: {one.tests[0]} of {one.tests[1]} passed"]
    said += one.notes
    if said:
        blocks.append("\n".join(f"- {prose(line)}" for line in said))
    return blocks
