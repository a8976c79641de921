"""Names and types inside expressions: template values, rule predicates, hook conditions, expectations."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, assert_never

from harness_dsl.syntax import tree as t
from harness_dsl.syntax.kinds import ANY, BOOL, NULL, NUMBER, TEXT, Kind, comparable, either, kind_of, present
from harness_dsl.syntax.patterns import check_pattern
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.report import Report
from harness_dsl.syntax.symbols import Symbols
from harness_dsl.syntax.written import known_present, written

FUNCTIONS = ("results", "called", "calling", "loaded", "chars", "count", "price", "number")
FILTERS = ("upper", "lower", "trim", "length", "join", "default", "json")
_WITH_ARGUMENT = ("join", "default")
_AROUND_CALLS = ("before_call", "after_call")
_SAME = "Compare values of one kind."


class Scope(NamedTuple):
    """Where an expression stands. `present`: paths known not to be null here. `strangers`: may untrusted
    inputs be shown. `tainted`: loop variables over untrusted inputs.
    """

    place: Literal["text", "rule", "hook", "test"]
    event: str = ""
    loops: Mapping[str, Kind] = MappingProxyType({})
    present: frozenset[str] = frozenset()
    strangers: bool = False
    tainted: frozenset[str] = frozenset()


class Expressions:
    """Checks expressions against `symbols`; every mistake goes to `report`. `used`: inputs that were read."""

    def __init__(self, symbols: Symbols, report: Report) -> None:
        self.symbols = symbols
        self.report = report
        self.used: set[str] = set()

    def condition(self, node: t.Expr, scope: Scope) -> None:
        """`node` has to be true or false."""
        kind = self.kind(node, scope)
        if kind.name not in ("bool", "any"):
            self.report.say(
                "HD305",
                f"this is {kind}, not a condition",
                node,
                "Compare it with something, or ask a predicate.",
            )

    def kind(self, node: t.Expr, scope: Scope) -> Kind:
        match node:
            case t.LiteralExpr():
                return self._literal(node)
            case t.Path():
                return self._path(node, scope)
            case t.ReplyWord():
                self._only(node, scope, "reply", ("rule", "test"), ("before_reply",))
                return TEXT
            case t.CallExpr():
                return self._call(node, scope)
            case t.Apply():
                return self._filter(node, scope)
            case t.NotExpr():
                self.condition(node.operand, scope)
                return BOOL
            case t.Infix():
                self._infix(node, scope)
                return BOOL
            case t.MatchesExpr():
                self._wants(
                    node.subject, _orderable(node.subject, self.kind(node.subject, scope)), "text", "matches"
                )
                check_pattern(node.pattern, self.report)
                return BOOL
            case t.EveryExpr():
                self._every(node, scope)
                return BOOL
            case _:
                assert_never(node)

    def _only(
        self, node: t.Node, scope: Scope, what: str, places: tuple[str, ...], events: tuple[str, ...]
    ) -> None:
        """`what` has a value in some places, and in hooks on some events, only."""
        if scope.place == "hook" and scope.event not in events:
            if scope.event:
                self.report.say(
                    "HD503",
                    f"`{what}` has no value on `{scope.event}`",
                    node,
                    f"Use it on {' or '.join(events)}.",
                )
        elif scope.place != "hook" and scope.place not in places:
            self.report.say(
                "HD503",
                f"`{what}` has no value in a {scope.place}",
                node,
                "Use inputs, limits and loop variables.",
            )

    def _literal(self, node: t.LiteralExpr) -> Kind:
        match node.value:
            case t.Number():
                if len(node.value.text) > 16:
                    self.report.say(
                        "HD115", "a number has at most 15 digits", node, "Write a smaller number."
                    )
                return NUMBER
            case t.Quote():
                return TEXT
            case None:
                return NULL
            case _:
                return BOOL

    # ── names ──────────────────────────────────────────────────────────────────────────────────────────────

    def _path(self, node: t.Path, scope: Scope) -> Kind:
        root = node.root.text
        if root in scope.loops:
            kind = self._fields(scope.loops[root], node.segments, root, scope)
        elif root in self.symbols.inputs:
            self.used.add(root)
            kind = kind_of(self.symbols.inputs[root].type, self.symbols)
            kind = self._fields(kind, node.segments, root, scope)
        elif root == "limits":
            return self._limit(node)
        elif root == "argument":
            return self._argument(node, scope)
        else:
            self._unknown(node, scope)
            return ANY
        return present(kind) if written(node) in scope.present else kind

    def _unknown(self, node: t.Path, scope: Scope) -> None:
        root = node.root.text
        known = [*scope.loops, *self.symbols.inputs, "limits"]
        if root in ("tool", "skill", "type", "section") and scope.place == "text":
            self.report.say(
                "HD503", f"`{written(node)}` is a name, not a value", node, "Show it alone, as `{{ … }}`."
            )
            return
        if root in self.symbols.tools or root in self.symbols.skills:
            kind = "tool" if root in self.symbols.tools else "skill"
            wrapped = f"{kind}.{root}" if scope.place == "text" else f"called({root})"
            self.report.say(
                "HD403" if scope.place == "text" else "HD503",
                f"`{root}` is a {kind}, not a value",
                node.root,
                f"Write `{wrapped}`.",
            )
            return
        code = "HD403" if scope.place == "text" else "HD202"
        advice = "Declare an input of that name."
        if scope.place != "text" and not node.segments:
            advice = f'Declare an input of that name, or quote it: "{root}".'
        self.report.unknown(code, "value", node.root, known, advice)

    def _limit(self, node: t.Path) -> Kind:
        if not node.segments:
            self.report.say("HD202", "`limits` alone is no value", node, "Write `limits.NAME`.")
            return ANY
        name = node.segments[0]
        decl = self.symbols.limits.get(name.text)
        if decl is None:
            self.report.unknown("HD405", "limit", name, list(self.symbols.limits))
            return ANY
        for extra in node.segments[1:]:
            self.report.say("HD306", f"a limit has no field `{extra.text}`", extra, "Remove it.")
        return NUMBER if isinstance(decl.value, t.Number) else TEXT

    def _argument(self, node: t.Path, scope: Scope) -> Kind:
        self._only(node, scope, "argument", (), _AROUND_CALLS)
        if len(node.segments) != 1:
            self.report.say("HD202", "`argument` needs one parameter", node, "Write `argument.NAME`.")
            return ANY
        name = node.segments[0]
        kinds = [
            kind_of(param.type, self.symbols)
            for tool in self.symbols.tools
            for param in self.symbols.params(tool).values()
            if param.name.text == name.text
        ]
        if not kinds:
            known = [param for tool in self.symbols.tools for param in self.symbols.params(tool)]
            self.report.unknown("HD202", "parameter", name, known)
            return ANY
        kind = kinds[0] if len(set(kinds)) == 1 else ANY
        return kind if kind.name in ("any", "nullable") else Kind("nullable", kind)

    def _fields(
        self, kind: Kind, segments: list[t.Ident], root: str = "", scope: Scope | None = None
    ) -> Kind:
        """What `segments` lead to from `kind`, which is that of `root` in `scope`.

        Without a scope it is that of results: then the entries of lists on the way are meant.
        """
        absent = False
        for at, segment in enumerate(segments):
            before = ".".join([root, *(one.text for one in segments[:at])])
            absent = absent or kind.name == "nullable"
            absent = absent and not (scope and before in scope.present)
            kind = present(kind) if scope else _spread(kind)
            if kind.name == "any":
                return ANY
            if kind.name == "map":
                kind, absent = kind.item or ANY, True
                continue
            fields = [self.symbols.fields(name) for name in kind.types]
            found = [of[segment.text] for of in fields if segment.text in of]
            if not found:
                of_which = " or ".join(f"`{name}`" for name in kind.types)
                what = f"field of {of_which}" if fields else f"field in {kind}"
                known = list(dict.fromkeys(name for of in fields for name in of))
                self.report.unknown("HD306", what, segment, known, "Use a declared field.")
                return ANY
            kind = either([kind_of(field.type, self.symbols) for field in found])
            absent = absent or len(found) < len(fields) or any(field.optional for field in found)
        return Kind("nullable", kind) if absent and kind.name not in ("nullable", "any") else kind

    # ── functions and filters ──────────────────────────────────────────────────────────────────────────────

    def _call(self, node: t.CallExpr, scope: Scope) -> Kind:
        name = node.function.text
        if name not in FUNCTIONS:
            self.report.unknown(
                "HD202", "function", node.function, list(FUNCTIONS), f"Use one of {', '.join(FUNCTIONS)}."
            )
            return ANY
        if name == "calling":
            self._only(node.function, scope, name, (), _AROUND_CALLS)
            return self._about(node)
        if name in ("results", "called", "loaded"):
            self._only(node.function, scope, name, ("rule", "test"), (*_AROUND_CALLS, "before_reply"))
            return self._about(node)
        for segment in node.segments:
            self.report.say(
                "HD306", f"what `{name}` gives has no field `{segment.text}`", segment, "Remove it."
            )
        argument = self.kind(node.argument, scope)
        if name == "count":
            self._wants(node.argument, argument, "list", name)
            return NUMBER
        self._wants(node.argument, argument, "text", name)
        return NUMBER if name == "chars" else Kind("list", NUMBER)

    def _about(self, node: t.CallExpr) -> Kind:
        """`results(tool)`, `called(tool)`, `calling(tool)`, `loaded(skill)`."""
        name = node.function.text
        what = "skill" if name == "loaded" else "tool"
        table = self.symbols.skills if what == "skill" else self.symbols.tools
        if not isinstance(node.argument, t.Path) or node.argument.segments:
            self.report.say(
                "HD202", f"`{name}` needs the name of a {what}", node.argument, f"Write `{name}(NAME)`."
            )
            return ANY
        if node.argument.root.text not in table:
            self.report.unknown("HD202", what, node.argument.root, list(table))
            return ANY
        if name != "results":
            for segment in node.segments:
                self.report.say(
                    "HD306", f"what `{name}` gives has no field `{segment.text}`", segment, "Remove it."
                )
            return BOOL
        returns = kind_of(self.symbols.tools[node.argument.root.text].returns, self.symbols)
        return Kind("list", present(_spread(self._fields(returns, node.segments))))

    def _filter(self, node: t.Apply, scope: Scope) -> Kind:
        kind = self.kind(node.subject, scope)
        name = node.name.text
        if name not in FILTERS:
            self.report.unknown(
                "HD407", "filter", node.name, list(FILTERS), f"Use one of {', '.join(FILTERS)}."
            )
            return ANY
        if (node.argument is not None) != (name in _WITH_ARGUMENT):
            needed = "needs an argument" if name in _WITH_ARGUMENT else "takes no argument"
            self.report.say(
                "HD407", f"the filter `{name}` {needed}", node.name, 'Write `join(", ")`, `upper`.'
            )
        if name == "default":
            return Kind("text") if present(kind).name == "text" else present(kind)
        if name == "json":
            return TEXT
        if name == "length":
            if present(kind).name not in ("list", "text", "map", "any") or kind.name == "nullable":
                self.report.say(
                    "HD305", f"{kind} has no length", node.subject, "Take the length of a text, list or map."
                )
            return NUMBER
        self._wants(node.subject, kind, "list" if name == "join" else "text", name)
        return TEXT

    # ── operators ──────────────────────────────────────────────────────────────────────────────────────────

    def _wants(self, node: t.Node, kind: Kind, name: str, by: str) -> None:
        if kind.name not in (name, "any"):
            help_ = 'Give a value for null with `| default("…")`.' if kind.name == "nullable" else ""
            shown = {"text": "a text", "list": "a list", "number": "a number"}[name]
            self.report.say("HD305", f"`{by}` needs {shown}, and this is {kind}", node, help_)

    def _infix(self, node: t.Infix, scope: Scope) -> None:
        operator = node.operator
        if operator in ("and", "or"):
            self.condition(node.left, scope)
            if operator == "and":
                scope = scope._replace(present=scope.present | known_present(node.left))
            self.condition(node.right, scope)
            return
        left, right = self.kind(node.left, scope), self.kind(node.right, scope)
        if operator in ("starts with", "ends with", "contains"):
            left, right = _orderable(node.left, left), _orderable(node.right, right)
            if operator == "contains" and left.name == "list":
                if not comparable(left.item or ANY, right):
                    self.report.say("HD305", f"{left} never contains {right}", node, _SAME)
                return
            self._wants(node.left, left, "text", operator)
            self._wants(node.right, right, "text", operator)
        elif operator == "in":
            self._wants(node.right, right, "list", "in")
            if right.name == "list" and not comparable(left, right.item or ANY):
                self.report.say("HD305", f"{left} is never in {right}", node.left, _SAME)
        elif operator in ("==", "!="):
            if not comparable(left, right):
                self.report.say("HD305", f"{left} never equals {right}", node, _SAME)
            self._known_value(node.left, left, right)
            self._known_value(node.right, right, left)
        else:
            left, right = _orderable(node.left, left), _orderable(node.right, right)
            for side, kind in ((node.left, left), (node.right, right)):
                if kind.name not in ("number", "text", "any"):
                    self.report.say("HD305", f"`{operator}` cannot order {kind}", side, _orders(kind))
                    return
            if not comparable(left, right):
                self.report.say("HD305", f"`{operator}` cannot order {left} and {right}", node, _SAME)

    def _known_value(self, node: t.Expr, kind: Kind, other: Kind) -> None:
        """A literal that is compared with an enum is one of its values."""
        values = present(other).values
        if values and isinstance(node, t.LiteralExpr) and isinstance(node.value, t.Quote):
            word = value_of(node.value)
            if word not in values:
                self.report.say(
                    "HD303", f'"{word}" is none of its values', node, "Use one of " + _listed(values)
                )
        del kind

    def _every(self, node: t.EveryExpr, scope: Scope) -> None:
        subject, within = self.kind(node.subject, scope), self.kind(node.within, scope)
        self._wants(node.subject, subject, "list", "every")
        self._wants(node.within, within, "list", "every … in")
        if subject.name == within.name == "list" and not comparable(subject.item or ANY, within.item or ANY):
            self.report.say("HD305", f"{subject} and {within} have nothing in common", node, _SAME)


def _spread(kind: Kind) -> Kind:
    """The kind of the entries of a list, of lists in it too; any other `kind` without null."""
    kind = present(kind)
    while kind.name == "list":
        kind = present(kind.item or ANY)
    return kind


def _orderable(node: t.Expr, kind: Kind) -> Kind:
    """An argument is null in a call of a tool without it; then a comparison does not hold."""
    return present(kind) if isinstance(node, t.Path) and node.root.text == "argument" else kind


def _orders(kind: Kind) -> str:
    if kind.name == "nullable":
        return "Ask first whether it is there: `… != null and …`."
    return "Only numbers and texts have an order."


def _listed(values: tuple[str, ...]) -> str:
    return ", ".join(f'"{value}"' for value in values[:5]) + (", …" if len(values) > 5 else ".")
