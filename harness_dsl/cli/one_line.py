"""What others wrote, as it is printed."""

import json


def one_line(text: str) -> str:
    """`text`, which has names of strangers in it, on one line and without commands to a terminal."""
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
