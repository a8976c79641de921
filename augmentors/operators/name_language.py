"""Names in another language.

    get_price(city) → {"amount": …}  →  huoqu_jiage(chengshi) → {"金额": …}
    红色                             →  crimson

No run can tell the two apart: calls, results and mentions are stored by semantic id. Every word comes from a
bank of meanings, and a name changes only if all of its words are known. Tools and skills are written in
pinyin: targets take Latin letters there, and would show every other character as an underscore. Fields and
values may be written in Chinese characters, and parameters too where every target that is served takes them
(Anthropic's does not).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Literal

from pydantic import Field

from augmentors import observations
from augmentors.banks import Pool
from augmentors.base import Law, Parameters
from augmentors.identifiers import Style, words, written
from augmentors.index import Index
from augmentors.levels import Level
from augmentors.other_words import translated
from augmentors.renaming import Renaming
from augmentors.vouching import vouches
from harness_dsl.ir.ids import SemanticId, kind, leaf

_CHARACTERS = 0.7
"""How likely a variant prefers characters where it may write them."""


class NameLanguageParameters(Parameters):
    """pool        whose words are used
    kinds       which kinds of symbols are renamed
    share       how likely each of them is renamed; at least one always is
    characters  which kinds may be written in Chinese characters; the others are written in pinyin
    """

    pool: Pool = "train"
    kinds: tuple[Literal["skill", "tool", "param", "value", "field"], ...] = (
        "skill",
        "tool",
        "param",
        "value",
        "field",
    )
    share: float = Field(default=0.8, gt=0, le=1)
    characters: tuple[Literal["param", "value", "field"], ...] = ("value", "field")


class NameLanguage(Renaming):
    """Translates declared names between English and Chinese, as far as the bank knows their words."""

    name: ClassVar[str] = "name-language"
    family: ClassVar[str] = "naming"
    level: ClassVar[Level] = "structural"
    observation: ClassVar[str] = observations.ALL
    refused: ClassVar[Mapping[Law, str]] = {
        "valid": "one word for two symbols of a namespace",
        "accepted": "a word that no bank gives for what a symbol without description is declared as",
        "frozen": "another name for a symbol that is `fixed`",
        "legal-names": "a tool in Chinese characters",
    }
    reads_names: ClassVar[bool] = False
    parameters_model: ClassVar[type[Parameters]] = NameLanguageParameters
    parameters: NameLanguageParameters

    @property
    def share(self) -> float:
        return self.parameters.share

    def candidates(self, known: Index) -> Iterator[SemanticId]:
        kinds = frozenset(self.parameters.kinds)
        return (id_ for id_ in known.space_of if kind(id_) in kinds)

    def options(self, known: Index, id_: SemanticId, name: str) -> list[str]:
        in_characters = kind(id_) in self.parameters.characters
        names = translated(leaf(id_), self.parameters.pool, in_characters=in_characters)
        return [other for other in names if id_ in known.described or vouches(known, id_, other)]

    def taste(self, rng: Random) -> Callable[[Sequence[str]], Sequence[str]]:
        """One style of pinyin, and characters or not, for all names of a variant."""
        style: Style = rng.choice(("snake", "camel"))
        in_characters = rng.random() < _CHARACTERS

        def preferred(names: Sequence[str]) -> Sequence[str]:
            chosen = [name for name in names if name.isascii() != in_characters] or names
            return [name for name in chosen if written(words(name), style) == name] or chosen

        return preferred
