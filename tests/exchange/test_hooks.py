"""Hook settings: what is taken over acts as it did, and everything else is refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness_dsl.cli.main import main
from harness_dsl.exchange.hook_commands import Outcome, fixed_outcome
from harness_dsl.exchange.hooks import ImportedHooks, import_hooks, matches
from harness_dsl.exchange.tidy import analyse
from harness_dsl.ir.core import Core
from harness_dsl.lint import lint
from harness_dsl.syntax.compile import compile_text
from harness_dsl.syntax.format import format_text

SHOP = '''harness shop "1.0.0"

tool get_quote(link_id: int) -> any {
  """Quote it."""
}

tool web_fetch named "web-fetch" (url: string) -> any {
  """Fetch it."""
}

tool fetch(url: string) -> any {
  """Fetch a part."""
}

hook stop on before_reply {
  if reply contains "x"
  log
}

prompt system {
  section tools catalog tools
}
'''
BLOCK = "echo 'Not here.' >&2; exit 2"


def imported(folder: Path, settings: Any, alone: bool = False) -> ImportedHooks:
    path = folder / "settings.json"
    path.write_bytes(settings if isinstance(settings, bytes) else json.dumps(settings).encode())
    result = import_hooks(path, None if alone else analyse(SHOP, "shop.harness"))
    if result.text:
        found = lint(analyse(result.text, "x.harness"))
        assert [str(each) for each in found if each.severity != "info"] == []
        assert format_text(result.text, "x.harness")[0] == result.text
    return result


def core_of(result: ImportedHooks) -> Core:
    core = compile_text(result.text or SHOP).core
    assert core is not None
    return core


def hooks(result: ImportedHooks) -> list[tuple[str, list[str], str, str]]:
    """Event, tools, action and message of each hook that was taken over."""
    return [
        (hook.event, sorted(tools(hook.condition)), hook.action, said(hook.message))
        for hook in core_of(result).hooks
        if hook.id[5:] in result.hooks
    ]


def tools(condition: Any) -> set[str]:
    if condition.kind == "calling":
        return {condition.tool[5:]}
    if condition.kind == "binary":
        assert condition.operator == "or"
        return tools(condition.left) | tools(condition.right)
    assert condition.kind == "constant" and condition.value is True
    return set()


def said(message: Any) -> str:
    if message is None:
        return ""
    parts = message.canonical
    return "".join(part.text if part.kind == "literal" else f"<{part.target}>" for part in parts)


def reasons(result: ImportedHooks) -> list[str]:
    return [refusal.reason for refusal in result.refusals]


def pre(matcher: Any = None, command: str = BLOCK) -> dict[str, Any]:
    entry: dict[str, Any] = {"hooks": [{"type": "command", "command": command}]}
    if matcher is not ...:
        entry["matcher"] = matcher
    return {"hooks": {"PreToolUse": [entry]}}


@pytest.mark.parametrize(
    ("event", "command", "hook"),
    [
        ("PreToolUse", BLOCK, ("before_call", [], "deny", "Not here.")),
        ("PreToolUse", "exit 1", ("before_call", [], "log", "")),
        ("PreToolUse", "echo seen", ("before_call", [], "log", "seen")),
        ("PostToolUse", BLOCK, ("after_call", [], "inject", "Not here.")),
        ("UserPromptSubmit", "echo 'Use {{ tool }}'", ("before_turn", [], "inject", "Use {{ tool }}")),
        ("UserPromptSubmit", BLOCK, ("before_turn", [], "deny", "Not here.")),
        ("Stop", BLOCK, ("before_reply", [], "inject", "Not here.")),
        ("PreToolUse", "exit 2", ("before_call", [], "deny", "Not allowed.")),
        (
            "PreToolUse",
            """echo '{"hookSpecificOutput": {"permissionDecision": "deny", """
            """"permissionDecisionReason": "No."}}'""",
            ("before_call", [], "deny", "No."),
        ),
        (
            "Stop",
            """echo '{"decision": "block", "reason": "Why?"}'""",
            ("before_reply", [], "inject", "Why?"),
        ),
        ("UserPromptSubmit", "echo Call get_quote", ("before_turn", [], "inject", "Call <tool/get_quote>")),
    ],
)
def test_commands_that_always_end_alike_are_hooks(
    tmp_path: Path, event: str, command: str, hook: Any
) -> None:
    result = imported(tmp_path, {"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}})
    assert result.refusals == [] and hooks(result) == [hook]
    (name,) = result.hooks
    assert name in ("pre_tool_use", "post_tool_use", "user_prompt_submit", "stop_2")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("npm run lint", "what its command decides is not known before it runs"),
        ("echo $TOOL; exit 2", "what its command decides is not known before it runs"),
        ("exit 2 || true", "what its command decides is not known before it runs"),
        ("if true; then exit 2; fi", "what its command decides is not known before it runs"),
        ("exit 2 &", "what its command decides is not known before it runs"),
        ("true", "it does nothing"),
        (
            """echo '{"continue": false}'""",
            "its command answers with something that hooks of this language cannot do",
        ),
        (
            """echo '{"hookSpecificOutput": {"permissionDecision": "ask"}}'""",
            "its command answers with something that hooks of this language cannot do",
        ),
    ],
)  # fmt: skip
def test_other_commands_are_refused_and_never_taken_for_allowing(
    tmp_path: Path, command: str, reason: str
) -> None:
    result = imported(tmp_path, pre(None, command))
    assert (result.text, reasons(result)) == ("", [reason])


@pytest.mark.parametrize(
    ("matcher", "names"),
    [
        (..., []),
        (None, []),
        ("", []),
        ("*", []),
        (".*", []),
        ("get_quote", ["get_quote"]),
        ("fetch", ["fetch"]),
        ("web-fetch", ["web_fetch"]),
        ("get_quote|web-fetch", ["get_quote", "web_fetch"]),
        (".*fetch", ["fetch", "web_fetch"]),
        ("web-.*", ["web_fetch"]),
        (["get_quote", "fetch"], ["fetch", "get_quote"]),
        ({"tools": ["get_quote"]}, ["get_quote"]),
        ({"tool_name": "web-fetch"}, ["web_fetch"]),
    ],
)
def test_matchers_name_whole_tools(tmp_path: Path, matcher: Any, names: list[str]) -> None:
    assert hooks(imported(tmp_path, pre(matcher))) == [("before_call", names, "deny", "Not here.")]


@pytest.mark.parametrize(
    ("matcher", "reason"),
    [
        ("Bash", "no tool of the harness is shown as `Bash`"),
        ("web_fetch", "no tool of the harness is shown as `web_fetch`"),
        ("etch", "no tool of the harness is shown as `etch`"),
        ("(a+)+$", "the pattern `(a+)+$` can take exponential time"),
        ("(", "`(` is no pattern of this language"),
        ({"command": "rm"}, "a matcher that is an object without tools"),
        (7, "a matcher that is no text"),
        ([], "a matcher that matches nothing"),
    ],
)
def test_a_matcher_that_means_no_tool_is_refused(tmp_path: Path, matcher: Any, reason: str) -> None:
    assert reasons(imported(tmp_path, pre(matcher))) == [reason]
    if "shown as" not in reason:
        assert reasons(imported(tmp_path, pre(matcher), alone=True)) == [reason]


@given(st.text("ab-_.", min_size=1, max_size=8), st.text("ab-_.", min_size=1, max_size=8))
def test_a_plain_name_matches_itself_alone(one: str, other: str) -> None:
    if "." not in one:
        assert matches(one, other) == (one == other)
    assert matches(one, one)


@pytest.mark.parametrize(
    "settings",
    [
        {"PreToolUse": [{"matcher": "fetch", "hooks": [{"type": "command", "command": BLOCK}]}]},
        {"PreToolUse": [{"matcher": "fetch", "command": BLOCK}]},
        {"PreToolUse": {"matcher": "fetch", "command": BLOCK}},
        {"hooks": {"PreToolUse": [{"matcher": "fetch", "hooks": [BLOCK]}]}},
        {"hooks": [{"event": "PreToolUse", "matcher": "fetch", "command": BLOCK}]},
        [{"hook_event_name": "PreToolUse", "matcher": "fetch", "command": BLOCK}],
    ],
)
def test_every_shape_of_settings_is_read(tmp_path: Path, settings: Any) -> None:
    result = imported(tmp_path, settings)
    assert (result.refusals, result.losses) == ([], [])
    assert hooks(result) == [("before_call", ["fetch"], "deny", "Not here.")]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (b"{", "line 1, column 2: expecting property name enclosed in double quotes"),
        (b'{"hooks": {}, "hooks": {}}', "the key `hooks` stands twice in one object"),
        (b"7", "it is no object with hooks"),
        (b'{"hooks": 7}', "`hooks` is neither an object nor a list"),
        (b'{"hooks": {"PreToolUse": 7}}', "its hooks are no list"),
        (b'{"hooks": {"PostToolUse": "x"}}', "its hooks are no list"),
        (b'{"hooks": {"PostToolUse": "exit 2"}}', "its hooks are no list"),
        (b'{"hooks": {"PreToolUse": [7]}}', "a hook that is no object"),
        (b'{"hooks": {"PreToolUse": [{"hooks": 7}]}}', "its hooks are no list"),
        (b'{"hooks": {"PreToolUse": [{"hooks": [7]}]}}', "a hook that is no object"),
        (b'{"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt"}]}]}}',
         'a hook of type "prompt", not a command'),
        (b'{"hooks": {"PreToolUse": [{}]}}', "a hook without a command"),
        (b'{"hooks": {"PretoolUse": [{}]}}', "the event `PretoolUse` is unknown; is `PreToolUse` meant?"),
        (b'{"PretoolUse": [{}]}', "the event `PretoolUse` is unknown; is `PreToolUse` meant?"),
        (b'{"hooks": {"Lunch": [{}]}}', "the event `Lunch` is unknown"),
        (b'{"hooks": {"SessionStart": ["echo x"]}}',
         "the event `SessionStart` is about the program, and hooks of this language about a turn"),
        (b"[{}]", "a hook that names no event"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_phrase(tmp_path: Path, settings: bytes, reason: str) -> None:
    assert reasons(imported(tmp_path, settings)) == [reason]


def test_what_a_hook_says_beside_its_command_is_lost(tmp_path: Path) -> None:
    entry = {"matcher": "fetch", "note": 1, "hooks": [{"type": "command", "command": BLOCK, "timeout": 5}]}
    settings = {"model": "m", "disableAllHooks": True, "hooks": {"PreToolUse": [entry], "Stop": [entry]}}
    result = imported(tmp_path, settings)
    assert sorted(loss.what for loss in result.losses) == [
        "`model`",
        "`note` of hooks",
        "`note` of hooks",
        "`timeout` of a hook",
        "`timeout` of a hook",
        "a matcher at an event that is about no tool",
        "that all hooks are switched off",
        "that every reply is sent back: here one in each turn",
    ]


def test_a_module_holds_what_needs_no_tool(tmp_path: Path) -> None:
    settings = pre("fetch") | {}
    settings["hooks"]["UserPromptSubmit"] = ["echo Be brief."]
    result = imported(tmp_path, settings, alone=True)
    assert result.text == (
        'module settings "1.0.0"\n  "Hook settings of settings, as imported."\n\n'
        'hook user_prompt_submit on before_turn {\n  if true\n  inject """Be brief."""\n}\n'
    )
    assert reasons(result) == ["a module has no tool `fetch`: name the harness that has it"]


def test_the_command_puts_hooks_into_a_harness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings, shop = tmp_path / "settings.json", tmp_path / "shop.harness"
    settings.write_text(json.dumps(pre("fetch")))
    shop.write_text(SHOP.replace("tool fetch", "# kept\ntool fetch"))
    assert main(["import", "hooks", str(settings), "--harness", str(shop), "-o", str(shop)]) == 0
    assert "1 taken over, 0 refused, 0 losses" in capsys.readouterr().err
    assert "# kept" in shop.read_text() and "if calling(fetch)" in shop.read_text()
    assert main(["check", str(shop)]) == 0
    capsys.readouterr()
    assert (
        main(["import", "hooks", str(settings), "--format", "json", "-o", str(tmp_path / "m.harness")]) == 1
    )
    report = json.loads(capsys.readouterr().out)
    assert report["taken"] == 0 and report["written"] == []
    away = tmp_path / "away"
    away.mkdir()
    command = ["import", "hooks", str(settings), "--harness", str(shop)]
    assert main([*command, "-o", str(away / "x.harness")]) == 2
    shop.write_text("harness")
    assert main(command) == 1
    assert main(["import", "mcp", str(settings), "--harness", str(shop)]) == 2
    settings.write_text("{}")
    assert main(["import", "hooks", str(settings)]) == 2


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4)
    | st.sampled_from(["exit 2", "echo \ud800", "Stop", "fetch", ".*", "PreToolUse", "command",
                       "echo {{ x }}"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["hooks", "PreToolUse", "PostToolUse", "Stop", "UserPromptSubmit", "SessionEnd",
                         "event", "matcher", "type", "command", "tools", "x"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=100)
@given(ODD)
def test_no_settings_however_odd_end_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, odd: Any
) -> None:
    folder = tmp_path_factory.mktemp("settings")
    for alone in (True, False):
        result = imported(folder, odd, alone)
        assert all(refusal.reason and "\n" not in refusal.reason for refusal in result.refusals)
        assert bool(result.text) == bool(result.hooks)


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("echo a  b", Outcome(0, "a b\n", "")),
        ("echo 'a  b'\"c\"d 1>&2 ; exit 3", Outcome(3, "", "a  bcd\n")),
        ("echo -n x && exit 2", Outcome(2, "x", "")),
        ("false && echo never", Outcome(1, "", "")),
        ("false; exit", Outcome(1, "", "")),
        ("exit 258", Outcome(2, "", "")),
        ("printf no; :", Outcome(0, "no", "")),
        ("echo one\necho two", Outcome(0, "one\ntwo\n", "")),
        ("echo 中文", Outcome(0, "中文\n", "")),
    ],
)
def test_what_is_said_of_a_command_is_what_a_shell_does(command: str, outcome: Outcome) -> None:
    import subprocess

    assert fixed_outcome(command) == outcome
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert Outcome(ran.returncode, ran.stdout, ran.stderr) == outcome


COMMANDS = st.lists(
    st.sampled_from(
        ["echo", "exit", "2", "1", "true", "false", ":", ";", "&&", ">&2", "'a b'", '"c"', "printf", "-n",
         "x#", "#", "\n", "~", "!", "=", "a=b", "||", "$x", "\\", "{a,b}"]
    ), min_size=1, max_size=6,
).map(" ".join)  # fmt: skip


@example("echo &&")
@example("echo -n -n")
@given(COMMANDS)
def test_no_fixed_outcome_is_other_than_that_of_a_shell(command: str) -> None:
    import subprocess

    outcome = fixed_outcome(command)
    if outcome is not None:
        ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd="/")
        assert Outcome(ran.returncode, ran.stdout, ran.stderr) == outcome
