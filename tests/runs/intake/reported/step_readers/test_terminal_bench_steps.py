"""The steps of Terminal-Bench's trials. The files were written by hand as its agents write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.records import Metrics, Step, ToolCall, ToolResult
from harness.redaction import Redactor
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import terminal_bench_steps
from runs.intake.reported.step_readers.step_builder import SHOWN_WITH_LAST, UNKNOWN
from runs.intake.reported.step_readers.terminal_bench_steps import TrialFiles, stored_recording, trial_steps

LOOK = {
    "analysis": "I see nothing.",
    "plan": "Look.",
    "commands": [{"keystrokes": "ls\n", "duration": 0.5}, {"keystrokes": "cat a.py\n"}],
    "task_complete": False,
}
DONE = {"analysis": "Fixed.", "plan": "Stop.", "commands": [], "task_complete": True}
ANSWER = {
    "created": 1_767_323_045,
    "choices": [{"finish_reason": "stop", "message": {"reasoning_content": "I think."}}],
    "usage": {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 30},
        "completion_tokens_details": {"reasoning_tokens": 7},
    },
}
LOG = {
    "original_response": json.dumps(ANSWER),
    "llm_api_duration_ms": 1500,
    "response_headers": {"key": "hash"},
}


def trial(home: Path, **files: Any) -> TrialFiles:
    """A trial with these files: `a__b` is a/b, `_` before the suffix a dot. Texts stay as they are."""
    for name, content in files.items():
        path = home / ".".join(name.replace("__", "/").replace("episode_", "episode-").rsplit("_", 1))
        path = path.with_name(path.name.replace("post_agent", "post-agent"))
        path = Path(str(path).replace("agent_logs", "agent-logs"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return TrialFiles(home, "run/t/t.1-of-1", "Fix add.")


def steps(files: TrialFiles) -> list[Step]:
    return [each.step for each in trial_steps(files)]


def cast(*events: list[Any]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in ({"version": 2, "width": 80, "height": 24}, *events))


def test_an_episode_is_a_response_with_what_the_terminal_showed_then(tmp_path: Path) -> None:
    found = steps(
        trial(
            tmp_path,
            agent_logs__episode_0__prompt_txt="Fix add in a.py.",
            agent_logs__episode_0__response_txt=f"Here: {json.dumps(LOOK)} Right.",
            agent_logs__episode_0__debug_json=LOG,
            agent_logs__episode_1__prompt_txt="$ ls\na.py\n\n\n",
            agent_logs__episode_1__response_txt=json.dumps(DONE),
            panes__post_agent_txt="$\n",
        )
    )
    assert found == [
        Step(1, "", "user", "Fix add in a.py."),
        Step(
            *(2, "2026-01-02T03:04:05.000Z", "agent", "Analysis: I see nothing.\nPlan: Look.", "I think."),
            (
                ToolCall("call-1", "bash_command", {"keystrokes": "ls\n", "duration": 0.5}),
                ToolCall("call-2", "bash_command", {"keystrokes": "cat a.py\n"}),
            ),
            (
                ToolResult("call-1", SHOWN_WITH_LAST, None, None),
                ToolResult("call-2", "$ ls\na.py", None, None),
            ),
            Metrics(100, 20, 30, None, 1.5, "stop", reasoning_tokens=7),
        ),
        Step(
            *(3, "", "agent", "Analysis: Fixed.\nPlan: Stop.", ""),
            (ToolCall("call-1", "mark_task_complete", {}),),
            (ToolResult("call-1", "$", None, None),),
            UNKNOWN,
        ),
    ]


def test_episodes_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    numbers = {f"agent_logs__episode_{n}__response_txt": json.dumps({"analysis": str(n)}) for n in (10, 9, 0)}
    files = trial(
        tmp_path, **numbers, agent_logs__episode_x__response_txt="", agent_logs__episode_3__prompt_txt=""
    )
    assert [step.message for step in steps(files)] == ["Analysis: 0", "Analysis: 9", "Analysis: 10"]


def test_an_episode_and_a_file_that_are_links_are_not_read(tmp_path: Path) -> None:
    files = trial(
        tmp_path,
        elsewhere__response_txt=json.dumps({"analysis": "Elsewhere."}),
        agent_logs__episode_0__response_txt=json.dumps({"analysis": "Here."}),
    )
    (tmp_path / "agent-logs/episode-0/prompt.txt").symlink_to("/etc/hostname")
    (tmp_path / "agent-logs/episode-1").symlink_to(tmp_path / "elsewhere")
    assert steps(files) == [Step(1, "", "agent", "Analysis: Here.", metrics=UNKNOWN)]


def test_a_response_that_the_agent_could_not_read_is_shown_as_it_is(tmp_path: Path) -> None:
    files = trial(
        tmp_path,
        agent_logs__episode_0__response_txt="I do not know {",
        agent_logs__episode_1__prompt_txt="Previous response had parsing errors",
        agent_logs__episode_1__response_txt="{}",
    )
    assert [(step.source, step.message) for step in steps(files)] == [
        ("agent", "I do not know {"),
        ("user", "Previous response had parsing errors"),
        ("agent", "{}"),
    ]


def test_older_agents_have_other_names_and_one_response(tmp_path: Path) -> None:
    said = {
        "state_analysis": "a",
        "explanation": "b",
        "commands": [{"keystrokes": "ls"}],
        "is_task_complete": True,
    }
    (one,) = steps(trial(tmp_path / "a", agent_logs__episode_0__response_json=said))
    assert (one.message, [call.name for call in one.calls]) == (
        "Analysis: a\nPlan: b",
        ["bash_command", "mark_task_complete"],
    )
    (one,) = steps(trial(tmp_path / "b", agent_logs__response_json={"commands": ["ls", 5]}))
    assert [call.arguments for call in one.calls] == [{"keystrokes": "ls"}]


def test_responses_may_be_xml(tmp_path: Path) -> None:
    text = (
        "<response><analysis>a</analysis><plan>b</plan><commands>"
        '<keystrokes duration="0.1">ls\n</keystrokes><keystrokes>pwd</keystrokes><keystrokes>open'
        "</commands><task_complete>true</task_complete></response>"
    )
    (one,) = steps(trial(tmp_path, agent_logs__episode_0__response_txt=text))
    assert one.message == "Analysis: a\nPlan: b"
    assert [call.arguments for call in one.calls] == [{"keystrokes": "ls\n"}, {"keystrokes": "pwd"}, {}]


def test_other_agents_have_a_step_for_each_command_in_the_recording(tmp_path: Path) -> None:
    recorded = cast(
        *([0.1, "o", "$ "], [0.2, "i", "clear\r"], [0.3, "o", "\x1b[2J$ "], [1, "i", "l"], [1, "i", "s\r"]),
        *([2, "o", "ls\r\na.py\r\n$ "], [3, "i", "exit\n"], [4, "o", "exit\r\n"], [5, "i", "\x04"]),
    )
    instruction, first, second = steps(trial(tmp_path, sessions__agent_cast=recorded, commands_txt="['x']"))
    assert instruction == Step(1, "", "user", "Fix add.")
    assert first == Step(
        *(2, "", "agent", "", ""),
        (ToolCall("call-1", "bash_command", {"keystrokes": "ls\n"}),),
        (ToolResult("call-1", "ls\na.py\n$ ", None, None),),
        UNKNOWN,
    )
    assert second.results[0].content == "exit\n"


def test_without_a_recording_of_keys_the_list_of_commands_has_them(tmp_path: Path) -> None:
    commands = [
        "['asciinema rec --stdin /a/agent.cast', 'Enter']",
        "['clear', 'Enter']",
        "['source /installed-agent/setup-env.sh', 'Enter']",
        '["source /installed-agent/install-agent.sh && echo \'INSTALL_SUCCESS\'; tmux wait -S done", "Enter"]',
        "['bash ', '/tests/run-tests.sh', 'Enter']",
        "",
        "['ls', 'Enter']",
        "['cat /tests/run-tests.sh', 'Enter']",
        "\"echo 'a'\\n\"",
        "['asciinema rec --stdin /a/tests.cast', 'Enter']",
        "['bash /tests/run.sh', 'Enter']",
    ]
    files = trial(tmp_path, commands_txt="\n".join(commands), sessions__agent_cast=cast([1, "o", "$"]))
    assert [call.arguments["keystrokes"] for step in steps(files) for call in step.calls] == [
        "ls\n",
        "cat /tests/run-tests.sh\n",
        "echo 'a'\n",
    ]


def test_a_recording_alone_says_that_its_steps_are_unknown(tmp_path: Path) -> None:
    files = trial(tmp_path, sessions__agent_cast=cast([1, "o", "$"]))
    assert [step.message for step in steps(files)] == [
        "Fix add.",
        "[only a recording of the terminal is known: its steps are not]",
    ]


def test_a_stored_recording_has_no_secrets(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "aB3dE5gH7jK9mN1p" * 5 + "Q-AA"
    files = trial(tmp_path, sessions__agent_cast=cast([1, "o", f"export KEY={key}\r\n"]))
    stored_recording(files.recording, "a.cast")(tmp_path / "stored", Redactor())
    assert key not in (tmp_path / "stored").read_text()
    assert "export KEY=" in (tmp_path / "stored").read_text()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"sessions__agent_cast": "{}"}, r"^run/t/t.1-of-1/sessions/agent.cast, line 1: it is no header"),
        (
            {"commands_txt": "['ls']\nos.system('x')"},
            r"^run/t/t.1-of-1/commands.txt, line 2: it is neither a text",
        ),
        (
            {"commands_txt": "[5]"},
            r"line 1: it is neither a text nor a list of texts, as Python writes them$",
        ),
        ({"commands_txt": "[" * 5_000}, r"line 1: it is neither a text"),
        ({"commands_txt": "'" + "x" * 100_001}, r"line 1: it is neither a text"),
        (
            {"agent_logs__episode_0__response_txt": "{}", "agent_logs__episode_0__debug_json": "{"},
            r"^run/t/t.1-of-1/agent-logs/episode-0/debug.json: it is not JSON",
        ),
    ],
)
def test_a_broken_file_is_refused_with_the_place(files: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ResultsRefused, match=message):
        steps(trial(tmp_path, **files))


def test_a_broken_recording_is_refused_when_it_is_stored(tmp_path: Path) -> None:
    files = trial(tmp_path, sessions__agent_cast=cast([1, "o", 5]))
    with pytest.raises(ResultsRefused, match=r"^a.cast, line 2: its code and its text are not both texts$"):
        stored_recording(files.recording, "a.cast")(tmp_path / "stored", Redactor())


def test_a_response_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_bench_steps, "_MAX_TEXT", 5)
    with pytest.raises(ResultsRefused, match=r"episode-0/response.txt: it has more than 5 bytes$"):
        steps(trial(tmp_path, agent_logs__episode_0__response_txt="123456"))


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [[]], True], ids=str)
def test_any_type_may_stand_anywhere(odd: Any, tmp_path: Path) -> None:
    said = {"analysis": odd, "plan": odd, "commands": odd, "task_complete": odd}
    answer = {"choices": odd, "usage": odd, "created": odd}
    files = trial(
        tmp_path,
        agent_logs__episode_0__response_txt=json.dumps(said),
        agent_logs__episode_0__debug_json={
            "original_response": json.dumps(answer),
            "llm_api_duration_ms": odd,
        },
        agent_logs__episode_1__response_txt=json.dumps({"commands": [odd, {"keystrokes": odd}]}),
        agent_logs__episode_1__debug_json={"original_response": odd},
    )
    assert [step.source for step in steps(files)] == ["agent", "agent"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    files = trial(tmp_path / "t", agent_logs__episode_0__response_txt="{}")
    (files.home / "agent-logs/episode-0/prompt.txt").symlink_to(tmp_path / "secret")
    (files.home / "agent-logs/episode-1").symlink_to(files.home / "agent-logs/episode-0")
    assert [step.message for step in steps(files)] == ["{}"]
