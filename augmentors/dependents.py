"""What in a harness speaks of a tool or a skill, apart from itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from augmentors.identifiers import code_mentions
from augmentors.index import index
from harness_dsl.ir.core import Core
from harness_dsl.ir.expressions import Called, Calling, Expression, Loaded, Results
from harness_dsl.ir.identity import ByIdentity
from harness_dsl.ir.ids import SemanticId, leaf
from harness_dsl.ir.remembered import remembered
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.texts import Interpolation, Literally, Reference, Template
from harness_dsl.ir.walk import items, parts, subexpressions
from harness_dsl.ir.walk import texts as all_texts

Dependents = dict[SemanticId, frozenset[SemanticId]]


@dataclass(frozen=True)
class _Spoken:
    """What a wording refers to, and the names it writes out as code."""

    subjects: frozenset[SemanticId]
    names: frozenset[str]


@dataclass(frozen=True)
class _Speakers:
    """texts    what the canonical wording of each text speaks of
    others   who else speaks of whom: predicates, `uses` of skills, hooks
    callables  tools and skills
    known    what `dependents` gave, by the texts that speak of something else than usual and the names that
             are written out
    """

    texts: dict[SemanticId, _Spoken]
    others: tuple[tuple[SemanticId, SemanticId], ...]
    callables: tuple[SemanticId, ...]
    known: dict[tuple[object, ...], Dependents]


_KEPT = 256


def dependents(core: Core, surface: Surface) -> Dependents:
    """For each tool and skill that something speaks of, the ids of the texts, skills and hooks that do.

    Texts count as `surface` words them; what lies under the id itself does not count. Equal answers are one
    object, as long as it is remembered.
    """
    speakers = _speakers(core)
    names = _written_out(speakers.callables, surface, index(core).mentions)
    other = {}
    for id_, wording in surface.wordings.items():
        usual = speakers.texts.get(id_)
        if usual is not None and (spoken := _spoken(wording)) != usual:
            other[id_] = spoken
    key = (*sorted((id_, *sorted(s.subjects), *sorted(s.names)) for id_, s in other.items()), *names.items())
    found = speakers.known.get(key)
    if found is None:
        if len(speakers.known) >= _KEPT:
            speakers.known.clear()
        found = speakers.known[key] = _gathered(speakers, other, names)
    return found


def _gathered(
    speakers: _Speakers, other: dict[SemanticId, _Spoken], names: dict[str, SemanticId]
) -> Dependents:
    found: dict[SemanticId, set[SemanticId]] = {}
    for speaker, subject in _pairs(speakers, other, names):
        id_ = "/".join(subject.split("/")[:2])
        if speaker != id_ and not speaker.startswith(f"{id_}/"):
            found.setdefault(id_, set()).add(speaker)
    return {id_: frozenset(who) for id_, who in found.items()}


def _pairs(
    speakers: _Speakers, other: dict[SemanticId, _Spoken], names: dict[str, SemanticId]
) -> Iterator[tuple[SemanticId, SemanticId]]:
    """Who speaks of whom, by reference or by writing a name out as code."""
    for text, usual in speakers.texts.items():
        spoken = other.get(text, usual)
        yield from ((text, id_) for id_ in spoken.subjects)
        yield from ((text, names[name]) for name in spoken.names & names.keys())
    yield from speakers.others


@remembered
def _speakers(core: Core) -> _Speakers:
    return _Speakers(
        texts={text.id: _spoken(text.canonical) for text in all_texts(core)},
        others=tuple(_others(core)),
        callables=(*(tool.id for tool in core.tools), *(skill.id for skill in core.skills)),
        known={},
    )


def _others(core: Core) -> Iterator[tuple[SemanticId, SemanticId]]:
    for item in items(core):
        if item.check is not None:
            yield from ((item.id, id_) for id_ in _subjects(item.check))
    for skill in core.skills:
        yield from ((skill.id, id_) for id_ in skill.uses)
    for hook in core.hooks:
        yield from ((hook.id, id_) for id_ in _subjects(hook.condition))
        if hook.target is not None:
            yield hook.id, hook.target


_wordings: ByIdentity[_Spoken] = ByIdentity()


def _spoken(wording: Template) -> _Spoken:
    return _wordings.get(wording, lambda: _Spoken(frozenset(_referred(wording)), frozenset(_names(wording))))


def _referred(wording: Template) -> Iterator[SemanticId]:
    for part in parts(wording):
        if isinstance(part, Reference):
            yield part.target
        elif isinstance(part, Interpolation):
            yield from _subjects(part.value)


def _names(wording: Template) -> Iterator[str]:
    for part in parts(wording):
        if isinstance(part, Literally):
            yield from code_mentions(part.text)


def _written_out(
    ids: Iterable[SemanticId], surface: Surface, mentions: frozenset[str]
) -> dict[str, SemanticId]:
    """The tools and skills whose shown or declared name some prose writes out."""
    if not mentions:
        return {}
    given = surface.names.get
    declared = {name: id_ for id_ in ids if (name := leaf(id_)) in mentions}
    return declared | {name: id_ for id_ in ids if (name := given(id_, "")) in mentions}


def _subjects(expression: Expression) -> Iterator[SemanticId]:
    for inner in subexpressions(expression):
        if isinstance(inner, Called | Calling | Results):
            yield inner.tool
        elif isinstance(inner, Loaded):
            yield inner.skill
