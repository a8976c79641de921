"""The one registry of diagnostic codes. A code never changes its meaning and is never used again.

HD1xx syntax · HD2xx names · HD3xx types and values · HD4xx templates · HD5xx hooks and effects · HD6xx
safety · HD7xx surface and targets · HD8xx tests · HD9xx edits
"""

from typing import Literal, NamedTuple


class Code(NamedTuple):
    """`name` is the bad thing. `summary` explains it to somebody who met it."""

    name: str
    severity: Literal["error", "warning", "info"]
    summary: str


CODES: dict[str, Code] = {
    "HD101": Code(
        "unexpected-token", "error", "A word or mark stands where the grammar has no place for it."
    ),
    "HD102": Code("unterminated-string", "error", "A quoted string does not end on its line."),
    "HD103": Code("unclosed-bracket", "error", "A bracket is still open where the next declaration begins."),
    "HD104": Code("unterminated-text", "error", "A text block has no closing delimiter."),
    "HD105": Code("unknown-character", "error", "A character outside quotes belongs to no word or mark."),
    "HD106": Code("bad-escape", "error", "A backslash in a string is followed by an unknown escape."),
    "HD107": Code("missing-header", "error", "A file must begin with one `harness` or `module` line."),
    "HD108": Code("bad-version", "error", "The version of a harness is MAJOR.MINOR.PATCH."),
    "HD109": Code("duplicate-clause", "error", "A part that may be said once is said twice."),
    "HD110": Code("missing-clause", "error", "A part that a declaration needs is not there."),
    "HD111": Code("not-utf8", "error", "The file is not UTF-8 text."),
    "HD112": Code("unreadable-file", "error", "The file cannot be read."),
    "HD113": Code("file-too-large", "error", "The file is larger than 16 MB."),
    "HD114": Code("unknown-word", "error", "A word is none of the few that can stand there."),
    "HD115": Code("bad-number", "error", "A number is not of the kind that is needed there."),
    "HD116": Code("nul-character", "error", "The file holds a NUL character: it is no text."),
    "HD117": Code("too-deep", "error", "Brackets, types or conditions are nested more than 60 deep."),
    "HD118": Code("unexplained-suppression", "warning", "A suppression comment gives no reason."),
    "HD119": Code("unused-suppression", "warning", "A suppression comment suppresses nothing."),
    "HD120": Code("other-format", "error", "The file is JSON or an Agent Skill, not a harness."),
    "HD121": Code(
        "bad-setting", "error", "The project file is no TOML, or says something that nothing reads."
    ),
    "HD122": Code("merge-conflict", "error", "The file holds a conflict of a merge that is not finished."),
    "HD201": Code("duplicate-name", "error", "Two declarations of one kind have the same identifier."),
    "HD202": Code("unknown-name", "error", "A name is used that nothing declares."),
    "HD203": Code("reserved-name", "error", "An input has a name that templates use for something else."),
    "HD204": Code("label-in-ordered-list", "error", "Items of an ordered list are known by their position."),
    "HD205": Code("unlabelled-item", "error", "An item of an unordered list has no label."),
    "HD206": Code("order-cycle", "error", "Order constraints contradict each other."),
    "HD207": Code("confusable-names", "warning", "Two names look alike but are written with other letters."),
    "HD208": Code("bad-move", "error", "A `moved` names an id that still exists, or two of another kind."),
    "HD209": Code("unused-input", "warning", "An input is declared and used nowhere."),
    "HD210": Code("missing-module", "error", "An imported file is not there or cannot be read."),
    "HD211": Code("import-cycle", "error", "Files import each other in a circle."),
    "HD212": Code("broken-module", "error", "An imported file has mistakes of its own."),
    "HD213": Code("bad-import-path", "error", "An import is not relative, or leaves the project."),
    "HD214": Code("colliding-use", "error", "A name means one thing in a file and another in its module."),
    "HD215": Code("unfit-use", "error", "What is brought in refers to something that this file has not."),
    "HD216": Code("misplaced-use", "error", "What is brought in cannot stand at that place."),
    "HD217": Code("module-alone", "error", "A module cannot be compiled without a harness that imports it."),
    "HD218": Code("unread-limit", "warning", "A limit that the runtime does not know is read by nothing."),
    "HD219": Code("unused-import", "warning", "A module is imported and nothing of it is brought in."),
    "HD301": Code("unknown-type", "error", "A type is used that nothing declares."),
    "HD302": Code("bad-constraint", "error", "A constraint does not belong to its type, or is empty."),
    "HD303": Code("value-outside-type", "error", "A value is not of the type it is given for."),
    "HD304": Code(
        "endless-type", "error", "A type contains itself without a list, map, null or optional field."
    ),
    "HD305": Code(
        "mismatched-types", "error", "An operator or function is applied to values it has no meaning for."
    ),
    "HD306": Code("unknown-field", "error", "A record has no field of that name."),
    "HD307": Code("duplicate-enum-value", "error", "An enum lists a value twice."),
    "HD308": Code("limit-outside-range", "error", "A limit stands outside its own legal range."),
    "HD309": Code("bad-pattern", "error", "A regular expression cannot be compiled."),
    "HD310": Code("settled-condition", "warning", "A condition always holds, or never."),
    "HD401": Code("unclosed-tag", "error", "A `{{` or `{%` in a text has no end."),
    "HD402": Code("bad-template", "error", "What stands in a template tag cannot be read."),
    "HD403": Code("undefined-template-name", "error", "A template uses a name that nothing declares."),
    "HD404": Code("unbalanced-template", "error", "An `{% if %}` or `{% for %}` and its end do not match."),
    "HD405": Code(
        "dangling-reference", "error", "A text refers to a tool, skill, type or limit that is not there."
    ),
    "HD406": Code("bare-name", "warning", "A text writes a declared name instead of referring to it."),
    "HD407": Code("unknown-filter", "error", "A filter is none of the closed list."),
    "HD408": Code("unprintable-value", "error", "A template prints a value that has no text form."),
    "HD409": Code("empty-text", "error", "A text for the model is empty."),
    "HD410": Code(
        "missing-reference", "error", "A wording does not carry the references of the canonical one."
    ),
    "HD411": Code(
        "drifting-wording", "warning", "A wording has lost a number or a negation, or has one too many."
    ),
    "HD501": Code("backtracking-pattern", "error", "A regular expression can take exponential time."),
    "HD502": Code("tool-without-description", "error", "The model would see a tool that nothing explains."),
    "HD503": Code("misplaced-expression", "error", "An expression has no meaning at that place or event."),
    "HD504": Code("misplaced-clause", "error", "A clause has no meaning for that action or effect."),
    "HD505": Code("uncovered-rule", "info", "A rule has no predicate, so nothing can check it."),
    "HD506": Code("bad-implementation", "error", "An implementation is not written as `module:function`."),
    "HD507": Code(
        "unfit-implementation",
        "warning",
        "A Python function is not there, or does not take what it is given.",
    ),
    "HD508": Code("unguarded-effect", "info", "No hook looks at the calls of a tool that cannot be undone."),
    "HD509": Code("vain-retry", "warning", "A hook tries again, and nothing that the model does decides it."),
    "HD510": Code(
        "unequal-implementations",
        "error",
        "A function that is declared equivalent to a condition answers otherwise than it.",
    ),
    "HD601": Code("untrusted-in-prompt", "error", "Text of a stranger would stand in the system prompt."),
    "HD602": Code(
        "unmarked-stranger", "warning", "An input that sounds like a stranger's words is shown in the prompt."
    ),
    "HD701": Code("illegal-surface-name", "warning", "A shown name is not legal for OpenAI-style targets."),
    "HD702": Code("colliding-surface-names", "error", "Two symbols would be shown under one name."),
    "HD703": Code("confusable-surface-names", "warning", "Two shown names look alike."),
    "HD704": Code("unusable-surface-name", "error", "A shown name is empty, unprintable or has backticks."),
    "HD705": Code("repeated-alternative", "error", "A name stands twice among the other names of a symbol."),
    "HD706": Code(
        "early-runtime-value", "info", "A run-time value early in the prompt defeats prefix caches."
    ),
    "HD707": Code("varied-fixed", "warning", "What is `fixed` has other names or wordings."),
    "HD708": Code("unlisted-declarations", "info", "No section lists the tools or the skills."),
    "HD709": Code(
        "repeated-description", "warning", "Two tools or two skills are described in the same words."
    ),
    "HD720": Code("bad-bank", "error", "A bank of wordings is no YAML, or not written as one."),
    "HD721": Code("stale-wordings", "error", "A text has changed since its banked wordings were made."),
    "HD722": Code("textless-wordings", "error", "A bank words a text that is not there, or that is fixed."),
    "HD723": Code("changed-number", "error", "A banked wording says other numbers than the canonical text."),
    "HD724": Code(
        "changed-negation", "error", "A banked wording denies more or less than the canonical text."
    ),
    "HD725": Code(
        "changed-force",
        "error",
        "A banked wording demands, advises, allows, limits or orders otherwise than the canonical text.",
    ),
    "HD726": Code(
        "changed-length", "error", "A banked wording is far longer or shorter than the canonical text."
    ),
    "HD727": Code("changed-language", "error", "A banked wording is in another language than it says."),
    "HD728": Code("repeated-wording", "error", "A banked wording is there already."),
    "HD801": Code("missing-fixture", "error", "A fixture file is not there."),
    "HD802": Code("bad-fixture", "error", "A fixture cannot be read as data."),
    "HD803": Code("empty-test", "error", "A test has no user turn or expects nothing."),
    "HD804": Code("missing-given", "warning", "A test gives no value for an input that has to have one."),
    "HD805": Code("untried-skill", "info", "No test expects a skill, though the file has tests."),
    "HD806": Code("contradicting-expectations", "warning", "A test expects something and its opposite."),
    "HD901": Code(
        "version-too-low", "error", "The version went back, or moved less far than the edits ask for."
    ),
    "HD902": Code(
        "unacknowledged-edit",
        "error",
        "An edit narrows the contract or touches safety, and the version line does not say that it is meant.",
    ),
    "HD903": Code(
        "bad-acknowledgement",
        "error",
        "A comment of the version line acknowledges nothing, or gives no reason.",
    ),
    "HD904": Code(
        "failing-test", "error", "An edit that asks for a minor version breaks a test of the harness."
    ),
    "HD905": Code("unformatted-file", "error", "A staged file is not in the canonical layout."),
}
