"""Broken twins of the operators that choose names and call syntaxes, and the law that rejects each."""

from random import Random

from augmentors.base import Operator
from augmentors.operators.abbreviate import Abbreviate
from augmentors.operators.call_syntax import CallSyntax
from augmentors.operators.name_language import NameLanguage
from augmentors.operators.opaque_names import OpaqueNames
from augmentors.operators.skill_loader import SkillLoader
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_TEXT, SemanticId
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Literally


def named(surface: Surface, **names: str) -> Surface:
    """`surface` with other names, by ids written with `__` for `/`."""
    ids = {key.replace("__", "/"): name for key, name in names.items()}
    return surface.model_copy(update={"names": {**surface.names, **ids}})


class CallsFixed(CallSyntax):
    """Writes calls in another syntax though the looks of one tool are under contract."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return (core.prompt.id,)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface.model_copy(update={"call_syntax": "pythonic"})


class SameSyntax(CallSyntax):
    """Counts as a variant what is written as before."""

    def symbols(self, core: Core, surface: Surface) -> tuple[SemanticId, ...]:
        return (core.prompt.id,)

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return surface


class CutsFixed(Abbreviate):
    """Abbreviates the name of a tool whose looks are under contract."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_item="get_itm")


class CutsFields(Abbreviate):
    """Cuts by rule the name of a field that nothing else explains."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, type__Quote__field__currency="crrncy")


class CutsAlike(Abbreviate):
    """Abbreviates two names to one."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_quote="get_it", tool__check_stock="get_it")


class ToolsInCharacters(NameLanguage):
    """Gives a tool a name that every target would show as underscores."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_quote="查价格")


class WrongWord(NameLanguage):
    """Translates a field that nothing explains by a word for something else."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, type__Quote__field__amount="数量")


class TranslatesFixed(NameLanguage):
    """Translates the name of a tool whose looks are under contract."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_item="huoqu_wupin")


class TranslatesAlike(NameLanguage):
    """Translates two names by one word."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_quote="chaxun", tool__check_stock="chaxun")


class NumbersFixed(OpaqueNames):
    """Numbers a tool whose looks are under contract."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_item="t17")


class NumbersFields(OpaqueNames):
    """Numbers a field that nothing else explains."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, type__Quote__field__amount="f17")


class NumbersAlike(OpaqueNames):
    """Gives one number twice."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        return named(surface, tool__get_quote="t17", tool__check_stock="t17")


class LoadsAsTool(SkillLoader):
    """Calls the skill loader like a tool of the harness."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        names = {**surface.names, LOAD_SKILL: "get_item"}
        return surface.model_copy(update={"names": names})


class LoaderInOwnWords(SkillLoader):
    """Describes the skill loader as nobody declared."""

    def apply(self, core: Core, surface: Surface, rng: Random) -> Surface:
        wordings = {**surface.wordings, LOAD_SKILL_TEXT: (Literally(text="Do not read skills."),)}
        return surface.model_copy(update={"wordings": wordings})


TWINS: list[tuple[type[Operator], str]] = [
    (CallsFixed, "frozen"),
    (CallsFixed, "accepted"),
    (SameSyntax, "effective"),
    (CutsFixed, "frozen"),
    (CutsFixed, "accepted"),
    (CutsFields, "accepted"),
    (CutsAlike, "valid"),
    (CutsAlike, "accepted"),
    (ToolsInCharacters, "legal-names"),
    (ToolsInCharacters, "accepted"),
    (WrongWord, "accepted"),
    (TranslatesFixed, "frozen"),
    (TranslatesAlike, "valid"),
    (NumbersFixed, "frozen"),
    (NumbersFields, "accepted"),
    (NumbersAlike, "valid"),
    (LoadsAsTool, "valid"),
    (LoadsAsTool, "accepted"),
    (LoaderInOwnWords, "valid"),
    (LoaderInOwnWords, "accepted"),
]
