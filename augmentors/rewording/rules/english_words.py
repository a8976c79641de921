"""Rewriting rules for English: bounds, lines that say when a skill is used, and synonyms."""

import re

from augmentors.rewording.rule import TOOL, Rule
from augmentors.rewording.rules.english import rule, words

_WHO = "viewer|customer|user|learner|client|student|caller|guest|visitor"
_THINGS = "repository|issue|pull request|discussion|label|project|branch|release|order|product|user|file|team"
_ASPECTS = "name|owner|number|title|body|state|description|type"
_ONE = f"somebody|someone|a (?:{_WHO})"

_BOUNDS = words(
    "bounds",
    ("no more than", "at most", "Use no more than three sentences."),
    ("at most", "no more than", "Use at most three sentences."),
    ("twice or more", "at least twice", "The learner failed twice or more."),
    ("at least twice", "twice or more", "The learner failed at least twice."),
)


_WHENS = [
    rule(
        "use-this-when",
        "when",
        r"^use when\b",
        "use this when",
        ("Use when the build fails", "Use this when the build fails"),
        roles=("when",),
    ),
    rule(
        "this-for-this-skill",
        "when",
        r"^use this skill when\b",
        "use this when",
        ("Use this skill when the build fails.", "Use this when the build fails."),
        roles=("when",),
    ),
    rule(
        "this-skill-when",
        "when",
        r"^use (?:this )?when\b",
        "use this skill when",
        ("Use when the build fails.", "Use this skill when the build fails."),
        roles=("when",),
    ),
    rule(
        "to-be-used-when",
        "when",
        r"^use (?:this skill |this )?when (?=[a-z]+ing\b)",
        "to be used when ",
        ("Use when reviewing code.", "To be used when reviewing code."),
        roles=("when",),
    ),
    rule(
        "would-like",
        "wish",
        rf"\b({_ONE}|the (?:{_WHO})) wants\b",
        r"\1 would like",
        ("A viewer wants to use a coupon.", "A viewer would like to use a coupon."),
        unless=re.compile(r"\bwants\b.*\b(?:and|or) [a-z]+s\b|, (?:or|and)\b", re.IGNORECASE),
    ),
    rule(
        "question-about",
        "wish",
        rf"\b({_ONE}) asks about\b",
        r"\1 has a question about",
        ("A viewer asks about stock.", "A viewer has a question about stock."),
        unless=re.compile(r", (?:or|and)\b|\b(?:or|and) [a-z]+s\b", re.IGNORECASE),
    ),
    *words(
        "people",
        ("somebody", "someone", "Somebody asks for a rate."),
        ("someone", "somebody", "Someone asks for a rate."),
        ("everybody", "everyone", "Greet everybody by name."),
    ),
]

_SYNONYMS = [
    rule(
        "retrieve",
        "verb",
        r"^(?:get|fetch) (?=(?:the|a|an|all|details|information|current|one)\b)",
        "retrieve ",
        ("Get the price of a link.", "Retrieve the price of a link."),
        roles=("description",),
    ),
    rule(
        "retrieves",
        "verb",
        r"^(?:gets|fetches) (?=(?:the|a|an|all|details|information|current|one)\b)",
        "retrieves ",
        ("Gets the price of a link.", "Retrieves the price of a link."),
        roles=("description",),
    ),
    rule(
        "get",
        "verb",
        r"^(?:retrieve|fetch) (?=(?:the|a|an|all|details|information|current|one)\b)",
        "get ",
        ("Retrieve the price of a link.", "Get the price of a link."),
        roles=("description",),
    ),
    rule(
        "look-for",
        "verb",
        r"^search for (?=[a-z])",
        "look for ",
        ("Search for issues in a repository.", "Look for issues in a repository."),
        roles=("description",),
    ),
    rule(
        "of-the",
        "noun",
        rf"^({_THINGS}) ({_ASPECTS})(?=\.?$)",
        r"\2 of the ^\1",
        ("Repository name", "Name of the repository"),
        roles=("description",),
    ),
    rule(
        "without-of",
        "noun",
        rf"^(?:the )?({_ASPECTS}) of (?:the|an?) ({_THINGS})(?=\.?$)",
        r"\2 ^\1",
        ("The name of the repository.", "Repository name."),
        roles=("description",),
    ),
    rule(
        "no-article",
        "noun",
        rf"^the (?=(?:{_ASPECTS}|id|url|path) of the\b)",
        "",
        ("The title of the issue to close.", "Title of the issue to close."),
        roles=("description",),
    ),
    rule(
        "find",
        "verb",
        r"^look up (?=(?:the|a|an|all|current|one)\b)",
        "find ",
        ("Look up the current price of a link.", "Find the current price of a link."),
        roles=("description",),
    ),
    rule(
        "rather-than",
        "synonym",
        r"\brather than (?=[a-z]+ing\b|the\b|a\b|an\b)",
        "instead of ",
        ("Ask once rather than guessing.", "Ask once instead of guessing."),
    ),
    rule(
        "instead-of",
        "synonym",
        r"\binstead of (?=[a-z]+ing\b)",
        "rather than ",
        ("Ask once instead of guessing.", "Ask once rather than guessing."),
    ),
    rule(
        "several",
        "synonym",
        r"\bmultiple (?=[a-z]+s\b)",
        "several ",
        ("Handle multiple orders.", "Handle several orders."),
    ),
    rule(
        "at-once",
        "synonym",
        r"\bimmediately(?=[.!,]|$)",
        "at once",
        ("Freeze the card immediately.", "Freeze the card at once."),
    ),
    rule(
        "because-of",
        "synonym",
        r"\bdue to (?=the|its|their|a |an )",
        "because of ",
        ("Orders are late due to the weather.", "Orders are late because of the weather."),
    ),
    rule(
        "compute",
        "verb",
        r"^calculate\b",
        "compute",
        ("Calculate the sum.", "Compute the sum."),
    ),
    rule(
        "calculate",
        "verb",
        r"^compute\b",
        "calculate",
        ("Compute the sum.", "Calculate the sum."),
    ),
    rule(
        "obtain",
        "verb",
        r"\bobtain (?=the|a |an )",
        "get ",
        ("Obtain the number of the order.", "Get the number of the order."),
    ),
    *words(
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
    rule(
        "other-tool-first",
        "punctuation",
        rf"([{TOOL}]) or ([{TOOL}])",
        r"\2 or \1",
        ("Say a price that T or T returned.", "Say a price that T or T returned."),
    ),
    rule(
        "dash-colon",
        "punctuation",
        r"^([^-–—:;()]{12,}) [-–—] ([^-–—:;()]{12,})$",
        r"\1: \2",
        ("It does one thing well - it looks up a price", "It does one thing well: it looks up a price"),
        roles=("section",),
    ),
]

RULES: tuple[Rule, ...] = (*_BOUNDS, *_WHENS, *_SYNONYMS, *_PUNCTUATION)
