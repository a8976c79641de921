"""The Python functions that implementations name, as far as their source tells. Nothing is imported."""

import ast
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from harness_dsl.diagnostics import Span
from harness_dsl.lint.project import Project
from harness_dsl.reading import is_file, read_bytes, real

LARGEST = 1024 * 1024
"""Longer modules are not looked into."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """A module: `path` as it is shown; `body` is None where `fault` says why it cannot be parsed."""

    path: str
    text: str
    body: list[ast.stmt] | None
    fault: str = ""

    def span(self, node: ast.AST, name: str = "") -> Span:
        """Where `node` stands, or the `name` in it."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        lines = self.text.split("\n")
        # `ast` counts bytes, spans count characters.
        start = sum(len(each) + 1 for each in lines[: line - 1])
        start += len(lines[line - 1].encode()[:column].decode(errors="replace"))
        at = self.text.find(name, start)
        return Span(self.path, at, at + len(name)) if name and at >= 0 else Span(self.path, start, start + 1)


def source_of(module: str, project: Project) -> Source | None:
    """The module of that name; None: it is not in the project, or is too long to be looked into. A module
    that is missing where its package is has a `fault`.
    """
    parts = module.split(".")
    place = Path(*parts)
    for name in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        path = project.folder / name
        if is_file(str(path)) and Path(real(str(path))).is_relative_to(project.folder):
            return _parsed(str(path), str(project.shown / name))
    top = project.folder / parts[0]
    own = is_file(str(top / "__init__.py")) or is_file(f"{top}.py")
    return Source(str(project.shown), "", None, f"has no module `{module}`") if own else None


def _parsed(path: str, shown: str) -> Source | None:
    try:
        data = read_bytes(path)
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, ValueError):
        return None
    if len(data) > LARGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Source(shown, text, ast.parse(text).body)
    except SyntaxError as error:
        return Source(shown, text, None, f"cannot be parsed: {error.msg} in line {error.lineno}")
    except (ValueError, RecursionError, MemoryError):
        return Source(shown, text, None, "cannot be parsed")


def definitions(body: list[ast.stmt], name: str) -> list[Definition] | None:
    """Every definition of the function; [] if nothing in the module makes `name`, None if something else may.

    A decorated function may take anything.
    """
    found: list[Definition] = []
    for node in _statements(body):
        if isinstance(node, Definition):
            if node.name == "__getattr__" or (node.name == name and node.decorator_list):
                return None
            found += [node] if node.name == name else []
        elif name in _bound(node) or "*" in _bound(node):
            return None
    return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Those that run when the module is imported."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, part, ()))
            for handler in getattr(node, "handlers", ()):
                yield from _statements(handler.body)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement makes, itself and not what is inside it."""
    match node:
        case ast.ClassDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or alias.name.split(".")[0] for alias in node.names}
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.For():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return {
                inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)
            }
        case _:
            return set()


class Parameters(NamedTuple):
    """What a function takes by keyword. `defaults`: the default of each that has one. `rest`: it takes any
    other keyword too. `positional`: needed, and cannot be given by keyword.
    """

    named: dict[str, ast.arg]
    only: frozenset[str]
    defaults: dict[str, ast.expr]
    rest: bool
    positional: tuple[str, ...]


def parameters(function: Definition) -> Parameters:
    """The parameters of `function`."""
    own = function.args
    front = [*own.posonlyargs, *own.args]
    defaults = dict(
        zip([each.arg for each in front[len(front) - len(own.defaults) :]], own.defaults, strict=True)
    )
    defaults |= {
        each.arg: default
        for each, default in zip(own.kwonlyargs, own.kw_defaults, strict=True)
        if default is not None
    }
    return Parameters(
        {each.arg: each for each in [*own.args, *own.kwonlyargs]},
        frozenset(each.arg for each in own.kwonlyargs),
        defaults,
        own.kwarg is not None,
        tuple(each.arg for each in own.posonlyargs if each.arg not in defaults),
    )


def is_generator(function: Definition) -> bool:
    """Whether calling `function` runs nothing of it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return False
