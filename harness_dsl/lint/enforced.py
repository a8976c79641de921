"""What rules are there for: the principles of the language, and kinds of fault that users of other tools for
prompts, skills, tool schemas and agents have met. Rules name them by key; faults that no diagnostic can show
are kept out by tests called `test_bug_N_…`, with the number of the fault.
"""

from typing import NamedTuple


class Principle(NamedTuple):
    """`number` is its place in `docs/language.md`."""

    number: int
    title: str
    about: str


class Fault(NamedTuple):
    """`number` never changes: tests are named by it."""

    number: int
    about: str


PRINCIPLES: dict[str, Principle] = {
    "two-names": Principle(
        1, "Two names per symbol", "The id is for people and history, the shown name is for the model."
    ),
    "typed-references": Principle(
        2, "Typed references in prose", "A text refers to a symbol, so that a rename reaches it."
    ),
    "declared-order": Principle(
        3, "Declared order", "Only what is declared free may move, and what may move has a label."
    ),
    "checked-templates": Principle(
        4,
        "Checked templates",
        "Every tag is typed when it is compiled; nothing is ever printed as empty text.",
    ),
    "marked-strangers": Principle(
        5,
        "Marked strangers",
        "Text of a stranger is declared `untrusted` and never stands in the system prompt.",
    ),
    "frozen-surface": Principle(
        6, "Frozen surface", "What is `fixed` is shown as it is written, whatever varies around it."
    ),
    "declared-conduct": Principle(
        7,
        "Declared conduct",
        "Tools say their effects and failures; hooks are total, bounded and take one action.",
    ),
    "explicit-modules": Principle(
        8, "Explicit modules", "Nothing enters a file unnamed, and no path leaves the project."
    ),
    "checkable-rules": Principle(
        9, "Checkable rules", "A rule says with a predicate what keeps it, so that a breach is seen."
    ),
    "tests-inside": Principle(
        10, "Tests inside", "What must hold is written beside the harness, in typed facts."
    ),
    "one-layout": Principle(
        11, "One layout", "There is one way to lay a file out, and no byte of a text changes."
    ),
    "full-unicode": Principle(
        12, "Full Unicode", "Any script may be written; what looks alike, collides or cannot be read is said."
    ),
}

FAULTS: dict[str, Fault] = {
    "byte-order-mark": Fault(1, "A byte-order mark makes a file vanish, or turns its head into prompt text."),
    "line-ends": Fault(2, "Windows line ends hide the head of a file, or change what it hashes to."),
    "fence-in-text": Fault(
        3, "Dashes inside a value are taken for the end of the head, and text is cut off."
    ),
    "encoding-crash": Fault(4, "A file in an old encoding ends in a traceback."),
    "lost-white-space": Fault(5, "Line feeds or leading white space inside a prompt are lost."),
    "unstable-layout": Fault(6, "The formatter changes its own output, or moves comments elsewhere."),
    "letters-alike": Fault(7, "Letters outside ASCII are refused, or pass although they look like others."),
    "colon-in-description": Fault(8, "A colon inside a description makes a whole skill disappear."),
    "block-mark-as-text": Fault(9, "The mark of a YAML block is read as the text itself."),
    "doubled-keys": Fault(
        10, "Keys change their type, and keys that stand twice overwrite each other in silence."
    ),
    "list-spellings": Fault(11, "A list of tools is read in one spelling only."),
    "ignored-fields": Fault(12, "Unknown and misspelt fields are ignored in silence."),
    "skipped-settings": Fault(13, "One odd matcher makes a whole file of hook settings count for nothing."),
    "braces-in-text": Fault(14, "JSON inside a prompt is taken for template tags."),
    "markup-in-text": Fault(15, "`<` and `&` inside a text break the parser."),
    "stranger-as-system": Fault(16, "Words of a viewer become a system message."),
    "silent-blank": Fault(17, "A missing variable is printed as nothing."),
    "two-readings": Fault(18, "Two programs read one valid file in two ways."),
    "wandering-paths": Fault(19, "An include depends on the working directory or on the kind of slash."),
    "wrong-place": Fault(20, "A message points at the start of a block, or at text that nobody wrote."),
    "hidden-open-quote": Fault(21, "A quote that is not closed is reported as some unknown type."),
    "silent-modules": Fault(22, "What is wrong in another file never reaches the one who edits."),
    "half-typed": Fault(23, "A file that is being typed kills the program that checks it."),
    "flood-of-guesses": Fault(24, "“Did you mean” lists every name there is."),
    "one-namespace": Fault(25, "All files share one namespace, so that names of one take those of another."),
    "stale-names": Fault(26, "After a rename the old name is skipped in silence."),
    "guessing-at-prose": Fault(
        27, "Ordinary words are taken for names, and people are stopped by their prose."
    ),
    "merged-names": Fault(28, "Names that a target rewrites collide."),
    "lost-schemas": Fault(29, "Definitions of a schema are dropped, or references in it cannot be followed."),
    "one-spoils-all": Fault(30, "One bad schema takes every tool of its server along."),
    "strict-mode": Fault(
        31, "A strict target gets schemas that it refuses, or loses its strictness in silence."
    ),
    "strict-null": Fault(32, "A null where strictness belongs makes a request fail."),
    "narrow-targets": Fault(33, "A target refuses nullable lists or exclusive bounds."),
    "foreign-types": Fault(34, "Types that no schema knows stand in real tool files."),
    "unstable-prefix": Fault(35, "What changes early in the prompt throws the cached prefix away."),
    "empty-tools": Fault(38, "An empty list of tools is shown otherwise than no list."),
    "rewritten-history": Fault(
        39, "A prompt is no prefix of the next, because earlier turns are shown otherwise."
    ),
    "message-by-message": Fault(40, "Turns shown one by one read otherwise than the whole conversation."),
    "vanished-feedback": Fault(41, "A result or note without text disappears."),
}
