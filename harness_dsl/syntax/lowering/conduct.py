"""Skills, hooks and lists of items."""

from typing import Any

from harness_dsl.ir import core as ir
from harness_dsl.ir.ids import join
from harness_dsl.syntax import tree as t
from harness_dsl.syntax.checks.conduct import required
from harness_dsl.syntax.lowering.state import Lowering
from harness_dsl.syntax.lowering.texts import lower_expression
from harness_dsl.syntax.quotes import value_of
from harness_dsl.syntax.references import Target, item_id


def lower_items(state: Lowering, owner: str, items: t.Items) -> tuple[ir.Item, ...]:
    """Steps or rules in reading order if ordered, else sorted by id."""
    found = []
    for position, item in enumerate(items.items, 1):
        id_ = item_id(owner, position, item, items.ordered)
        check = lower_expression(item.check, state.analysis.symbols) if item.check is not None else None
        text = state.text(id_, item.text.quote, item.text.fixed)
        state.place(id_, item.label or item.text.quote)
        found.append(ir.Item(id=id_, text=text, check=check))
    if items.ordered:
        return tuple(found)
    state.order(owner, [item.id for item in found])
    return tuple(sorted(found, key=lambda item: item.id))


def lower_skill(state: Lowering, decl: t.SkillDecl) -> ir.Skill:
    id_ = join("skill", decl.name.text)
    state.place(id_, decl.name)
    state.name(id_, decl.named)
    said = {clause.word: clause.args for clause in decl.clauses}
    when = said["when"][0]
    assert isinstance(when, t.Prose)
    items = said["do"][0] if "do" in said else None
    uses = said.get("uses", [])
    return ir.Skill(
        id=id_,
        role=decl.role,
        when=state.text(f"{id_}/when", when.quote, when.fixed or decl.fixed),
        uses=tuple(sorted({join("tool", name.text) for name in uses if isinstance(name, t.Ident)})),
        ordered=items.ordered if isinstance(items, t.Items) else True,
        items=lower_items(state, id_, items) if isinstance(items, t.Items) else (),
        fixed=decl.fixed,
    )


def lower_hook(state: Lowering, decl: t.HookDecl) -> ir.Hook:
    id_ = join("hook", decl.name.text)
    state.place(id_, decl.name)
    said: dict[str, Any] = {clause.word: clause.args[0] for clause in decl.clauses if clause.word != "same"}
    action: t.Action = said["action"]
    message = action.message
    target = required(action.target, state.analysis.symbols) if action.target is not None else None
    event: Any = decl.event.text
    word: Any = action.word
    return ir.Hook(
        id=id_,
        event=event,
        condition=lower_expression(said["if"], state.analysis.symbols),
        action=word,
        message=state.text(f"{id_}/message", message.quote, message.fixed or decl.fixed) if message else None,
        target=target.id if isinstance(target, Target) else None,
        max=int(said["max"].text) if "max" in said else 1,
        fail=said["fail"].text if "fail" in said else "closed",
        implementations=tuple(
            ir.PythonImplementation(target=value_of(clause.args[0]))
            for clause in decl.clauses
            if clause.word == "same" and isinstance(clause.args[0], t.Quote)
        ),
        fixed=decl.fixed,
    )
