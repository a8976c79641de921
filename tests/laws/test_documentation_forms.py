"""Every form of tool documentation says the same, and no text of an author breaks out of it."""

import re
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmentors.footprint import Footprint
from augmentors.operators.tool_docs import ToolDocs as Operator
from augmentors.operators.tool_docs import ToolDocsParameters
from augmentors.samples import sample_inputs
from harness_dsl.ir.core import Core, Limit, Param, Prompt, Tool
from harness_dsl.ir.surface import ForeignTool, Surface, ToolDocs
from harness_dsl.ir.texts import Literally, Reference, Text
from harness_dsl.ir.types import AnyType, StringType
from harness_dsl.protocol import catalog_typescript, catalog_xml
from harness_dsl.protocol.view import View
from harness_dsl.syntax.checks.alternatives import SETTINGS
from tests.laws.laws import LAWS, applied
from tests.strategies import cores, small_shop, surfaces

FORMS = get_args(ToolDocs)
NASTY = ["ends here */ let x", "a <b> & </description>", "one\ntwo", "]]>", "*", "/ * /", "**//", "*/*/"]


def nasty_tool(words: str) -> Tool:
    """A tool whose every text is `words`, around a limit with the same text."""

    def text(owner: str) -> Text:
        template = (Literally(text=words), Reference(target="limit/nasty"), Literally(text=words))
        return Text(id=f"{owner}/description", canonical=template)

    param = Param(
        id="tool/do_it/param/how",
        type=StringType(),
        description=text("tool/do_it/param/how"),
        has_default=True,
        default=words,
    )
    return Tool(id="tool/do_it", description=text("tool/do_it"), params=(param,), returns=AnyType())


def nasty(words: str) -> Core:
    limit = Limit(id="limit/nasty", value=words)
    return Core(
        name="nasty",
        version="1.0.0",
        prompt=Prompt(id="prompt/system", sections=()),
        tools=(nasty_tool(words),),
        limits=(limit,),
    )


def documentation(core: Core, surface: Surface) -> str:
    """The catalogue of tools as it is shown, in both renderings."""
    view = View(core, surface)
    shown = view.renderer.system(sample_inputs(core))
    assert view.quick.system(sample_inputs(core)).text == shown.text
    return shown.text


def only_comments_end(shown: str) -> bool:
    """Whether what stands outside comments is declarations alone: `*/` ended no comment too early."""
    declared = shown[shown.index("/**") : shown.index("\n\nTo call")]
    code = re.sub(r"/\*.*?\*/", "", declared, flags=re.DOTALL)
    return re.sub(r"\s", "", code) == "declarefunctiondo_it(args:{how?:string;});"


def is_well_formed(shown: str, words: str) -> bool:
    """Whether the tools are one XML document that gives `words` back."""
    element = shown[shown.index("<tools>") : shown.index("</tools>") + len("</tools>")]
    try:
        root = ElementTree.fromstring(element)
    except ElementTree.ParseError:
        return False
    found = [about.text for about in root.iter("description")]
    return found[:2] == [words * 3, words * 3]


def test_the_language_knows_every_form() -> None:
    assert SETTINGS["tool_docs"] == FORMS


@given(st.data())
def test_every_form_names_the_same_tools_and_parameters(data: st.DataObject) -> None:
    core = data.draw(cores())
    surface = data.draw(surfaces(core))
    said = []
    for form in FORMS:
        shown = View(core, surface.model_copy(update={"tool_docs": form})).renderer.system(
            sample_inputs(core)
        )
        said.append({s.source for s in shown.spans if s.kind == "symbol" and s.source.startswith("tool/")})
    assert all(symbols == said[0] for symbols in said)


@pytest.mark.parametrize("words", NASTY)
def test_no_text_ends_a_comment_of_a_declaration(words: str) -> None:
    assert only_comments_end(documentation(nasty(words), Surface(tool_docs="typescript")))


@pytest.mark.parametrize("words", NASTY)
def test_no_text_breaks_an_element(words: str) -> None:
    assert is_well_formed(documentation(nasty(words), Surface(tool_docs="xml")), words)


def test_a_form_that_forgets_to_escape_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_xml, "_ESCAPES", {})
    monkeypatch.setattr(catalog_typescript, "_in_comment", lambda writer, text, _: writer.extend(text))
    assert not is_well_formed(documentation(nasty("a <b> &"), Surface(tool_docs="xml")), "a <b> &")
    assert not only_comments_end(documentation(nasty("*/ x"), Surface(tool_docs="typescript")))


def test_types_are_spelled_as_each_form_spells_them() -> None:
    parameters = {
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"enum": ["x", 1]}},
            "b": {"type": ["integer", "null"]},
            "c": {"type": "object"},
            "d": True,
        },
    }
    tool = ForeignTool(name="t", description="", parameters=parameters, failure="", origin="made here")
    core = Core(name="empty", version="1.0.0", prompt=Prompt(id="prompt/system", sections=()))
    typescript = documentation(core, Surface(tool_docs="typescript", distractors=(tool,)))
    assert 'a?: Array<"x" | 1>;\n  b?: number /* integer */ | null;\n' in typescript
    assert "c?: Record<string, unknown>;\n  d?: unknown;\n});" in typescript
    xml = documentation(core, Surface(tool_docs="xml", distractors=(tool,)))
    assert '<type>list["x" | 1]</type>' in xml and "<type>int | None</type>" in xml


@pytest.mark.parametrize("form", FORMS)
def test_the_operator_draws_every_form_and_all_laws_hold(form: ToolDocs) -> None:
    core, surface = small_shop()
    surface = surface.model_copy(update={"tool_docs": next(other for other in FORMS if other != form)})
    step = applied(Operator(ToolDocsParameters(forms=(form,))), core, surface, Footprint(), seed=1)
    assert step is not None and step.after.tool_docs == form
    for law in LAWS.values():
        law(step)
