"""Proposals for a bank of wordings, by rules or by a model, and how they get into the file."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from augmentors.index import index
from augmentors.rewording.asking import answered, judged, question
from augmentors.rewording.editing import Editor, New
from augmentors.rewording.endpoint import AnswerError, Endpoint, ask, session
from augmentors.rewording.prose import spell
from augmentors.rewording.review import Review
from augmentors.rewording.rewriter import rewordings
from harness_dsl.cli.reword_file import BankFile
from harness_dsl.ir.core import Core
from harness_dsl.ir.ids import SemanticId
from harness_dsl.ir.texts import Template, Text


@dataclass(frozen=True)
class Wanted:
    """`count` wordings for each of `texts`; those longer than `longest` characters are left alone."""

    core: Core
    texts: tuple[Text, ...]
    count: int
    seed: int = 0
    language: str | None = None
    longest: int = 2000

    def short(self) -> tuple[Text, ...]:
        """The texts that are not too long."""
        return tuple(text for text in self.texts if len(spell(text.canonical)) <= self.longest)


@dataclass
class Told:
    """What came of it. `unanswered`: texts to which the model gave no usable answer."""

    proposed: int = 0
    rejected: int = 0
    worded: int = 0
    unanswered: list[tuple[SemanticId, str]] = field(default_factory=list)

    def add(self, new: Sequence[New]) -> None:
        """Counts the wordings of one text."""
        states = Counter(one.state for one in new)
        self.proposed += states["proposed"]
        self.rejected += states["rejected"]
        self.worded += states["proposed"] > 0

    def lines(self, wanted: Wanted) -> list[str]:
        """For a person to read."""
        texts = wanted.short()
        skipped = len(wanted.texts) - len(texts)
        said = [
            f"{self.proposed} proposed and {self.rejected} rejected wordings for {self.worded} of "
            f"{len(texts)} texts"
        ]
        if skipped:
            said.append(f"left alone because longer than {wanted.longest} characters: {skipped}")
        return said + [f"no usable answer for `{id_}`: {why}" for id_, why in self.unanswered]


def rewordable(core: Core, only: Iterable[str] | None) -> tuple[Text, ...]:
    """The texts that a model may read and that are not fixed; of `only`, if that is given.

    Raises `KeyError` with an id of `only` that is none of these.
    """
    known = index(core)
    free = {id_: text for id_, text in known.texts.items() if id_ not in known.frozen}
    return tuple(free.values()) if only is None else tuple(free[id_] for id_ in only)


def by_rules(file: BankFile, wanted: Wanted) -> Told:
    """Proposes what the rules make of each text, in one edit."""
    told = Told()

    def change(editor: Editor, there: Review) -> None:
        for text in wanted.short():
            known = _known(there, text)
            new = [
                New(spell(one.template), "proposed", "rules " + " ".join(one.rules))
                for one in rewordings(text, wanted.seed, wanted.count)
                if not one.refused and one.template not in known
            ]
            room = wanted.count - sum(by.startswith("rules") for by in _makers(there, text))
            new = new[: max(0, room)]
            _put(editor, there, text, new)
            told.add(new)

    file.edit(change)
    return told


def by_model(file: BankFile, wanted: Wanted, endpoint: Endpoint, at_once: int) -> Told:
    """Asks the model for each text that it has not yet worded, and writes each answer as it comes.

    Raises `EndpointError` where the endpoint fails; what was answered before is in the file.
    """
    return asyncio.run(_by_model(file, wanted, endpoint, at_once))


async def _by_model(file: BankFile, wanted: Wanted, endpoint: Endpoint, at_once: int) -> Told:
    told, there, by = Told(), file.review(), f"model {endpoint.model}"
    waiting = [text for text in wanted.short() if not _is_answered(there, text, by, wanted)]
    waiting.reverse()

    async def work() -> None:
        while waiting:
            text = waiting.pop()
            known = _known(there, text)
            messages = question(text, wanted.count, wanted.language, map(spell, known))
            try:
                wordings = answered(await ask(http, endpoint, messages))
            except AnswerError as error:
                told.unanswered.append((text.id, str(error)))
                continue
            new = judged(wordings[: 2 * wanted.count], text, wanted.core, by, wanted.language, known)
            file.edit(partial(_put, text=text, new=new))
            told.add(new)
            if sys.stderr.isatty():
                print(f"\r{len(waiting)} texts left ", end="", file=sys.stderr, flush=True)

    async with session() as http:
        workers = [asyncio.create_task(work()) for _ in range(min(at_once, max(1, len(waiting))))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
    return told


def _put(editor: Editor, there: Review, text: Text, new: Sequence[New]) -> None:
    """Adds wordings to the text; those of an old text go back to being proposals for the present one."""
    reviewed = there.texts.get(text.id)
    if reviewed is None:
        if new:
            editor.add_entry(text.id, spell(text.canonical), new)
        return
    if reviewed.is_stale:
        editor.set_canonical(reviewed.entry, spell(text.canonical))
        for wording in reviewed.entry.wordings:
            if wording.state == "accepted":
                editor.set_state(wording, "proposed")
    written = {wording.text for wording in reviewed.entry.wordings}
    editor.add(reviewed.entry, [one for one in new if one.text not in written])


def _known(there: Review, text: Text) -> list[Template]:
    reviewed = there.texts.get(text.id)
    return [one.template for one in reviewed.wordings if one.template] if reviewed else []


def _makers(there: Review, text: Text) -> list[str]:
    """Who made the wordings of a text that has not changed since."""
    reviewed = there.texts.get(text.id)
    if reviewed is None or reviewed.is_stale:
        return []
    return [one.wording.by for one in reviewed.wordings]


def _is_answered(there: Review, text: Text, by: str, wanted: Wanted) -> bool:
    """Whether the model has worded the text already, in that language."""
    reviewed = there.texts.get(text.id)
    if reviewed is None or reviewed.is_stale:
        return False
    return any(one.wording.by == by and one.wording.language == wanted.language for one in reviewed.wordings)
