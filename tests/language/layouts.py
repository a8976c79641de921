"""The same tokens in another layout: other white space and comments in places of a random kind."""

import random

from harness_dsl.syntax.parse import parse


def scrambled(text: str, seed: int) -> tuple[str, list[str]]:
    """`text` with random white space between its tokens, and the comments put in, in order."""
    rng = random.Random(seed)
    file, found = parse(text, "x")
    assert not found
    parts: list[str] = []
    comments: list[str] = []
    for token in file.tokens[:-1]:
        parts.append(token.text)
        gap = rng.choice((" ", " ", " ", "\n", "\n\n\n  ", "\t", "   "))
        if rng.random() < 0.15:
            comment = f"# remark {len(comments)}"
            comments.append(comment)
            gap = rng.choice((" ", "\n", "\n\n")) + comment + rng.choice(("\n", "\n\n", "\n    "))
        parts.append(gap)
    return "".join(parts), comments
