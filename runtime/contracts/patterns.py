"""Texts that a regular expression finds, and some that it just misses."""

from collections.abc import Iterable
from random import Random
from re import _constants as codes
from re import _parser as parser
from typing import Any

_MOST = 3
"""So many repetitions are drawn beyond the least."""
_CATEGORIES = {
    "CATEGORY_DIGIT": "07９٣",
    "CATEGORY_NOT_DIGIT": "x元 ",
    "CATEGORY_SPACE": " \t\n\u3000",
    "CATEGORY_NOT_SPACE": "x7。",
    "CATEGORY_WORD": "a_7é字",
    "CATEGORY_NOT_WORD": " -。",
}
"""Members of each class, of ASCII and beyond: what is written twice is often written for ASCII once."""
_ANY = "a 7。字\u200b"


def matching(pattern: str, rng: Random) -> str:
    """A text in which `pattern` is found, for most patterns; lookarounds and references back are left out."""
    return "".join(_drawn(parser.parse(pattern), rng))


def near(text: str, rng: Random) -> str:
    """`text` with a character too few, too many, doubled, in another case or of another width."""
    if not text:
        return " "
    at = rng.randrange(len(text))
    before, letter, behind = text[:at], text[at], text[at + 1 :]
    wide = chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter
    options = (behind, letter * 2, letter.swapcase(), wide, f"{letter} ", f"{letter}\n", f" {letter}")
    return before + rng.choice(options) + behind


def otherwise(text: str, rng: Random) -> str:
    """`text` written in another way: in other case, with something around it, cut, or a letter off."""
    ways = (text.upper(), text.lower(), text.swapcase(), f"好\n{text}", f"{text} 。", text[1:], text[:-1])
    return rng.choice(ways) if rng.random() < 0.5 else near(text, rng)


def _drawn(items: Iterable[tuple[Any, Any]], rng: Random) -> list[str]:
    return [_one(operator, argument, rng) for operator, argument in items]


def _one(operator: Any, argument: Any, rng: Random) -> str:
    match str(operator):
        case "LITERAL":
            return chr(argument)
        case "NOT_LITERAL":
            return "x" if argument != ord("x") else "y"
        case "ANY":
            return rng.choice(_ANY)
        case "IN":
            return _member(argument, rng)
        case "BRANCH":
            return "".join(_drawn(rng.choice(argument[1]), rng))
        case "SUBPATTERN":
            return "".join(_drawn(argument[-1], rng))
        case "ATOMIC_GROUP":
            return "".join(_drawn(argument, rng))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = argument
            most = least + _MOST if most is codes.MAXREPEAT else most
            count = rng.choice(
                (least, most if most <= least + 64 else least + _MOST, rng.randint(least, most))
            )
            return "".join("".join(_drawn(inner, rng)) for _ in range(count))
        case "CATEGORY":
            return rng.choice(_CATEGORIES[str(argument)])
        case _:
            return ""


def _member(options: Any, rng: Random) -> str:
    """A character of a set; of what a set excludes, one that it does not name."""
    chosen = [option for option in options if str(option[0]) != "NEGATE"]
    if len(chosen) < len(options):
        named = "".join(_letters(option) for option in chosen)
        return rng.choice([letter for letter in _ANY + "xyz-" if letter not in named] or ["x"])
    operator, argument = rng.choice(chosen)
    if str(operator) == "RANGE":
        return chr(rng.choice((argument[0], argument[1], rng.randint(*argument))))
    return _one(operator, argument, rng)


def _letters(option: tuple[Any, Any]) -> str:
    operator, argument = option
    if str(operator) == "RANGE":
        low, high = argument
        return "".join(letter for letter in _ANY + "xyz-" if low <= ord(letter) <= high)
    if str(operator) == "LITERAL":
        return chr(argument)
    return _CATEGORIES.get(str(argument), "")
