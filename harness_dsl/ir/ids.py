"""Semantic ids: path-like names that every symbol and every text keeps, however it is shown.

tool/get_quote                       tool/get_quote/param/link_id
tool/get_quote/param/unit/value/kg   an enum value written at its parameter
tool/get_quote/value/CNY             an enum value written at its result
tool/get_quote/description           a text: see `texts.Text`
type/Quote/field/amount              type/Currency/value/CNY
skill/item_qa/when                   skill/item_qa/step/2  (ordered: by position, from 1)
prompt/system/section/rules          prompt/system/section/rules/no_promise  (unordered: by label)
hook/price_is_quoted                 hook/price_is_quoted/message
limit/reply_chars   input/room   input/mood/value/calm   test/price_of_a_link
builtin/load_skill     builtin/load_skill/param/skill     builtin/load_skill/description
"""

from functools import lru_cache

SemanticId = str

LOAD_SKILL: SemanticId = "builtin/load_skill"
LOAD_SKILL_PARAM: SemanticId = "builtin/load_skill/param/skill"
LOAD_SKILL_TEXT: SemanticId = "builtin/load_skill/description"


def segment(text: str) -> str:
    """`text` as one path segment: `~` and `/` are escaped as in JSON Pointer (RFC 6901, section 3)."""
    return text.replace("~", "~0").replace("/", "~1")


def unsegment(part: str) -> str:
    """The inverse of `segment`."""
    return part.replace("~1", "/").replace("~0", "~")


def join(*parts: str) -> SemanticId:
    """An id from already declared parts; each is escaped."""
    return "/".join(segment(part) for part in parts)


@lru_cache(maxsize=1 << 16)
def leaf(symbol: SemanticId) -> str:
    """The declared identifier at the end of an id; by default it is also the surface name."""
    return unsegment(symbol.rsplit("/", 1)[-1])


def parent(symbol: SemanticId) -> SemanticId:
    """The owner of a nested symbol: `tool/t/param/p` → `tool/t`, `type/T/value/v` → `type/T`."""
    return symbol.rsplit("/", 2)[0]


@lru_cache(maxsize=1 << 16)
def kind(symbol: SemanticId) -> str:
    """What an id names: `tool`, `param`, `field`, `value`, `skill`, `step`, `section`, `rule`, `limit`, …

    A text with an id of its own is named after its role: `description`, `when`, `message`.
    """
    parts = symbol.split("/")
    if parts[0] == "prompt":
        return {2: "prompt", 4: "section"}.get(len(parts), "rule")
    if len(parts) >= 4:
        return parts[-1] if len(parts) % 2 else parts[-2]
    return parts[-1] if len(parts) == 3 else parts[0]


def foreign(name: str) -> SemanticId:
    """The id of a distractor tool, by its shown name; it exists in one Surface only."""
    return join("foreign", name)
