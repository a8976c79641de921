"""Rewriting rules for English: the order of clauses, prohibitions, demands."""

import re

from augmentors.rewording.rule import ASKING, LITERAL, OTHER, SKILL, TOOL, Rule
from augmentors.rewording.rules.english import rule

_ANY = f"[{TOOL}{SKILL}{OTHER}{LITERAL}]"
_VERBS = (
    "add|answer|apply|ask|avoid|begin|book|call|check|choose|close|compare|confirm|create|delete|describe|end"
    "|explain|fetch|fill|find|follow|get|give|greet|help|hold|keep|leave|let|list|load|look|make|mention|move|name"
    "|never|offer|open|pass|pick|prefer|put|quote|read|recommend|refer|refuse|remove|repeat|reply|report|return|run"
    "|save|say|search|send|serve|set|show|start|state|stay|stop|suggest|switch|take|tell|thank|try|turn|use|verify"
    "|wait|warn|work|write"
)
_OPENERS = f"{_VERBS}|do not|don['’]t|always|the|a|an|no|every|each|all|nothing"
_SUBJECTS = "the|a|an|you|there|nothing|someone|somebody|no|all|any"
_NO_COMMA = r"[^,;:()—–\n]"
_TWISTED = re.compile(
    r"\b(?:that|which|who|whom|whose|only|even|just|unless|and when|or when|and if|or if|as if|what|where)\b"
    r"|\b(?:right|long|shortly|immediately|just) (?:before|after)\b"
    r"|\b(?:it|its|they|them|their|this|these|those|he|she|his|her|do so|one|and|or)\b|\bif you do\b",
    re.IGNORECASE,
)
"""Sentences whose clauses hang on more than their order, as a pronoun does on what it stands for."""

_ASKED = re.compile(
    _TWISTED.pattern
    + r"|\b(?:until|till|since|by|from|of|on|about|for|to|than|as|except|not|especially|exactly)"
    r" (?:before|after|when|if|once)\b"
    r"|\b(?:ask|say|tell|check|find|look|see|know|explain|describe|show|state|mention|report|confirm|verify|list|name"
    r"|give|return|read|note|repeat|warn|compare|choose|pick|decide|guess|wonder)\b.* (?:when|if)\b",
    re.IGNORECASE,
)
"""Sentences that `_TWISTED` has, and those that may ask `when` or `if` instead of naming a condition."""


_ORDERS = (
    ("before", "Before you say a price, call T.", "Call T before you say a price."),
    ("after", "After the viewer has agreed, book with T.", "Book with T after the viewer has agreed."),
    (
        "when",
        "When the viewer is in a hurry, answer briefly.",
        "Answer briefly when the viewer is in a hurry.",
    ),
    ("if", "If the number is missing, start again.", "Start again if the number is missing."),
    ("once", "Once the order is paid, send the number.", "Send the number once the order is paid."),
)

_CLAUSES = [
    *(
        rule(
            f"{word}-last",
            "clauses",
            rf"^{word} ((?:{_SUBJECTS}|[a-z]+ing) {_NO_COMMA}{{4,}}), "
            rf"((?:please )?(?:{_OPENERS})\b{_NO_COMMA}{{2,}}?)([.!]?)$",
            rf"\2 {word} \1\3",
            (first, last),
            unless=_TWISTED,
        )
        for word, first, last in _ORDERS
    ),
    *(
        rule(
            f"{word}-first",
            "clauses",
            rf"^((?:{_OPENERS})\b{_NO_COMMA}{{2,}}?) {word} "
            rf"((?:{_SUBJECTS}) {_NO_COMMA}{{6,}}?)([.!]?)$",
            rf"{word} \2, ^\1\3",
            (last, first),
            unless=_ASKED,
        )
        for word, first, last in _ORDERS
    ),
    rule(
        "use-to",
        "clauses",
        rf"^use ({_ANY}) to ({_NO_COMMA}{{6,}}?)([.!]?)$",
        r"to \2, use \1\3",
        ("Use T to look up the price.", "To look up the price, use T."),
        roles=ASKING,
    ),
    rule(
        "to-use",
        "clauses",
        rf"^to ({_NO_COMMA}{{6,}}?), use ({_ANY})([.!]?)$",
        r"use \2 to \1\3",
        ("To look up the price, use T.", "Use T to look up the price."),
        roles=ASKING,
    ),
]

_FORBIDDING = [
    rule(
        "never",
        "negation",
        r"^never (?!mind|before|ever)",
        "do not ",
        ("Never promise a delivery date.", "Do not promise a delivery date."),
        roles=ASKING,
    ),
    rule(
        "do-not",
        "negation",
        r"^(?:do not|don['’]t) (?=[a-z])(?!need|have to|be |just|only|worry|forget)",
        "never ",
        ("Do not promise a delivery date.", "Never promise a delivery date."),
        roles=ASKING,
    ),
    rule(
        "must-never",
        "negation",
        r"\bmust not\b",
        "must never",
        ("The reply must not name a rival.", "The reply must never name a rival."),
    ),
    rule(
        "must-not",
        "negation",
        r"\bmust never\b",
        "must not",
        ("The reply must never name a rival.", "The reply must not name a rival."),
    ),
    rule(
        "contracted",
        "negation",
        r"\b(do|does|did|is|are|was|were|should|could|would) not\b(?! only)",
        r"\1n't",
        ("The tool does not change anything.", "The tool doesn't change anything."),
    ),
    rule(
        "written-out",
        "negation",
        r"\b(do|does|did|is|are|was|were|should|could|would)n['’]t\b",
        r"\1 not",
        ("Say so if it isn't there.", "Say so if it is not there."),
    ),
    rule(
        "cannot",
        "negation",
        r"\bcan['’]t\b",
        "cannot",
        ("It can't be undone.", "It cannot be undone."),
    ),
]

_DEMANDING = [
    rule(
        "you-have-to",
        "duty",
        r"\byou must (?!not|never|have\b)",
        "you have to ",
        ("You must ask for the number first.", "You have to ask for the number first."),
    ),
    rule(
        "you-must",
        "duty",
        r"^you (?:have|need) to\b(?! know)",
        "you must",
        ("You have to ask for the number first.", "You must ask for the number first."),
    ),
    rule(
        "ensure",
        "duty",
        r"\bmake sure (?:that )?(?=the|all|every|each|it|you|they|there|no)",
        "ensure that ",
        ("Make sure the number is right.", "Ensure that the number is right."),
    ),
    rule(
        "make-sure",
        "duty",
        r"\bensure (?:that )(?=the|all|every|each|it|you|they|there|no)",
        "make sure that ",
        ("Ensure that the number is right.", "Make sure that the number is right."),
    ),
    rule(
        "please",
        "politeness",
        rf"^((?!never\b)(?:{_VERBS}))\b(?! not\b)",
        r"please ^\1",
        ("Answer in one sentence.", "Please answer in one sentence."),
        roles=("rule", "message"),
        unless=re.compile(
            r"\bplease\b|^(?:use when|end|stop|recommend)\b|^\w+ (?:no|nothing|none)\b", re.IGNORECASE
        ),
    ),
    rule(
        "no-please",
        "politeness",
        r"^please ",
        "",
        ("Please answer in one sentence.", "Answer in one sentence."),
    ),
]


RULES: tuple[Rule, ...] = (*_CLAUSES, *_FORBIDDING, *_DEMANDING)
