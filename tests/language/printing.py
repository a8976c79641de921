"""Core and Surface as source text, written independently of the formatter: the inverse of lowering.

What the language writes in one way only is first brought into that form (`writable`).
"""

from decimal import Decimal
from typing import Any

from harness_dsl.ir import expressions as x
from harness_dsl.ir import types as ty
from harness_dsl.ir.core import (
    CatalogContent,
    Choice,
    Core,
    Expectation,
    ExpectCall,
    ExpectFact,
    ExpectPredicate,
    ExpectSkill,
    Hook,
    Item,
    Limit,
    ListContent,
    ProseContent,
    Section,
    Skill,
    Span,
    TestCase,
    Tool,
    TypeDecl,
)
from harness_dsl.ir.ids import leaf, unsegment
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import For, If, Interpolation, Literally, Reference, Template, Text


def quoted(text: str) -> str:
    """A `"…"` string."""
    special = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(special.get(c) or (c if c.isprintable() else f"\\u{ord(c):04x}") for c in text) + '"'


class Printer:
    """Prints one harness; `wide` puts more white space and other line breaks between the tokens."""

    def __init__(self, core: Core, surface: Surface, wide: bool = False) -> None:
        self.core = core
        self.surface = surface
        self.gap = "\n\n   # a remark\n " if wide else "\n"

    def source(self) -> str:
        core = self.core
        description = quoted(core.description) if core.description else ""
        parts = [f"harness {core.name} {quoted(core.version)} {description}"]
        parts += [self.type_decl(decl) for decl in core.types]
        parts += [self.input_decl(decl) for decl in core.inputs]
        parts += [self.tool(tool) for tool in self.ordered("tools", core.tools)]
        parts += [self.skill(skill) for skill in self.ordered("skills", core.skills)]
        parts += [self.hook(hook) for hook in core.hooks]
        parts.append(self.prompt())
        parts.append("limits {" + " ".join(map(self.limit, core.limits)) + "}")
        parts += [f"moved {path(moved.old)} -> {path(moved.new)}" for moved in core.moved]
        parts.append(self.alternatives())
        surface = self.surface
        parts.append(f"surface {{ markup {surface.markup} tool_docs {surface.tool_docs} }}")
        parts += [self.test(test) for test in core.tests]
        return self.gap.join(parts) + "\n"

    def ordered(self, key: str, nodes: Any) -> list[Any]:
        by_id = {node.id: node for node in nodes}
        return [by_id[id_] for id_ in self.surface.orders.get(key, sorted(by_id))]

    def named(self, id_: str) -> str:
        name = self.surface.names.get(id_)
        return f" named {quoted(name)}" if name is not None else ""

    def text(self, text: Text, fixed: bool = False) -> str:
        return ("fixed " if text.fixed and not fixed else "") + quoted(self.template(text.canonical))

    def described(self, text: Text | None) -> str:
        return " " + quoted(self.template(text.canonical)) if text is not None else ""

    # ── types ──────────────────────────────────────────────────────────────────────────────────────────────

    def type_decl(self, decl: TypeDecl) -> str:
        name = leaf(decl.id)
        if decl.alias is not None:
            return f"type {name} = {self.type(decl.alias)}{self.described(decl.description)}"
        fields = [
            ("fixed " if f.fixed else "")
            + leaf(f.id)
            + ("?" if f.optional else "")
            + self.named(f.id)
            + f": {self.type(f.type)}{self.described(f.description)}"
            for f in self.ordered(decl.id, decl.fields)
        ]
        return f"type {name} {{{self.described(decl.description)}{self.gap}{self.gap.join(fields)} }}"

    def input_decl(self, decl: Any) -> str:
        untrusted = " untrusted" if decl.untrusted else ""
        return f"input {leaf(decl.id)}: {self.type(decl.type)}{untrusted}{self.described(decl.description)}"

    def type(self, node: ty.Type) -> str:
        match node:
            case ty.EnumType():
                return " | ".join(quoted(m.value) + self.named(m.id) for m in node.members)
            case ty.ListType():
                bounds = ""
                if node.min_length is not None or node.max_length is not None:
                    low = "" if node.min_length is None else node.min_length
                    high = "" if node.max_length is None else node.max_length
                    bounds = f"{low}..{high}"
                return f"({self.type(node.item)})[{bounds}]"
            case ty.MapType():
                return f"map<{self.type(node.value)}>"
            case ty.NullableType():
                return f"({self.type(node.item)})?"
            case ty.UnionType():
                return " | ".join(self.type(option) for option in node.options)
            case ty.NamedType():
                return leaf(node.type)
            case ty.TimeType():
                return node.form
            case _:
                given = {
                    key: value
                    for key, value in node.model_dump().items()
                    if key != "kind" and value is not None
                }
                limits = ", ".join(
                    f"{key}: {quoted(value) if isinstance(value, str) else value}"
                    for key, value in given.items()
                )
                return node.kind + (f"({limits})" if limits else "")

    # ── tools, skills, hooks ───────────────────────────────────────────────────────────────────────────────

    def tool(self, tool: Tool) -> str:
        params = []
        for param in self.ordered(tool.id, tool.params):
            default = f" = {json(param.default)}" if param.has_default else ""
            mark = "?" if param.optional else ""
            params.append(
                ("fixed " if param.fixed else "")
                + f"{leaf(param.id)}{mark}{self.named(param.id)}: {self.type(param.type)}{default}"
                + self.described(param.description)
            )
        clauses = [self.text(tool.description, tool.fixed), f"effect {tool.effect}"]
        clauses += ["idempotent"] if tool.idempotent else []
        clauses += [f"impl python {quoted(tool.implementation.target)}"] if tool.implementation else []  # type: ignore[union-attr]
        clauses += [f"timeout {tool.timeout_ms}ms"] if tool.timeout_ms else []
        clauses += [f"fails {', '.join(tool.fails)}"] if tool.fails else []
        fixed = "fixed " if tool.fixed else ""
        head = f"{fixed}tool {leaf(tool.id)}{self.named(tool.id)}({', '.join(params)})"
        return f"{head} -> {self.type(tool.returns)} {{{self.gap}{self.gap.join(clauses)} }}"

    def items(self, key: str, items: tuple[Item, ...], ordered: bool) -> str:
        shown = items if ordered else self.ordered(key, items)
        lines = []
        for item in shown:
            label = "" if ordered else leaf(item.id) + " "
            word = "step " if key.startswith("skill") and not ordered else ""
            check = f" check {self.expression(item.check)}" if item.check is not None else ""
            fixed = "fixed " if item.text.fixed else ""
            lines.append(f"{fixed}{word}{label}{quoted(self.template(item.text.canonical))}{check}")
        return ("ordered" if ordered else "unordered") + " {" + self.gap + self.gap.join(lines) + "}"

    def skill(self, skill: Skill) -> str:
        fixed = "fixed " if skill.fixed else ""
        uses = f"uses {', '.join(leaf(id_) for id_ in skill.uses)}" if skill.uses else ""
        do = f"do {self.items(skill.id, skill.items, skill.ordered)}" if skill.items else ""
        return (
            f"{fixed}{skill.role} skill {leaf(skill.id)}{self.named(skill.id)} {{ "
            f"when {self.text(skill.when, skill.fixed)} {uses} {do} }}"
        )

    def hook(self, hook: Hook) -> str:
        fixed = "fixed " if hook.fixed else ""
        message = " " + self.text(hook.message, hook.fixed) if hook.message else ""
        target = f" {leaf(hook.target)}" if hook.target else ""
        most = f" max {hook.max}" if hook.max != 1 else ""
        same = "".join(f" same as python {quoted(i.target)}" for i in hook.implementations)
        return (
            f"{fixed}hook {leaf(hook.id)} on {hook.event} {{ if {self.expression(hook.condition)} "
            f"{hook.action}{target}{message}{most} fail {hook.fail}{same} }}"
        )

    # ── prompt and the rest ────────────────────────────────────────────────────────────────────────────────

    def prompt(self) -> str:
        prompt = self.core.prompt
        sections = [self.section(section) for section in self.ordered(prompt.id, prompt.sections)]
        rules = []
        for rule in prompt.order:
            other = f" {leaf(rule.other)}" if rule.other else ""
            rules.append(f"{leaf(rule.section)} {rule.relation}{other}")
        order = f" order {', '.join(rules)}" if rules else ""
        return "prompt system {" + self.gap + self.gap.join(sections) + order + " }"

    def section(self, section: Section) -> str:
        match section.content:
            case ProseContent(text=text):
                content = self.text(text, section.fixed)
            case ListContent(ordered=ordered, items=items):
                content = self.items(section.id, items, ordered)
            case CatalogContent(of=of):
                content = f"catalog {of}"
        fixed = "fixed " if section.fixed else ""
        return f"{fixed}section {leaf(section.id)}{self.named(section.id)} {content}"

    def limit(self, limit: Limit) -> str:
        legal = ""
        match limit.legal:
            case Span(min=low, max=high):
                legal = f" in {low}..{high}"
            case Choice(values=values):
                legal = " in " + ", ".join(map(quoted, values))
        value = quoted(limit.value) if isinstance(limit.value, str) else limit.value
        return f"{leaf(limit.id)} {value}{legal}"

    def alternatives(self) -> str:
        entries = [f"{path(id_)} named {', '.join(map(quoted, n))}" for id_, n in self.core.declared_names]
        entries += [
            f"{path(text.id)} " + " ".join(quoted(self.template(a)) for a in text.alternatives)
            for text in all_texts(self.core)
            if text.alternatives
        ]
        return "alternatives {\n" + "\n".join(entries) + "\n}"

    def test(self, test: TestCase) -> str:
        given = [f"given {leaf(g.input)} = {json(g.value)}" for g in test.given]
        user = [f"user {quoted(text)}" for text in test.user]
        expect = [self.expectation(e) for e in test.expect]
        return f"test {quoted(test.title)} {{{self.gap}{self.gap.join(given + user + expect)} }}"

    def expectation(self, node: Expectation) -> str:
        match node:
            case ExpectSkill():
                return f"expect {'no ' if node.negated else ''}skill {leaf(node.skill)}"
            case ExpectCall():
                arguments = ", ".join(f"{name}: {json(value)}" for name, value in node.arguments)
                return f"expect {'no ' if node.negated else ''}call {leaf(node.tool)}({arguments})"
            case ExpectFact():
                unit = f" {quoted(node.unit)}" if node.unit else ""
                value = quoted(node.value) if isinstance(node.value, str) else node.value
                return f"expect reply states {node.fact} = {value}{unit}"
            case ExpectPredicate():
                return f"expect {self.expression(node.predicate)}"

    # ── templates and expressions ──────────────────────────────────────────────────────────────────────────

    def template(self, parts: Template) -> str:
        return "".join(map(self.part, parts))

    def part(self, part: Any) -> str:
        match part:
            case Literally():
                return part.text.replace("{{", '{{ "{{" }}').replace("{%", '{{ "{%" }}')
            case Reference():
                return f"{{{{ {path(part.target)} }}}}"
            case Interpolation():
                return f"{{{{ {self.expression(part.value)} }}}}"
            case If():
                otherwise = f"{{% else %}}{self.template(part.otherwise)}" if part.otherwise else ""
                condition = self.expression(part.condition)
                return f"{{% if {condition} %}}{self.template(part.then)}{otherwise}{{% endif %}}"
            case For():
                values = self.expression(part.values)
                return f"{{% for {part.variable} in {values} %}}{self.template(part.body)}{{% endfor %}}"
        raise AssertionError(part)

    def expression(self, node: x.Expression) -> str:
        e = self.expression
        match node:
            case x.Constant(value=value):
                return quoted(value) if isinstance(value, str) else json(value)
            case x.InputValue():
                return ".".join([leaf(node.input), *node.path])
            case x.LoopValue():
                return ".".join([node.name, *node.path])
            case x.LimitValue():
                return f"limits.{leaf(node.limit)}"
            case x.Reply():
                return "reply"
            case x.Argument():
                return f"argument.{node.name}"
            case x.Results():
                return ".".join([f"results({leaf(node.tool)})", *node.path])
            case x.Called():
                return f"called({leaf(node.tool)})"
            case x.Calling():
                return f"calling({leaf(node.tool)})"
            case x.Loaded():
                return f"loaded({leaf(node.skill)})"
            case x.Measure() | x.Extract():
                return f"{node.function}({e(node.subject)})"
            case x.Every():
                return f"(every {e(node.subject)} in {e(node.within)})"
            case x.Matches():
                return f"({e(node.subject)} matches {quoted(node.pattern)})"
            case x.Affix():
                word = {"start": "starts with", "end": "ends with", "inside": "contains"}[node.where]
                return f"({e(node.subject)} {word} {e(node.text)})"
            case x.Not():
                return f"(not {e(node.operand)})"
            case x.Binary():
                return f"({e(node.left)} {node.operator} {e(node.right)})"
            case x.Filter():
                argument = f"({quoted(node.argument)})" if node.argument is not None else ""
                return f"({e(node.subject)} | {node.name}{argument})"


def json(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case list():
            return "[" + ", ".join(map(json, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{quoted(key)}: {json(item)}" for key, item in value.items()) + "}"
        case Decimal():
            return format(value, "f")
        case _:
            return repr(value)


def path(id_: str) -> str:
    """How the language names the symbol or text `id_`."""
    kind, *rest = id_.split("/")
    words = [unsegment(part) for part in rest]
    match kind:
        case "builtin":
            kind = "tool"
            words = [word for word in words if word != "param"] if len(words) > 1 else words
        case "prompt":
            kind, words = "section", words[2:]
        case "limit":
            kind = "limits"
        case "tool" if len(words) == 3 and words[1] == "value":
            words = [words[0], "returns", words[2]]
        case "tool" | "type" | "skill" if len(words) > 1:
            words = [words[0], *(word for at, word in enumerate(words[1:]) if not is_role(words[1:], at))]
    return kind + "".join(f".{word}" if word.isidentifier() else f"[{quoted(word)}]" for word in words)


def is_role(words: list[str], at: int) -> bool:
    """`param`, `field`, `value` and `step` say what follows them; at the end a word is a name or a text."""
    return at % 2 == 0 and at + 1 < len(words)


def all_texts(core: Core) -> list[Text]:
    from harness_dsl.ir.walk import texts

    return list(texts(core))
