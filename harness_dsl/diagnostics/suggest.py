"""Close names for a misspelt one."""

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """ "did you mean `a` or `b`?" with at most three close names, the closest first; "" if none is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(dict.fromkeys(known)), n=3, cutoff=0.6)
    if not close:
        return ""
    quoted = [f"`{name}`" for name in close]
    return (
        "did you mean "
        + (quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1])
        + "?"
    )
