"""Rewriting rules for English."""

import re
from collections.abc import Iterable

from augmentors.rewording.rule import ASKING, LITERAL, OTHER, SKILL, TOOL, Role, Rule

_ANY = f"[{TOOL}{SKILL}{OTHER}{LITERAL}]"
_VERBS = (
    "add|answer|apply|ask|avoid|begin|book|call|check|choose|close|compare|confirm|create|delete|describe|end"
    "|explain|fetch|fill|find|follow|get|give|greet|help|hold|keep|leave|let|list|load|look|make|mention|move|name"
    "|never|offer|open|pass|pick|prefer|put|quote|read|recommend|refer|refuse|remove|repeat|reply|report|return|run"
    "|save|say|search|send|serve|set|show|start|state|stay|stop|suggest|switch|take|tell|thank|try|turn|use|verify"
    "|wait|warn|work|write"
)
_OPENERS = f"{_VERBS}|do not|don['’]t|always|the|a|an|no|every|each|all|nothing"
_NO_COMMA = r"[^,;:()—–\n]"
_TWISTED = re.compile(
    r"\b(?:that|which|who|whom|whose|only|even|just|unless|and when|or when|and if|or if|as if|what|where)\b"
    r"|\b(?:right|long|shortly|immediately|just) (?:before|after)\b"
    r"|\b(?:it|its|they|them|their|this|these|those|he|she|his|her|do so|one|and|or)\b|\bif you do\b",
    re.IGNORECASE,
)
"""Sentences whose clauses hang on more than their order, as a pronoun does on what it stands for."""


def _rule(
    name: str,
    group: str,
    pattern: str,
    becomes: str,
    *examples: tuple[str, str],
    roles: Iterable[Role] | None = None,
    unless: re.Pattern[str] | None = None,
    again: bool = False,
) -> Rule:
    return Rule(
        name=f"en.{name}",
        language="en",
        group=group,
        pattern=re.compile(pattern, re.IGNORECASE),
        becomes=becomes,
        examples=examples,
        roles=frozenset(roles) if roles is not None else None,
        unless=unless,
        again=again,
    )


def _words(group: str, *pairs: tuple[str, str, str], roles: Iterable[Role] | None = None) -> list[Rule]:
    """Words for words: what stands there, what becomes of it, and a sentence with the first in it."""
    rules = []
    for old, new, sentence in pairs:
        first = re.sub(r"[^a-z]+", "-", old.lower()).strip("-")
        pattern = rf"\b{re.escape(old)}\b"
        after = re.sub(pattern, new, sentence, count=1, flags=re.IGNORECASE)
        after = after[0].upper() + after[1:]
        rules.append(_rule(first, group, pattern, new, (sentence, after), roles=roles))
    return rules


_CLAUSES = [
    _rule(
        f"{word}-last",
        "clauses",
        rf"^{word} ({_NO_COMMA}{{6,}}), ((?:please )?(?:{_OPENERS})\b{_NO_COMMA}{{2,}}?)([.!]?)$",
        rf"\2 {word} \1\3",
        example,
        unless=_TWISTED,
    )
    for word, example in (
        ("before", ("Before you say a price, call T.", "Call T before you say a price.")),
        ("after", ("After the viewer has agreed, book with T.", "Book with T after the viewer has agreed.")),
        ("when", ("When a viewer asks for a price, call T first.", "Call T first when a viewer asks for a price.")),
        ("if", ("If nothing is found, ask for the number again.", "Ask for the number again if nothing is found.")),
        ("once", ("Once the order is paid, send the number.", "Send the number once the order is paid.")),
    )
] + [
    _rule(
        f"{word}-first",
        "clauses",
        rf"^((?:{_OPENERS})\b{_NO_COMMA}{{2,}}?) {word} ((?:the|a|an|you|there|nothing|someone|somebody|no)"
        rf" {_NO_COMMA}{{6,}}?)([.!]?)$",
        rf"{word} \2, ^\1\3",
        example,
        unless=_TWISTED,
    )
    for word, example in (
        ("before", ("Call T before you say a price.", "Before you say a price, call T.")),
        ("after", ("Ask for a review after the order has arrived.", "After the order has arrived, ask for a review.")),
        ("when", ("Answer briefly when the viewer is in a hurry.", "When the viewer is in a hurry, answer briefly.")),
        ("if", ("Ask the viewer again if the number is missing.", "If the number is missing, ask the viewer again.")),
        ("once", ("Send the number once the order is paid.", "Once the order is paid, send the number.")),
    )
] + [
    _rule(
        "use-to",
        "clauses",
        rf"^use ({_ANY}) to ({_NO_COMMA}{{6,}}?)([.!]?)$",
        r"to \2, use \1\3",
        ("Use T to look up the price.", "To look up the price, use T."),
        roles=ASKING,
    ),
    _rule(
        "to-use",
        "clauses",
        rf"^to ({_NO_COMMA}{{6,}}?), use ({_ANY})([.!]?)$",
        r"use \2 to \1\3",
        ("To look up the price, use T.", "Use T to look up the price."),
        roles=ASKING,
    ),
]  # fmt: skip

_FORBIDDING = [
    _rule(
        "never",
        "negation",
        r"^never (?!mind|before|ever)",
        "do not ",
        ("Never promise a delivery date.", "Do not promise a delivery date."),
        roles=ASKING,
    ),
    _rule(
        "do-not",
        "negation",
        r"^(?:do not|don['’]t) (?=[a-z])(?!need|have to|be |just|only|worry|forget)",
        "never ",
        ("Do not promise a delivery date.", "Never promise a delivery date."),
        roles=ASKING,
    ),
    _rule(
        "must-never",
        "negation",
        r"\bmust not\b",
        "must never",
        ("The reply must not name a rival.", "The reply must never name a rival."),
    ),
    _rule(
        "must-not",
        "negation",
        r"\bmust never\b",
        "must not",
        ("The reply must never name a rival.", "The reply must not name a rival."),
    ),
    _rule(
        "contracted",
        "negation",
        r"\b(do|does|did|is|are|was|were|should|could|would) not\b(?! only)",
        r"\1n't",
        ("The tool does not change anything.", "The tool doesn't change anything."),
    ),
    _rule(
        "written-out",
        "negation",
        r"\b(do|does|did|is|are|was|were|should|could|would)n['’]t\b",
        r"\1 not",
        ("Say so if it isn't there.", "Say so if it is not there."),
    ),
    _rule(
        "cannot",
        "negation",
        r"\bcan['’]t\b",
        "cannot",
        ("It can't be undone.", "It cannot be undone."),
    ),
]

_DEMANDING = [
    _rule(
        "you-have-to",
        "duty",
        r"\byou must (?!not|never|have\b)",
        "you have to ",
        ("You must ask for the number first.", "You have to ask for the number first."),
    ),
    _rule(
        "you-must",
        "duty",
        r"^you (?:have|need) to\b(?! know)",
        "you must",
        ("You have to ask for the number first.", "You must ask for the number first."),
    ),
    _rule(
        "ensure",
        "duty",
        r"\bmake sure (?:that )?(?=the|all|every|each|it|you|they|there|no)",
        "ensure that ",
        ("Make sure the number is right.", "Ensure that the number is right."),
    ),
    _rule(
        "make-sure",
        "duty",
        r"\bensure (?:that )(?=the|all|every|each|it|you|they|there|no)",
        "make sure that ",
        ("Ensure that the number is right.", "Make sure that the number is right."),
    ),
    _rule(
        "please",
        "politeness",
        rf"^((?!never\b)(?:{_VERBS}))\b(?! not\b)",
        r"please ^\1",
        ("Answer in one sentence.", "Please answer in one sentence."),
        roles=("rule", "message"),
        unless=re.compile(r"\bplease\b|^(?:use when|end|stop|recommend)\b|^\w+ (?:no|nothing|none)\b", re.IGNORECASE),
    ),
    _rule(
        "no-please",
        "politeness",
        r"^please ",
        "",
        ("Please answer in one sentence.", "Answer in one sentence."),
    ),
]  # fmt: skip

_BOUNDS = _words(
    "bounds",
    ("no more than", "at most", "Use no more than three sentences."),
    ("at most", "no more than", "Use at most three sentences."),
    ("twice or more", "at least twice", "The learner failed twice or more."),
    ("at least twice", "twice or more", "The learner failed at least twice."),
)

_WHENS = [
    _rule(
        "use-this-when",
        "when",
        r"^use when\b",
        "use this when",
        ("Use when the build fails", "Use this when the build fails"),
        roles=("when",),
    ),
    _rule(
        "this-for-this-skill",
        "when",
        r"^use this skill when\b",
        "use this when",
        ("Use this skill when the build fails.", "Use this when the build fails."),
        roles=("when",),
    ),
    _rule(
        "this-skill-when",
        "when",
        r"^use (?:this )?when\b",
        "use this skill when",
        ("Use when the build fails.", "Use this skill when the build fails."),
        roles=("when",),
    ),
    _rule(
        "to-be-used-when",
        "when",
        r"^use (?:this skill |this )?when (?=[a-z]+ing\b)",
        "to be used when ",
        ("Use when reviewing code.", "To be used when reviewing code."),
        roles=("when",),
    ),
    _rule(
        "would-like",
        "wish",
        r"\b(somebody|someone|(?:a|the) (?:viewer|customer|user|learner|client|student|caller|guest|visitor)) wants\b",
        r"\1 would like",
        ("A viewer wants to use a coupon.", "A viewer would like to use a coupon."),
        unless=re.compile(r"\bwants\b.*\b(?:and|or) [a-z]+s\b|, (?:or|and)\b", re.IGNORECASE),
    ),
    _rule(
        "question-about",
        "wish",
        r"\b(somebody|someone|a (?:viewer|customer|user|learner|client|student|caller|guest|visitor)) asks about\b",
        r"\1 has a question about",
        ("A viewer asks about stock.", "A viewer has a question about stock."),
        unless=re.compile(r", (?:or|and)\b|\b(?:or|and) [a-z]+s\b", re.IGNORECASE),
    ),
    *_words(
        "people",
        ("somebody", "someone", "Somebody asks for a rate."),
        ("someone", "somebody", "Someone asks for a rate."),
        ("everybody", "everyone", "Greet everybody by name."),
    ),
]

_SYNONYMS = [
    _rule(
        "retrieve",
        "verb",
        r"^(?:get|fetch) (?=(?:the|a|an|all|details|information|current|one)\b)",
        "retrieve ",
        ("Get the price of a link.", "Retrieve the price of a link."),
        roles=("description",),
    ),
    _rule(
        "retrieves",
        "verb",
        r"^(?:gets|fetches) (?=(?:the|a|an|all|details|information|current|one)\b)",
        "retrieves ",
        ("Gets the price of a link.", "Retrieves the price of a link."),
        roles=("description",),
    ),
    _rule(
        "get",
        "verb",
        r"^(?:retrieve|fetch) (?=(?:the|a|an|all|details|information|current|one)\b)",
        "get ",
        ("Retrieve the price of a link.", "Get the price of a link."),
        roles=("description",),
    ),
    _rule(
        "find",
        "verb",
        r"^look up (?=(?:the|a|an|all|current|one)\b)",
        "find ",
        ("Look up the current price of a link.", "Find the current price of a link."),
        roles=("description",),
    ),
    _rule(
        "rather-than",
        "synonym",
        r"\brather than (?=[a-z]+ing\b|the\b|a\b|an\b)",
        "instead of ",
        ("Ask once rather than guessing.", "Ask once instead of guessing."),
    ),
    _rule(
        "instead-of",
        "synonym",
        r"\binstead of (?=[a-z]+ing\b)",
        "rather than ",
        ("Ask once instead of guessing.", "Ask once rather than guessing."),
    ),
    _rule(
        "several",
        "synonym",
        r"\bmultiple (?=[a-z]+s\b)",
        "several ",
        ("Handle multiple orders.", "Handle several orders."),
    ),
    _rule(
        "at-once",
        "synonym",
        r"\bimmediately(?=[.!,]|$)",
        "at once",
        ("Freeze the card immediately.", "Freeze the card at once."),
    ),
    _rule(
        "because-of",
        "synonym",
        r"\bdue to (?=the|its|their|a |an )",
        "because of ",
        ("Orders are late due to the weather.", "Orders are late because of the weather."),
    ),
    _rule(
        "compute",
        "verb",
        r"^calculate\b",
        "compute",
        ("Calculate the sum.", "Compute the sum."),
    ),
    _rule(
        "calculate",
        "verb",
        r"^compute\b",
        "calculate",
        ("Compute the sum.", "Calculate the sum."),
    ),
    _rule(
        "obtain",
        "verb",
        r"\bobtain (?=the|a |an )",
        "get ",
        ("Obtain the number of the order.", "Get the number of the order."),
    ),
    *_words(
        "synonym",
        ("in order to", "to", "Ask again in order to be sure."),
        ("prior to", "before", "Ask for the number prior to booking."),
        ("for example", "for instance", "Name one size, for example XL."),
        ("for instance", "for example", "Name one size, for instance XL."),
        ("approximately", "about", "It takes approximately two days."),
        ("as soon as", "once", "Send it as soon as it is paid."),
        ("each time", "every time", "Ask each time a room is changed."),
        ("every time", "each time", "Ask every time a room is changed."),
        ("a number of", "several", "A number of shops close early."),
        ("regardless of", "no matter", "Answer kindly regardless of the tone."),
        ("start by", "begin by", "Start by asking for the number."),
        ("begin by", "start by", "Begin by asking for the number."),
        ("whether or not", "whether", "Ask whether or not the card is lost."),
        ("such that", "so that", "Sort them such that the newest comes first."),
        ("in case of", "in the event of", "Freeze the card in case of doubt."),
    ),
]

_PUNCTUATION = [
    _rule(
        "other-tool-first",
        "punctuation",
        rf"([{TOOL}]) or ([{TOOL}])",
        r"\2 or \1",
        ("Say a price that T or T returned.", "Say a price that T or T returned."),
    ),
    _rule(
        "dash-colon",
        "punctuation",
        r"^([^-–—:;()]{12,}) [-–—] ([^-–—:;()]{12,})$",
        r"\1: \2",
        ("It does one thing well - it looks up a price", "It does one thing well: it looks up a price"),
        roles=("section",),
    ),
]

RULES: tuple[Rule, ...] = (
    *_CLAUSES,
    *_FORBIDDING,
    *_DEMANDING,
    *_BOUNDS,
    *_WHENS,
    *_SYNONYMS,
    *_PUNCTUATION,
)
