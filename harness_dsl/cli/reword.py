"""Propose other wordings of the texts of a harness, and review them: in a bank that people can edit.

A bank is a YAML file beside the harness (tea.wordings.yaml for tea.harness). Wordings are proposed by rules
(--rules, offline, Chinese and English) or by a model behind an OpenAI-style endpoint (--endpoint). Each must
keep references, numbers, negations, the force of demands, and about the length. Only what somebody has
accepted is drawn by `harnessc augment --bank`. Every edit leaves the rest of the file as it is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness_dsl.cli.main import fail

if TYPE_CHECKING:
    import argparse

    from augmentors.rewording.review import Review
    from harness_dsl.cli.reword_file import BankFile
    from harness_dsl.cli.reword_proposing import Told, Wanted
    from harness_dsl.syntax.opening import Opened

_KEY = "OPENAI_API_KEY"
_OF_MODELS = ("model", "key_env", "language", "timeout", "tries", "at_once")
HELP = "propose and review other wordings of a harness"
EXAMPLES = """\
examples:
  harnessc reword tea.harness --rules              propose by rules
  harnessc reword tea.harness --endpoint http://localhost:8000/v1 --model qwen3
  harnessc reword tea.harness --review             accept or reject one after the other
  harnessc reword tea.harness --list               what is there, and what is wrong with it
  harnessc reword tea.harness --accept 3f2a91bc tool/get_quote/description
  harnessc augment tea.harness --bank tea.wordings.yaml -o rows.jsonl
exit status: 0 fine; 1 a finding in the bank, or a text without a usable answer; 2 nothing could be done"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a .harness file, or compiled JSON")
    parser.add_argument("--bank", metavar="YAML", help="the bank (default: FILE with .wordings.yaml)")
    what = parser.add_argument_group("what to do")
    what.add_argument("--rules", action="store_true", help="propose by the rules that come with the tool")
    what.add_argument("--endpoint", metavar="URL", help="propose by a model: the base address of its API")
    what.add_argument("--review", action="store_true", help="go through what is proposed")
    what.add_argument(
        "--accept", nargs="+", metavar="KEY", help="accept: keys of wordings, ids of texts, or `all`"
    )
    what.add_argument("--reject", nargs="+", metavar="KEY", help="reject: keys, ids, or `all`")
    what.add_argument("--list", action="store_true", help="print the bank, and what is wrong with it")
    how = parser.add_argument_group("how")
    model = parser.add_argument_group("with --endpoint")
    model.add_argument("--model", metavar="M", help="the name of the model")
    model.add_argument(
        "--key-env", metavar="NAME", help=f"the environment variable that holds the key (default {_KEY})"
    )
    model.add_argument("--language", metavar="TAG", help="reword into this language, as zh or en")
    model.add_argument("--timeout", type=float, metavar="S", help="seconds for one answer (default 60)")
    model.add_argument("--tries", type=int, metavar="N", help="how often one question is asked (default 4)")
    model.add_argument("--at-once", type=int, metavar="N", help="questions at the same time (default 4)")
    how.add_argument("--only", nargs="+", metavar="ID", help="propose for these texts alone")
    how.add_argument("-n", "--count", type=int, metavar="N", help="how many for each text (default 3)")
    how.add_argument("--seed", type=int, help="with --rules: which of many possible wordings (default 0)")
    how.add_argument("--reason", metavar="TEXT", help="with --reject: why")


def run(options: argparse.Namespace) -> int:
    from augmentors.rewording.banked import beside
    from harness_dsl.cli.reword_file import BankFile, BrokenBankError
    from harness_dsl.syntax.opening import HarnessFileError, open_harness

    if sentence := _misuse(options):
        return fail(sentence)
    try:
        opened = open_harness(options.path)
    except HarnessFileError as error:
        if error.status == 2:
            return fail(str(error))
        print(error, file=sys.stderr)
        return error.status
    path = Path(options.bank) if options.bank else beside(options.path)
    if not path.parent.is_dir():
        return fail(f"there is no folder `{path.parent}`")
    if not path.is_file() and not (options.rules or options.endpoint):
        return fail(f"there is no bank `{path}`: propose wordings with --rules or --endpoint")
    file = BankFile(path, opened.core, options.path)
    try:
        return _done(file, opened, options)
    except BrokenBankError as error:
        print(error, file=sys.stderr)
        return 1


def _misuse(options: argparse.Namespace) -> str | None:
    """Why these options do not go together, in a sentence."""
    asked = [options.rules, options.endpoint, options.review, options.accept, options.reject, options.list]
    if sum(map(bool, asked)) != 1:
        return "say one of --rules, --endpoint, --review, --accept, --reject and --list"
    if options.endpoint and not options.model:
        return "--endpoint needs --model"
    if options.endpoint and not options.endpoint.startswith(("http://", "https://")):
        return f"`{options.endpoint}` is no address: it begins with http:// or https://"
    proposes = options.rules or options.endpoint
    belongs = {"rules": ("seed",), "reject": ("reason",), "endpoint": _OF_MODELS}
    for owner, names in (*belongs.items(), ("rules and --endpoint", ("only", "count"))):
        there = proposes if owner not in belongs else getattr(options, owner)
        for name in names:
            if getattr(options, name) is not None and not there:
                return f"--{name.replace('_', '-')} goes with --{owner}"
    numbers = (options.count, options.tries, options.at_once)
    if any(number is not None and number < 1 for number in numbers):
        return "--count, --tries and --at-once must be at least 1"
    if options.timeout is not None and options.timeout <= 0:
        return "--timeout must be more than 0"
    return None


def _done(file: BankFile, opened: Opened, options: argparse.Namespace) -> int:
    if options.rules or options.endpoint:
        return _propose(file, opened, options)
    if options.review:
        return _review(file)
    if options.accept or options.reject:
        return _judge(file, options)
    there = file.review()
    return _print(there)


def _propose(file: BankFile, opened: Opened, options: argparse.Namespace) -> int:
    from augmentors.rewording.endpoint import EndpointError
    from harness_dsl.cli.reword_proposing import Wanted, by_rules, rewordable

    try:
        texts = rewordable(opened.core, options.only)
    except KeyError as error:
        return fail(f"`{error.args[0]}` is no text of the harness that can be reworded")
    wanted = Wanted(opened.core, texts, options.count or 3, options.seed or 0, options.language)
    if options.rules:
        return _tell(by_rules(file, wanted), wanted, file)
    try:
        return _tell(_asked(file, wanted, options), wanted, file)
    except EndpointError as error:
        return fail(f"{error}; what was answered is in {file.path}: the same command goes on from there")


def _asked(file: BankFile, wanted: Wanted, options: argparse.Namespace) -> Told:
    from augmentors.rewording.endpoint import Endpoint
    from harness_dsl.cli.reword_proposing import by_model

    endpoint = Endpoint(
        url=options.endpoint,
        model=options.model,
        key=os.environ.get(options.key_env or _KEY) or None,
        timeout=options.timeout or 60.0,
        tries=options.tries or 4,
    )
    return by_model(file, wanted, endpoint, options.at_once or 4)


def _tell(told: Told, wanted: Wanted, file: BankFile) -> int:
    for line in told.lines(wanted):
        print(line, file=sys.stderr)
    if told.proposed:
        print(f"look at them in {file.path}, or with --review", file=sys.stderr)
    return 1 if told.unanswered else 0


def _review(file: BankFile) -> int:
    from harness_dsl.cli.reword_judging import ask_at_terminal, go_through

    answered = go_through(file, ask_at_terminal)
    print(f"{answered} answered; {_states(file.review())}", file=sys.stderr)
    return 0


def _judge(file: BankFile, options: argparse.Namespace) -> int:
    from augmentors.rewording.bank import State
    from harness_dsl.cli.reword_judging import judge
    from harness_dsl.diagnostics import render

    state: State = "accepted" if options.accept else "rejected"
    try:
        judged = judge(file, options.accept or options.reject, state, options.reason or "")
    except KeyError as error:
        return fail(f"`{error.args[0]}` is neither the key of a wording nor a text with proposed ones")
    there = file.review()
    if judged.faults:
        print(render.text(dict.fromkeys(judged.faults), there.bank.shown), file=sys.stderr)
    print(f"{judged.changed} {state}; {_states(there)}", file=sys.stderr)
    return 1 if judged.faults else 0


def _states(there: Review) -> str:
    from collections import Counter

    from harness_dsl.cli.reword_judging import found_in

    count = Counter(found.one.wording.state for found in found_in(there))
    return ", ".join(f"{count[state]} {state}" for state in ("accepted", "proposed", "rejected"))


def _print(there: Review) -> int:
    from augmentors.rewording.prose import spell
    from harness_dsl.diagnostics import render

    for id_, reviewed in there.texts.items():
        text = reviewed.text
        print(f"{id_}: {spell(text.canonical) if text else reviewed.entry.canonical}")
        for one in reviewed.wordings:
            wording = one.wording
            about = "; ".join(filter(None, (wording.language, wording.by, wording.reason)))
            print(f"  {wording.state:<8}  {one.key}  {wording.text}{f'  ({about})' if about else ''}")
    faults = [*there.faults(frozenset(("accepted", "proposed")))]
    if faults:
        print(render.text(faults, there.bank.shown), file=sys.stderr)
    print(_states(there), file=sys.stderr)
    return 1 if faults else 0
