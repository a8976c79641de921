"""What lowering gathers on its way: shown names, orders, and where each id stands."""

from dataclasses import dataclass, field

from harness_dsl.diagnostics import Span
from harness_dsl.ir.texts import Template, Text
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.analysis import Analysis
from harness_dsl.syntax.quotes import value_of


@dataclass(slots=True)
class Lowering:
    """`wordings`: declared other wordings by text id. `names`, `orders`: of the default Surface."""

    analysis: Analysis
    spans: dict[str, Span] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    wordings: dict[str, list[t.Quote]] = field(default_factory=dict)

    def place(self, id_: str, node: t.Node) -> None:
        self.spans[id_] = self.analysis.report.span(node)

    def name(self, id_: str, named: t.Quote | None) -> None:
        if named is not None:
            self.names[id_] = value_of(named)

    def order(self, key: str, ids: list[str]) -> None:
        """The ids of an unordered list as written, where that differs from the default: sorted."""
        if ids != sorted(ids):
            self.orders[key] = tuple(ids)

    def text(self, id_: str, quote: t.Quote, fixed: bool) -> Text:
        """The text `quote` with the other wordings that are declared for it."""
        self.place(id_, quote)
        return Text(
            id=id_,
            canonical=self.template(quote),
            alternatives=tuple(self.template(other) for other in self.wordings.get(id_, ())),
            fixed=fixed,
        )

    def optional(self, owner: str, quote: t.Quote | None, fixed: bool = False) -> Text | None:
        """The description of `owner`, if it has one."""
        return None if quote is None else self.text(f"{owner}/description", quote, fixed)

    def template(self, quote: t.Quote) -> Template:
        from harness_dsl.syntax.lowering.texts import lower_parts

        return lower_parts(self.analysis.template(quote).parts, self.analysis.symbols)
