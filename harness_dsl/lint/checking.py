"""Everything that is wrong in one file, its modules and its project file: what `harnessc check` shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness_dsl.diagnostics import Diagnostic

if TYPE_CHECKING:
    from harness_dsl.lint.run import Suppressed
    from harness_dsl.syntax.source import Source


class Checked(NamedTuple):
    """`found`, in the order of the text, then in the modules and the project file; what comments allow; and
    the text of each file by its path.
    """

    found: list[Diagnostic]
    suppressed: list[Suppressed]
    files: dict[str, str]


def checked(source: Source, name: str) -> Checked:
    """What is found in a file with this text, which is called `name`."""
    from harness_dsl.lint.run import judge
    from harness_dsl.syntax.analysis import analysed, sort
    from harness_dsl.syntax.settings import settings_of

    files = {name: source.shown}
    analysis = analysed(source, name)
    if analysis is None:
        return Checked(source.diagnostics, [], files)
    own = judge(analysis)
    found, suppressed = sort(own.found), own.suppressed
    files |= analysis.beside
    for module in analysis.modules:
        files.setdefault(module.path, module.text)
        if module.analysis is None:
            found += module.found
            continue
        judged = judge(module.analysis)
        found += sort(judged.found)
        suppressed += judged.suppressed
        files |= module.analysis.beside
    settings = settings_of(name)
    if settings is not None and settings.found:
        found += settings.found
        files[settings.path] = settings.text
    return Checked(found, suppressed, files)
