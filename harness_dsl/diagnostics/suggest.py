"""Close names for a misspelt one."""

from collections.abc import Iterable


def close_names(word: str, known: Iterable[str]) -> list[str]:
    """At most three names like `word`, the closest first."""
    from difflib import get_close_matches

    near = [name for name in dict.fromkeys(known) if _as_long(word, name)]
    return get_close_matches(word, near, n=3, cutoff=0.6)


def _as_long(word: str, name: str) -> bool:
    """`int` is no misspelt `Patient`, although the letters would do; `read` may be meant by `readonly`."""
    return (
        abs(len(word) - len(name)) <= max(2, len(word) // 3) or word.startswith(name) or name.startswith(word)
    )


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
