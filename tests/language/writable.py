"""Generated Cores in the form that the language writes."""

from typing import Any

from harness_dsl.ir import expressions as x
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Interpolation, Reference


def writable(core: Core) -> Core:
    """`core` with one form for what has two in the IR, and without what typing refuses.

    A limit is shown by reference; `max` is said only for actions that repeat; a comparison that never
    holds by type is replaced by one that may.
    """
    data = _rewritten(core)
    hooks = tuple(
        hook if hook.action in ("retry", "require", "inject") else hook.model_copy(update={"max": 1})
        for hook in data.hooks
    )
    return _fixed_texts(data.model_copy(update={"hooks": hooks}))


def writable_surface(surface: Surface) -> Surface:
    """What a file can say of a Surface: names, orders, markup and documentation form."""
    names = {id_: name for id_, name in surface.names.items() if not id_.startswith("builtin/")}
    orders = {
        key: tuple(id_ for id_ in ids if not id_.startswith("foreign/"))
        for key, ids in surface.orders.items()
    }
    return Surface(names=names, orders=orders, markup=surface.markup, tool_docs=surface.tool_docs)


def _rewritten(node: Any) -> Any:
    """The same tree with each node replaced where `_one` says so."""
    if isinstance(node, tuple):
        return tuple(_rewritten(item) for item in node)
    if not hasattr(node, "model_fields_set"):
        return node
    changed = {name: _rewritten(getattr(node, name)) for name in type(node).model_fields}
    return _one(node.model_copy(update=changed))


def _one(node: Any) -> Any:
    match node:
        case Interpolation(value=x.LimitValue(limit=limit)):
            return Reference(target=limit)
        case x.Binary(operator="==", left=x.Argument() as argument, right=x.Constant(value="name")):
            return x.Binary(operator="!=", left=argument, right=x.Constant(value=None))
        case x.Binary(operator="==", left=x.InputValue() as value, right=x.Constant(value="calm")):
            return x.Binary(operator="==", left=value, right=value)
        case _:
            return node


def _fixed_texts(core: Core) -> Core:
    """`fixed` on an owner fixes its text; a description has no `fixed` of its own."""

    def text(node: Any, fixed: bool) -> Any:
        return None if node is None else node.model_copy(update={"fixed": fixed})

    def member(node: Any) -> Any:
        return node.model_copy(update={"description": text(node.description, node.fixed)})

    types = tuple(
        decl.model_copy(
            update={
                "description": text(decl.description, False),
                "fields": None if decl.fields is None else tuple(map(member, decl.fields)),
            }
        )
        for decl in core.types
    )
    inputs = tuple(i.model_copy(update={"description": text(i.description, False)}) for i in core.inputs)
    tools = tuple(
        tool.model_copy(
            update={
                "params": tuple(map(member, tool.params)),
                "description": text(tool.description, tool.description.fixed or tool.fixed),
            }
        )
        for tool in core.tools
    )
    skills = tuple(
        skill.model_copy(update={"when": text(skill.when, skill.when.fixed or skill.fixed)})
        for skill in core.skills
    )
    hooks = tuple(
        hook.model_copy(
            update={"message": text(hook.message, bool(hook.message and (hook.message.fixed or hook.fixed)))}
        )
        for hook in core.hooks
    )
    sections = []
    for section in core.prompt.sections:
        prose = getattr(section.content, "text", None)
        if prose is not None and section.fixed:
            content = section.content.model_copy(update={"text": text(prose, True)})
            section = section.model_copy(update={"content": content})
        sections.append(section)
    prompt = core.prompt.model_copy(update={"sections": tuple(sections)})
    return core.model_copy(
        update={
            "types": types,
            "inputs": inputs,
            "tools": tools,
            "skills": skills,
            "hooks": hooks,
            "prompt": prompt,
        }
    )
