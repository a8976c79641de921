"""Words that deny, demand, advise, allow, restrict and order, in English and Chinese."""

import re
from collections.abc import Iterator

_I = re.IGNORECASE

ONLY = "the limitation `only`"

_DENIES_NOTHING = re.compile(
    r"([\u4e00-\u9fff])[不没]\1|有没有|不错|不仅|不但|不只|不光|对不起|不同|差不多|不好意思|不断|不久|非常|无论|无非"
    r"|没问题|未来|未必|特别|个别|不管|不论|级别|别人|别处|区别|分别|类别|性别|识别|别的|告别|辨别|除了|是否|能否"
    r"|可否|否则|不然|要不|无线|莫名"
    r"|\bnot only\b|\bno matter\b|\bwhether or not\b|\bor not\b|\bif not\b|\bnot applicable\b|\bno\.(?= ?\d)",
    _I,
)
"""Words with a negation in them that deny nothing, and questions such as `要不要`."""

_BOUND = {
    "an upper bound": re.compile(
        r"\b(?:no|not) more than\b|\bat most\b|\bup to\b|\bwithin\b|\bno longer than\b|\bmaximum\b"
        r"|\bdo(?:es)? not exceed\b"
        r"|\bnever more than\b|\bno later than\b|\bmust not exceed\b|\bno more\b"
        r"|不超过|不要超过|不得超过|别超过|不能超过|不多于|不大于|最多|至多|以内|之内|不晚于|上限",
        _I,
    ),
    "a lower bound": re.compile(
        r"\b(?:no|not) (?:less|fewer) than\b|\bat least\b|\bminimum\b|\bor more\b"
        r"|不少于|不低于|不小于|至少|起码|以上|下限",
        _I,
    ),
}
_NEGATION = re.compile(
    r"\b(?:not|never|no|cannot|nor|without|none|nothing|nobody|neither|avoid\w*|refrain\w*|forbid\w*"
    r"|prohibit\w*|refus\w*|reject\w*|except|unless|lack\w*|fail\w*|unable|free of|stop|other than"
    r"|rather than|instead of)\b|n['’]t\b"
    r"|禁止|严禁|不得|避免|拒绝|杜绝|切忌|除外|以外|除非|[不别勿没无未莫免]",
    _I,
)

_NEED_NOT = re.compile(
    r"\b(?:do|does|did)(?: not|n['’]t) (?:need|have) to\b|\bneed(?: not|n['’]t)\b"
    r"|\bnot (?:required|necessary|needed)\b"
    r"|\bno need\b|不必|无需|无须|不用(?!户)|不需要|用不着",
    _I,
)
_PROHIBITS = re.compile(
    r"\b(?:must|may|shall|can|could|do|does)(?: not|n['’]t)\b|\bcan['’]t\b|\bcannot\b"
    r"|\b(?:(?:must|may|shall|can) )?never\b|\bnot (?:allowed|permitted)\b"
    r"|不得|不准|不许|禁止|严禁|不可以?|不能够?|绝不|决不|切勿|请勿|不要",
    _I,
)
_QUESTION = re.compile(r"能不能|可不可以|要不要|是不是|可否|能否|是否")
_FORCES = {
    "an obligation": re.compile(
        r"\b(?:must|have to|has to|need to|needs to|required to|shall|always|be sure to|make sure|ensure)\b"
        r"|\bmandatory\b"
        r"|必须|务必|一定要|一定得|总是|始终|一律|确保|切记|必需",
        _I,
    ),
    "a recommendation": re.compile(
        r"\b(?:should|ought to|preferably|ideally|try to)\b"
        r"|应该|应当|应(?![用答对急付聘允邀])|最好|尽量|尽可能",
        _I,
    ),
    "a permission": re.compile(
        r"\b(?:may|might|can|could|allowed|permitted|optional|optionally|able to|feel free)\b"
        r"|可以|(?<!尽)可能|允许|能够|可选|(?<!可)能(?![力量源够])|(?<![许认尽])可(?![能以是惜口乐怜靠爱信见选疑])",
        _I,
    ),
    ONLY: re.compile(r"\b(?:only|solely|exclusively|nothing but)\b|只(?!要|好|得)|仅(?!仅)|唯有", _I),
}
_SOFT_ONLY = re.compile(r"\b(?:just|alone|merely|purely)\b|才|光|单", _I)

_BEFORE = re.compile(r"\b(?:before|prior to)\b|之前|以前|(?<![以之目面])前(?=[，,、])", _I)
_AFTER = re.compile(r"\bafter(?:wards)?\b|之后|以后|(?<![以之最])后(?=[，,、再才就])", _I)
_LIKE_BEFORE = re.compile(r"\b(?:before|prior to|first|until)\b|先|前", _I)
_LIKE_AFTER = re.compile(r"\b(?:after(?:wards)?|then|once|when|following)\b|再|后|然后|了才|了就", _I)


def negations(text: str) -> int:
    """How often `text` denies something; `no more than` and `不超过` set a bound instead."""
    text = _DENIES_NOTHING.sub(" ", text)
    for bound in _BOUND.values():
        text = bound.sub(" ", text)
    return len(_NEGATION.findall(text))


def forces(text: str) -> frozenset[str]:
    """What `text` does besides stating: sets bounds, obliges, advises, allows, restricts, frees of a duty."""
    text = _QUESTION.sub(" ", _DENIES_NOTHING.sub(" ", text))
    found = {name for name, pattern in _BOUND.items() if pattern.search(text)}
    for bound in _BOUND.values():
        text = bound.sub(" ", text)
    if _NEED_NOT.search(text):
        found.add("the word that there is no need")
    text = _PROHIBITS.sub(" ", _NEED_NOT.sub(" ", text))
    return frozenset(found | {name for name, pattern in _FORCES.items() if pattern.search(text)})


def softly_only(text: str) -> bool:
    """Whether `text` has a word that may restrict, such as `just` or `才`."""
    return _SOFT_ONLY.search(text) is not None


def orders(meant: str, said: str) -> Iterator[str]:
    """Where `said` has another order of things than `meant`."""
    for one, other, verb in ((meant, said, "lacks"), (said, meant, "adds")):
        if _BEFORE.search(one) and not _LIKE_BEFORE.search(other):
            yield f"this wording {verb} what comes before"
        if _AFTER.search(one) and not _LIKE_AFTER.search(other):
            yield f"this wording {verb} what comes after"
