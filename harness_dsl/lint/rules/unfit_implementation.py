"""HD507"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness_dsl.diagnostics import Diagnostic, Label, did_you_mean
from harness_dsl.lint.examples import Folder
from harness_dsl.lint.rule import Rule
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.values import plain

if TYPE_CHECKING:
    import ast

    from harness_dsl.lint.implementations import Definition, Parameters, Source
    from harness_dsl.syntax.analysis import Analysis

_Named = tuple[t.Quote, t.ToolDecl | t.HookDecl]
POINTED_AT = 4
"""So many others that name a broken module are shown."""
_PROJECT = '[runtime]\nallow = ["shop"]\n'
_SHOP = '''
harness shop "1.0.0"

input room: any

tool get_quote(link_id: int, quantity: int = 1) -> any {
  """Quote some pieces of a product."""
  impl python "shop:get_quote"
}

prompt system {
  section tools catalog tools
}
'''


class UnfitImplementation(Rule):
    """A parameter is renamed in the harness and not in Python, and the first viewer who needs the tool
    learns of it. The source is compared with the tool: the function has to take each parameter by its
    declared identifier, may ask for inputs as keywords only, and needs a default for what may be absent. It
    is read, never imported. A parameter that is called like a word of Python (`from`) fits no function but
    one that takes `**` anything. A module outside the `path` of `harness.toml`, and a function that is
    decorated or comes from elsewhere, is left alone.
    """

    code = "HD507"
    enforces = ("declared-conduct", "stale-names")
    bad = Folder(
        {
            "shop.harness": _SHOP,
            "harness.toml": _PROJECT,
            "shop.py": 'def get_quote(link, quantity=1, *, room):\n    return room["price"] * quantity\n',
        }
    )
    good = Folder(
        {
            "shop.harness": _SHOP,
            "harness.toml": _PROJECT,
            "shop.py": 'def get_quote(link_id, quantity=1, *, room):\n    return room["price"] * quantity\n',
        }
    )

    def check(self, analysis: Analysis) -> Iterator[Diagnostic]:
        named = list(_implementations(analysis))
        if not named:
            return
        from harness_dsl.lint.project import project_of

        project = project_of(analysis.file.path)
        if project is None:
            yield from _words_of_python(analysis, named)
            return
        from harness_dsl.lint.implementations import source_of

        by_module: dict[str, list[_Named]] = {}
        for quote, owner in named:
            by_module.setdefault(value_of(quote).partition(":")[0], []).append((quote, owner))
        for module, own in by_module.items():
            source = source_of(module, project)
            if source is None:
                yield from _words_of_python(analysis, own)
            elif source.body is None:
                yield _unread(analysis, own, source)
            else:
                analysis.beside[source.path] = source.text
                for quote, owner in own:
                    function = value_of(quote).partition(":")[2]
                    yield from _Comparison(analysis, quote, owner, source).compare(function, source.body)


def _unread(analysis: Analysis, named: list[_Named], source: Source) -> Diagnostic:
    """What is wrong with the module, once for all who name it."""
    first, *others = [analysis.report.span(quote) for quote, _ in named]
    labels = tuple(Label(span, "named here too") for span in others[:POINTED_AT])
    message = f"`{source.path}` {source.fault}"
    if len(others) > POINTED_AT:
        message += f", and {len(others)} more name it"
    advice = "Correct that file." if source.text else "Write that module, or correct its name."
    return Diagnostic("HD507", message, first, advice, labels)


def _words_of_python(analysis: Analysis, named: list[_Named]) -> Iterator[Diagnostic]:
    """Parameters that no function can name; what nobody can look into may still take any."""
    from keyword import iskeyword

    for _, owner in named:
        for param in owner.params if isinstance(owner, t.ToolDecl) else ():
            name = param.name.text
            if iskeyword(name):
                message = f"`{name}` is a word of Python, so that no parameter has this name"
                yield Diagnostic("HD507", message, analysis.report.span(param.name), _renamed(name))


def _renamed(name: str) -> str:
    return f'Give it another identifier, and show it as it is: `{name}_ named "{name}"`.'


def _implementations(analysis: Analysis) -> Iterator[_Named]:
    """What the file names as `module:function`, each with its owner."""
    from harness_dsl.syntax.checks.declarations import TARGET

    tools, hooks = analysis.symbols.tools.values(), analysis.symbols.hooks.values()
    owners: list[t.ToolDecl | t.HookDecl] = [*tools, *hooks]
    for decl in owners:
        for clause in decl.clauses:
            for node in clause.args:
                if isinstance(node, t.Impl) and node.kind == "python":
                    quote = node.target
                elif isinstance(node, t.Quote) and clause.word == "same":
                    quote = node
                else:
                    continue
                if TARGET.fullmatch(value_of(quote)):
                    yield quote, decl


class _Comparison:
    """One tool, or hook, and the function behind it."""

    def __init__(
        self, analysis: Analysis, quote: t.Quote, owner: t.ToolDecl | t.HookDecl, source: Source
    ) -> None:
        self._analysis = analysis
        self._quote = quote
        self._owner = owner
        self._source = source
        self._inputs = set(analysis.symbols.inputs)

    def compare(self, name: str, body: list[ast.stmt]) -> list[Diagnostic]:
        """What is wrong with the function `name` of the module that holds `body`."""
        from harness_dsl.lint.implementations import definitions

        found = definitions(body, name)
        if found is None:
            return []
        if not found:
            close = did_you_mean(name, [each.name for each in body if hasattr(each, "name")])
            advice = close[0].upper() + close[1:] if close else f"Define it there: `def {name}(…):`."
            return [self._say(self._quote, f"`{self._source.path}` has no function `{name}`", advice)]
        faults = [self._faults(function) for function in found]
        return [] if [] in faults else faults[-1]

    def _faults(self, function: Definition) -> list[Diagnostic]:
        from harness_dsl.lint.implementations import is_generator, parameters

        if is_generator(function):
            message = f"`{function.name}` is a generator, which returns no result"
            return [self._say(self._quote, message, "Return a value instead of `yield`.", function)]
        takes = parameters(function)
        declared = self._owner.params if isinstance(self._owner, t.ToolDecl) else []
        lacking = [self._lacking(param, function) for param in declared if not _takes(takes, param.name.text)]
        if isinstance(self._owner, t.HookDecl) and not _takes(takes, "facts"):
            message = f"`{function.name}` does not take `facts`"
            return [self._say(self._quote, message, f"Write `def {function.name}(facts):`.", function)]
        # A parameter under another name is lacking and too many: that is one mistake.
        return lacking or [
            *self._needed(takes, function, declared),
            *self._defaults(takes, function, declared),
        ]

    def _lacking(self, param: t.ParamDecl, function: Definition) -> Diagnostic:
        from keyword import iskeyword

        name = param.name.text
        if iskeyword(name):
            message = f"`{function.name}` cannot take `{name}`, which is a word of Python"
            return self._say(param.name, message, _renamed(name), function)
        advice = f"Take it by this name, as in `def {function.name}({name}, …):`."
        return self._say(param.name, f"`{function.name}` does not take `{name}`", advice, function)

    def _needed(
        self, takes: Parameters, function: Definition, declared: list[t.ParamDecl]
    ) -> Iterator[Diagnostic]:
        """Parameters of the function that nobody fills."""
        hook = isinstance(self._owner, t.HookDecl)
        known = {"facts"} if hook else {param.name.text for param in declared}
        for name in (*takes.positional, *takes.named):
            if name in known or name in takes.defaults or (name in takes.only and name in self._inputs):
                continue
            advice = "Declare it, or give it a default."
            if hook:
                message = f"`{function.name}` needs `{name}`, and a hook is given `facts` alone"
                advice = "Give it a default."
            elif name in self._inputs:
                message = f"`{function.name}` takes the input `{name}` among the parameters of the tool"
                advice = f"Write `*, {name}` at its end."
            else:
                message = f"`{function.name}` needs `{name}`, which is neither a parameter nor an input"
            yield self._say(self._quote, message, advice, function, name)

    def _defaults(
        self, takes: Parameters, function: Definition, declared: list[t.ParamDecl]
    ) -> Iterator[Diagnostic]:
        for param in declared:
            name = param.name.text
            default = takes.defaults.get(name)
            if param.optional and name in takes.named and default is None:
                message = f"`{function.name}` needs `{name}`, which may be absent"
                yield self._say(
                    param.name, message, f"Give it a default, as in `{name}=None`.", function, name
                )
            elif param.default is not None and default is not None:
                wanted = plain(param.default)
                if _differ(default, wanted):
                    message = f"`{function.name}` has another default for `{name}`"
                    advice = "Make them one: a call without it is always given the default of the tool."
                    yield self._say(param.name, message, advice, function, name)

    def _say(
        self, at: t.Node, message: str, advice: str, function: Definition | None = None, name: str = ""
    ) -> Diagnostic:
        labels: tuple[Label, ...] = ()
        if function is not None:
            labels = (Label(self._source.span(function, name or function.name), "in the function"),)
        return Diagnostic("HD507", message, self._analysis.report.span(at), advice, labels)


def _takes(takes: Parameters, name: str) -> bool:
    return name in takes.named or (takes.rest and name not in takes.positional)


def _differ(default: Any, wanted: Any) -> bool:
    """Whether the expression is a literal of another value than `wanted`; what is none may be equal."""
    import ast

    try:
        return bool(ast.literal_eval(default) != wanted)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
