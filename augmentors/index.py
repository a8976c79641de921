"""What augmentors look up in a Core, computed once for each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from augmentors.banks import Cluster, Pool, means_the_same, topic_of
from augmentors.identifiers import code_mentions, same_words, sanitised, words
from augmentors.reach import documented_types, returned_types
from harness_dsl.ir.core import Core
from harness_dsl.ir.frozen import frozen
from harness_dsl.ir.ids import LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT, SemanticId, leaf
from harness_dsl.ir.listing import unordered_lists
from harness_dsl.ir.naming import namespaces
from harness_dsl.ir.places import places, rivals
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import ForeignTool
from harness_dsl.ir.texts import Literally, Template, Text
from harness_dsl.ir.verify_ids import declared_ids
from harness_dsl.ir.walk import parts
from harness_dsl.ir.walk import texts as all_texts

_KEPT = 1 << 16


@dataclass(frozen=True)
class Index:
    """spaces      namespaces of names (see `harness_dsl.ir.naming`)
    space_of    the namespace of each symbol
    frozen      symbols, texts and lists that nobody may touch
    taken       default names and names in prose, sanitised, in lower case: never drawn as new names
    taken_by_tools  default names of tools and names in prose, in the same form: never those of distractors
    callables   tools, skills and built-ins
    described   symbols whose meaning a model reads elsewhere, so that any name will do
    ambiguous   enum values and fields that share their place with free text or a map: their shown name could
                be such a text
    rivals      symbols of other namespaces that may be met in one place with each: never shown alike
    unseen      symbols and lists of types that no tool leads to: a model never meets them
    texts       every text a model may be shown, by id
    mentions    names that stand in prose as code without being references
    declared    names that the author declares for a symbol
    lists       unordered lists of two or more by the key under which a Surface orders them
    related     for tools and skills, the words of their topic, if their name or text hits one
    same_meaning  what `meaning_stays` found out
    vouched     what `bank_vouches` found out
    siblings    what `beside` gave
    near_names  names of the same meaning by pool and symbol, filled when first asked for
    hideable    what may be hidden, by what it depends on besides the Core
    far_tools   distractors that are close to nothing in a footprint, with the keys of their names
    other_orders  by list and order, the others that are legal; none of a long list
    close_tools  by bank, each distractor with the tools it is too close to, filled when first asked for
    """

    spaces: dict[str, tuple[SemanticId, ...]]
    space_of: dict[SemanticId, str]
    frozen: frozenset[SemanticId]
    taken: frozenset[str]
    taken_by_tools: frozenset[str]
    callables: tuple[SemanticId, ...]
    described: frozenset[SemanticId]
    ambiguous: frozenset[SemanticId]
    rivals: dict[SemanticId, frozenset[SemanticId]]
    unseen: frozenset[SemanticId]
    texts: dict[SemanticId, Text]
    mentions: frozenset[str]
    declared: dict[SemanticId, tuple[str, ...]]
    lists: dict[str, tuple[SemanticId, ...]]
    related: dict[SemanticId, Cluster]
    same_meaning: dict[tuple[SemanticId, str], bool] = field(default_factory=dict)
    vouched: dict[tuple[SemanticId, str], bool] = field(default_factory=dict)
    siblings: dict[SemanticId, tuple[SemanticId, ...]] = field(default_factory=dict)
    near_names: dict[tuple[Pool, SemanticId], tuple[str, ...]] = field(default_factory=dict)
    hideable: dict[tuple[object, ...], tuple[object, dict[SemanticId, frozenset[SemanticId]]]] = field(
        default_factory=dict
    )
    far_tools: dict[tuple[str, tuple[SemanticId, ...]], list[tuple[ForeignTool, str]]] = field(
        default_factory=dict
    )
    other_orders: dict[tuple[str, tuple[SemanticId, ...] | None], tuple[tuple[SemanticId, ...], ...]] = field(
        default_factory=dict
    )
    close_tools: dict[str, list[tuple[ForeignTool, frozenset[SemanticId]]]] = field(default_factory=dict)

    def beside(self, id_: SemanticId) -> tuple[SemanticId, ...]:
        """The symbols of the namespace of `id_`, itself among them, and its rivals."""
        found = self.siblings.get(id_)
        if found is None:
            found = (*self.spaces[self.space_of[id_]], *sorted(self.rivals.get(id_, ())))
            self.siblings[id_] = found
        return found

    def meaning_stays(self, id_: SemanticId, name: str) -> bool:
        """Whether a model can tell what `id_` means under `name` without anybody's word for it."""
        if id_ in self.described or id_.startswith("prompt/"):
            return True
        found = self.same_meaning.get((id_, name))
        if found is None:
            if len(self.same_meaning) >= _KEPT:
                self.same_meaning.clear()
            found = same_words(name, leaf(id_)) and not self.names_another(id_, name, same_words)
            self.same_meaning[id_, name] = found
        return found

    def bank_vouches(self, id_: SemanticId, name: str) -> bool:
        """Whether `name` says what `id_` is declared as, and no neighbour of it."""
        found = self.vouched.get((id_, name))
        if found is None:
            if len(self.vouched) >= _KEPT:
                self.vouched.clear()
            found = means_the_same(name, leaf(id_)) and not self.names_another(id_, name, means_the_same)
            self.vouched[id_, name] = found
        return found

    def names_another(self, id_: SemanticId, name: str, says: Callable[[str, str], bool]) -> bool:
        """Whether `name` also says what a symbol beside `id_` is declared as, as `amount` does for a `total`
        beside an `amount`.
        """
        beside = {*self.spaces[self.space_of[id_]], *self.rivals.get(id_, ())} - {id_}
        return any(says(name, leaf(other)) for other in beside)


@remembered
def index(core: Core) -> Index:
    """The index of `core`, and of those that differ from it in their limits alone."""
    texts = {text.id: text for text in _shown_texts(core)}
    spaces = namespaces(core)
    lists = unordered_lists(core)
    named = [id_ for ids in spaces.values() for id_ in ids]
    keep = frozen(core)
    mentions = {
        name
        for text in texts.values()
        for wording in (text.canonical, *text.alternatives)
        for piece in literals(wording)
        for name in code_mentions(piece)
    }
    return Index(
        spaces=spaces,
        space_of={id_: space for space, ids in spaces.items() for id_ in ids},
        frozen=frozenset(
            [id_ for id_ in (*named, *lists) if keep.symbol(id_)]
            + [id_ for id_ in texts if keep.wording(id_)]
        ),
        taken=frozenset(sanitised(name).lower() for name in (*map(leaf, named), *mentions)),
        taken_by_tools=frozenset(
            sanitised(name).lower() for name in (*map(leaf, spaces.get("tool", ())), *mentions)
        ),
        callables=(*spaces.get("tool", ()), *spaces.get("skill", ())),
        described=frozenset(_described(core)),
        ambiguous=frozenset(id_ for place in places(core) for id_ in place.mistakable),
        rivals=rivals(core),
        unseen=_unseen(core, (*named, *lists)),
        texts=texts,
        mentions=frozenset(mentions),
        declared=dict(core.declared_names),
        lists=lists,
        related=_related(core),
    )


@remembered
def all_ids(core: Core) -> frozenset[SemanticId]:
    """Every id that a Surface may say something of: declarations, items, texts, lists, and the built-in."""
    built_in = (LOAD_SKILL, LOAD_SKILL_PARAM, LOAD_SKILL_TEXT)
    return frozenset(
        [*declared_ids(core), *(text.id for text in all_texts(core)), *built_in, "tools", "skills"]
    )


@remembered
def tool_ids(core: Core) -> tuple[SemanticId, ...]:
    """The tools of `core`, in its order."""
    return tuple(tool.id for tool in core.tools)


@remembered
def has_fixed_tool(core: Core) -> bool:
    """Whether a tool is fixed, so that what documents or calls all of them may not change."""
    return any(tool.fixed for tool in core.tools)


def _shown_texts(core: Core) -> Iterator[Text]:
    """What a model may read: all texts but descriptions of inputs and of types that no parameter leads to."""
    documented = documented_types(core)
    silent = {node.id for node in core.inputs} | {node.id for node in core.types if node.id not in documented}
    return (text for text in all_texts(core) if "/".join(text.id.split("/")[:2]) not in silent)


def _unseen(core: Core, ids: Iterable[SemanticId]) -> frozenset[SemanticId]:
    met = documented_types(core) | returned_types(core)
    unmet = {node.id for node in core.types if node.id not in met}
    return frozenset(id_ for id_ in ids if "/".join(id_.split("/")[:2]) in unmet)


def literals(template: Template) -> Iterator[str]:
    """The literal pieces of `template`, those inside branches and loops too."""
    return (part.text for part in parts(template) if isinstance(part, Literally))


def plain(text: Text) -> str:
    """The canonical wording of `text` without what is filled in."""
    return " ".join(literals(text.canonical))


def _described(core: Core) -> Iterator[SemanticId]:
    """Tools and skills always have a text; a tool's only parameter is what the tool's text speaks of."""
    yield from (skill.id for skill in core.skills)
    for tool in core.tools:
        yield tool.id
        for param in tool.params:
            if param.description is not None or len(tool.params) == 1:
                yield param.id


def _related(core: Core) -> dict[SemanticId, Cluster]:
    found: dict[SemanticId, Cluster] = {}
    for id_, text in [(t.id, t.description) for t in core.tools] + [(s.id, s.when) for s in core.skills]:
        cluster = _topic(leaf(id_), plain(text))
        if cluster is not None:
            found[id_] = cluster
    return found


def _topic(name: str, text: str) -> Cluster | None:
    """By the last word of the name that has a topic, else by the first topic that a Chinese text hits."""
    known = topic_of()
    for word in reversed(words(name)):
        if word in known:
            return known[word]
    for word, cluster in known.items():
        if not word.isascii() and word in text:
            return cluster
    return None
