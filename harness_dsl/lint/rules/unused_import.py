"""HD219"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from unicodedata import normalize

from harness_dsl.diagnostics import Diagnostic
from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t

if TYPE_CHECKING:
    from harness_dsl.syntax.analysis import Analysis

_MODULE = """
module prices "1.0.0"

type Price {
  amount: decimal
}
"""


class UnusedImport(Rule):
    """Nothing enters a file unnamed, so an import alone changes nothing: the rule of the law that you
    meant to have is not in your harness. Say with `use` what you want, or leave the import out.
    """

    code = "HD219"
    enforces = ("explicit-modules",)
    bad = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

prompt system {
  section persona """Be kind."""
}
''',
            "prices.harness": _MODULE,
        }
    )
    good = Folder(
        {
            "shop.harness": '''
harness shop "1.0.0"

import "prices.harness" as prices

use prices.Price

prompt system {
  section persona """Be kind."""
}
''',
            "prices.harness": _MODULE,
        }
    )

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        imports = [decl for decl in analysis.file.decls if isinstance(decl, t.ImportDecl)]
        if not imports or not analysis.ok:
            return
        # prose may refer through a module too, so every word before a dot counts
        text = normalize("NFC", _without_targets(analysis, imports))
        for decl in imports:
            if not re.search(rf"(?<![\w.]){re.escape(decl.name.text)}\s*\.", text):
                yield Diagnostic(
                    self.code,
                    f"nothing of the module `{decl.name.text}` is used",
                    analysis.report.span(decl.name),
                    f"Bring something in with `use {decl.name.text}.NAME`, or remove the import.",
                )


def _without_targets(analysis: Analysis, imports: list[t.ImportDecl]) -> str:
    """The text of the file without the paths that it imports, which have dots too."""
    text, at, kept = analysis.file.text, 0, []
    for decl in imports:
        kept.append(text[at : decl.target.start])
        at = decl.target.end
    return "".join([*kept, text[at:]])
