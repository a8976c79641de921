"""Look-alike letters.

A small part of the Unicode confusables (UTS 39) that covers what is typed by accident: Cyrillic and Greek
letters that look Latin, full-width forms, and the digits and letters that many fonts draw alike.
"""

from unicodedata import normalize

_LOOKALIKES = str.maketrans(
    {
        **dict(zip("аеорсухіѕјһԁԛԝ", "aeopcyxisjhdqw", strict=True)),
        **dict(zip("АВЕКМНОРСТУХІЅЈ", "ABEKMHOPCTYXISJ", strict=True)),
        **dict(zip("αοινρυκχ", "aoivpukx", strict=True)),
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
        "ı": "i",
        "０": "0",
        "〇": "0",
        "一": "-",
        "ー": "-",
        "丨": "1",
    }
)
_SHAPES = str.maketrans({"0": "o", "O": "o", "1": "l", "I": "l", "|": "l"})


def skeleton(name: str) -> str:
    """Names with one skeleton look alike."""
    plain = normalize("NFKC", name).translate(_LOOKALIKES).translate(_SHAPES)
    return plain.replace("rn", "m") if plain.isascii() else plain
