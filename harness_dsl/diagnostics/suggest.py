"""Close names for a misspelt one."""

from collections.abc import Iterable


def close_names(word: str, known: Iterable[str]) -> list[str]:
    """At most three names like `word`, the closest first."""
    from difflib import get_close_matches

    return get_close_matches(word, list(dict.fromkeys(known)), n=3, cutoff=0.6)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question after `close_names`; "" if none is close."""
    return question(close_names(word, known))


def question(names: list[str]) -> str:
    """ "did you mean `a` or `b`?"; "" without names."""
    quoted = [f"`{name}`" for name in names]
    if not quoted:
        return ""
    listed = quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]
    return f"did you mean {listed}?"
