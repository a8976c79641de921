"""The file of a bank of wordings: read again before every edit, and replaced whole or not at all."""

from collections.abc import Callable
from pathlib import Path

from augmentors.rewording.bank import Bank
from augmentors.rewording.editing import Editor, fresh
from augmentors.rewording.reading import load_bank, read_bank
from augmentors.rewording.review import Review, Reviewed, ReviewedText, look_at, review
from harness_dsl.cli.files import write_atomically
from harness_dsl.diagnostics import Diagnostic, Span, render
from harness_dsl.ir.core import Core

_HEAD = """\
Other wordings of {name}, for variants. Only what is accepted is shown to a model.
`harnessc reword {file} --review` goes through what is proposed."""


class BrokenBankError(Exception):
    """The file is not written as a bank; the message is what its author reads."""


def _beyond_edits(bank: Bank, at: int) -> str:
    fault = Diagnostic(
        "HD720",
        "the bank is laid out in a way that cannot be edited in place",
        Span(bank.path, at, at + 1),
        "Write texts and wordings on lines of their own, without anchors, tags or document ends.",
    )
    return render.text([fault], bank.shown)


class BankFile:
    """The bank at `path` beside the harness `core`, which comes from the file `harness`."""

    def __init__(self, path: Path, core: Core, harness: str) -> None:
        self.path = path
        self._core = core
        self._harness = harness

    def review(self) -> Review:
        """The bank as it stands on the disk now. Raises `BrokenBankError` and `OSError`."""
        found = review(self._bank(), self._core)
        if found.bank.faults:
            raise BrokenBankError(render.text(found.bank.faults, found.bank.shown))
        return found

    def edit(self, change: Callable[[Editor, Review], None]) -> Review:
        """Lets `change` edit the bank; the bank afterwards. Raises as `review` does."""
        before = self.review()
        editor = Editor(before.bank)
        change(editor, before)
        if not editor.is_changed:
            return before
        text = editor.result()
        after = read_bank(text, str(self.path))
        if after.faults:
            where = before.bank.texts_node.start_mark.index if before.bank.texts_node is not None else 0
            raise BrokenBankError(_beyond_edits(before.bank, where))
        mark = "\ufeff" if self._has_mark() else ""
        write_atomically(self.path, (mark + text).encode("utf-8"))
        return review(after, self._core)

    def looked_at(self, of: ReviewedText, one: Reviewed) -> Reviewed:
        """A rejected wording as if it were proposed, beside the others."""
        if of.text is None:
            return one
        others = [other.template for other in of.wordings if other.template is not None]
        return look_at(one.wording, of.text, self._core, [of.text.canonical, *of.text.alternatives, *others])

    def _bank(self) -> Bank:
        if self.path.exists():
            return load_bank(self.path)
        head = _HEAD.format(name=self._core.name, file=Path(self._harness).name)
        return read_bank(fresh(head), str(self.path))

    def _has_mark(self) -> bool:
        return self.path.exists() and self.path.read_bytes().startswith(b"\xef\xbb\xbf")
