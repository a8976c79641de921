"""`check --fix`, plain and unsafe, on spoilt files: a second run changes nothing, and no file is left
with an error that it did not have.
"""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from harness_dsl.cli import repair as repairing
from harness_dsl.cli.repair import repair
from harness_dsl.lint.checking import checked
from harness_dsl.lint.examples import whole
from harness_dsl.lint.rules import every
from harness_dsl.syntax.source import decode, read

ROOT = Path(__file__).resolve().parents[2]
SHOP = (ROOT / "examples" / "live_shop" / "shop_mini.harness").read_text("utf-8")
TEXTS = [
    SHOP,
    *(whole(one) for rule in every() for one in (rule.bad, rule.good) if isinstance(one, str)),
]
_WORD = re.compile(r"[^\W\d]\w{2,}")


def spoilt(text: str, rng: random.Random) -> str:
    """`text` with a few names misspelt, exchanged, written out, or taken away."""
    for _ in range(rng.randint(1, 5)):
        words = list(_WORD.finditer(text))
        one, other = rng.choice(words), rng.choice(words)[0]
        word, at = one[0], rng.randrange(len(one[0]))
        new = rng.choice(
            [
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + "x" + word[at + 1 :],
                other,
                f"{word} {other}",
                f"{word} # allow HD406: {other}\n",
                "",
            ]
        )
        text = text[: one.start()] + new + text[one.end() :]
    for start in re.findall(r"\{\{ (?:tool|skill)\.(\w+) \}\}", text)[: rng.randint(0, 3)]:
        text = re.sub(r"\{\{ (?:tool|skill)\." + start + r" \}\}", start, text, count=rng.randint(0, 2))
    return text


def errors(path: Path) -> Counter[tuple[str, str]]:
    found = checked(read(path), str(path)).found
    return Counter((one.code, one.message) for one in found if one.severity == "error")


def breaks_a_law(path: Path, text: str, unsafe: bool) -> str:
    """Which law fixing `text` breaks; "" if none."""
    path.write_text(text, "utf-8")
    before = errors(path)
    made = repair(str(path), unsafe)
    once = path.read_bytes()
    if (made == 0) != (once == text.encode()):
        return "says that it made none, and did"
    if errors(path) - before:
        return "leaves a new error"
    if repair(str(path), unsafe) or path.read_bytes() != once:
        return "changes more when it runs again"
    return ""


@pytest.mark.parametrize("unsafe", [False, True])
def test_fixing_ends_and_leaves_no_new_error(unsafe: bool, tmp_path: Path) -> None:
    rng, path, changed = random.Random(11), tmp_path / "x.harness", 0
    for _ in range(90):
        text = spoilt(rng.choice(TEXTS), rng)
        assert breaks_a_law(path, text, unsafe) == "", text
        changed += path.read_text("utf-8") != text
    assert changed >= 5


def test_a_plain_fix_keeps_what_the_model_sees(tmp_path: Path) -> None:
    """Only references that print the same words, labels, and comments are written without being asked."""
    rng, path = random.Random(12), tmp_path / "x.harness"
    for _ in range(80):
        path.write_text(spoilt(rng.choice(TEXTS), rng), "utf-8")
        for one in checked(read(path), str(path)).found:
            if one.fix is not None and one.fix.safe:
                assert one.code in ("HD119", "HD205", "HD406"), one


def test_the_law_sees_fixes_that_are_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairing, "_helps", lambda *_: True)
    text = whole(
        'tool get_quote(link_id: int) -> any { """Quote."""  }\n'
        'reply skill s { when """When."""  uses get_quote, get_qoute }'
    )
    assert breaks_a_law(tmp_path / "x.harness", text, unsafe=True) == "leaves a new error"
    monkeypatch.undo()
    assert breaks_a_law(tmp_path / "x.harness", text, unsafe=True) == ""


def test_fixes_that_help_are_made_although_others_do_not(tmp_path: Path) -> None:
    path = tmp_path / "x.harness"
    path.write_text(
        whole(
            'tool get_quote(link_id: int) -> any { """Quote."""  }\n'
            'tool describe(link_id: int) -> any { """Item."""  }\n'
            'reply skill s { when """When."""  uses get_quote, get_qoute }\n'
            'reply skill r { when """When."""  uses descrbe }'
        )
    )
    assert repair(str(path)) == 0
    assert repair(str(path), unsafe=True) == 1
    assert "uses describe }" in path.read_text() and "get_qoute" in path.read_text()


def test_a_suppression_that_is_of_no_use_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "x.harness"
    body = (
        "prompt system {\n  # allow HD406: a word\n  # a note\n"
        '  section a """One."""  # allow HD505: no rule here\n\n  section b """Two."""\n}\n'
    )
    path.write_bytes(whole(body).replace("\n", "\r\n").encode())
    assert repair(str(path)) == 2
    lines = decode(path.read_bytes(), "x").text
    assert lines is not None and lines.split("\n")[3:6] == ["  # a note", '  section a """One."""', ""]
    assert path.read_bytes().count(b"\r\n") == path.read_bytes().count(b"\n")


def test_a_suppression_stays_while_a_mistake_may_hide_what_it_allows(tmp_path: Path) -> None:
    path = tmp_path / "x.harness"
    text = whole(
        'input a: string\nprompt system {\n  section s """{{ a }}"""  # allow HD706: first on purpose\n'
        '  section t """{{ b }}"""\n}'
    )
    path.write_text(text)
    assert repair(str(path)) == 0 and path.read_text() == text


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('prompt system { sction p """P.""" }', 'prompt system { section p """P.""" }'),
        ("limits { turns： 6 }", None),
        ("limits { turns 6, wall_ms 900 }", "limits { turns 6 wall_ms 900 }"),
        ("type A { a: int, b: int, }", "type A { a: int b: int }"),
        ('type A = "a"｜"b"', 'type A = "a"|"b"'),
        ('tool t() -> any { """T.""" efect read }', 'tool t() -> any { """T.""" effect read }'),
    ],
)
def test_words_and_marks_that_come_close_are_written_on_request(
    wrong: str, right: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "x.harness"
    path.write_text(whole(wrong))
    assert repair(str(path)) == 0
    repair(str(path), unsafe=True)
    assert path.read_text() == (whole(wrong) if right is None else whole(right))
