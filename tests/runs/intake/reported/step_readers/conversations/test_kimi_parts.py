"""Sessions of Kimi Code and of the Kimi CLI before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.conversations.kimi_parts import is_kimi
from runs.intake.reported.step_readers.derived_edits import derived_edits
from runs.intake.reported.step_readers.json_lines import FirstLines
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    conversation_file,
    measured,
    read_one,
    told,
)
from tests.runs.intake.reported.step_readers.conversations.kimi_files import (
    CLI_LINES,
    CODE_LINES,
    HEAD,
    STATE,
    SUB_LINES,
    change,
    looped,
    told_user,
    usage,
)

SESSION = "session_2e4f0cc5-4131-4118-b38c-79268e96de67"
TOLD = [
    ("system", "You mend.", [], []),
    ("user", "Fix add.", [], []),
    ("system", "It is Monday.", [], []),
    ("agent", "I edit.", ["Edit", "Bash"], [("Done.", True), ("No such tool.", False)]),
    ("agent", "Done.", [], []),
]


def session(home: Path, **files: Any) -> Path:
    """The directory of a session with the files of its agents, and what else it has."""
    for name, lines in files.items():
        conversation_file(home / SESSION / "agents" / name / "wire.jsonl", lines)
    return home


def test_a_session_has_responses_with_thoughts_calls_results_and_tokens(tmp_path: Path) -> None:
    result, steps = read_one(tmp_path / "a.jsonl", CODE_LINES)
    assert told(steps) == TOLD
    assert measured(steps) == [(100, 20, 40, None), (100, 6, 40, None)]
    assert steps[3].step.reasoning == "Read first."
    assert steps[3].step.metrics is not None
    assert (steps[3].step.metrics.seconds, steps[3].step.metrics.written_tokens) == (1.5, 5)
    assert [one.seconds for one in steps[3].step.results] == [0.25, None]
    assert [(one.path, one.added) for one in derived_edits(steps[3].step, "/calc")] == [("calc.py", 1)]
    assert (result.agent, result.task) == ("Kimi Code with kimi-k2", "a")
    assert (result.prompt_tokens, result.completion_tokens, result.cached_tokens) == (200, 26, 80)


def test_sub_agents_and_the_state_beside_a_main_agent_belong_to_its_session(tmp_path: Path) -> None:
    session(tmp_path, **{"main": CODE_LINES, "agent-0": SUB_LINES})
    conversation_file(tmp_path / SESSION / "state.json", STATE)
    found = read_trajectories(tmp_path, {})
    (result,) = found.results
    assert result.trajectory is not None
    steps = list(result.trajectory.steps())
    assert told(steps) == [
        *TOLD[:4],
        ("system", "[sub-agent 1] Look.", [], []),
        ("agent", "[sub-agent 1] I looked.", [], []),
        TOLD[4],
    ]
    assert measured(steps)[1] == (46, 2, 40, None)
    assert (result.prompt_tokens, result.completion_tokens) == (246, 28)
    assert (result.task, result.repository, result.trajectory.title) == (SESSION, "calc", "Correct the sum")
    agents = f"{SESSION}/agents"
    assert list(result.trajectory.files) == [
        f"{agents}/main/wire.jsonl",
        f"{agents}/agent-0/wire.jsonl",
        f"{SESSION}/state.json",
    ]
    assert found.unread == ()


def test_a_file_alone_has_its_sub_agents_beside_it(tmp_path: Path) -> None:
    session(tmp_path, **{"main": CODE_LINES, "agent-0": SUB_LINES})
    path = tmp_path / SESSION / "agents" / "main" / "wire.jsonl"
    (result,) = read_trajectories(path, {}).results
    assert result.trajectory is not None
    assert list(result.trajectory.files) == ["wire.jsonl", "agent-0/wire.jsonl"]
    assert result.task == SESSION


def test_a_broken_file_of_a_sub_agent_is_named(tmp_path: Path) -> None:
    session(tmp_path, **{"main": CODE_LINES, "agent-0": (*SUB_LINES, 7, SUB_LINES[0])})
    with pytest.raises(
        ResultsRefused, match=r"^session_[^/]*/agents/agent-0/wire\.jsonl, line 8: it is not an object"
    ):
        read_trajectories(tmp_path, {})


def test_the_file_of_a_sub_agent_without_that_of_its_main_agent_is_a_session(tmp_path: Path) -> None:
    (result,) = read_trajectories(session(tmp_path, **{"agent-0": SUB_LINES}), {}).results
    assert (result.prompt_tokens, result.task) == (46, SESSION)


def test_a_step_that_got_no_response_is_none(tmp_path: Path) -> None:
    lines = (*CODE_LINES, told_user(20, "Go on."), looped(21, "step.begin", uuid="s3"))
    _, steps = read_one(tmp_path / "a.jsonl", lines)
    assert told(steps) == [*TOLD, ("user", "Go on.", [], [])]


def test_requests_that_are_no_step_count_in_the_sum(tmp_path: Path) -> None:
    lines = (
        *CODE_LINES,
        change(20, "context.apply_compaction", summary="All is well."),
        change(20, "usage.record", usage=usage(955, 100)),
    )
    result, steps = read_one(tmp_path / "a.jsonl", lines)
    assert told(steps)[-1][:2] == ("system", "[the conversation was compressed]\nAll is well.")
    assert (result.prompt_tokens, result.completion_tokens) == (1_200, 126)


def test_without_lists_of_what_was_used_the_sum_is_that_of_the_steps(tmp_path: Path) -> None:
    lines = tuple(line for line in CODE_LINES if line["type"] != "usage.record")
    result, steps = read_one(tmp_path / "a.jsonl", lines)
    assert result.prompt_tokens is None
    assert measured(steps) == [(100, 20, 40, None), (100, 6, 40, None)]


def test_a_session_of_the_earlier_command_line_is_made_of_events(tmp_path: Path) -> None:
    result, steps = read_one(tmp_path / "a.jsonl", CLI_LINES)
    assert told(steps) == [
        ("user", "Fix add.", [], []),
        ("agent", "I look.", ["Shell", "Task"], [("calc.py\nIt ran.", True), ("No.", False)]),
        ("agent", "[sub-agent 1] I looked.", [], []),
        ("agent", "Done.", [], []),
    ]
    assert measured(steps) == [(100, 20, 40, None), (None,) * 4, (None,) * 4]
    assert steps[1].step.reasoning == "Read first."
    assert steps[1].step.timestamp == "2026-01-31T12:00:02.000Z"
    assert result.agent == "Kimi CLI"


def test_printed_lines_have_responses_and_calls(tmp_path: Path) -> None:
    lines = (
        {"role": "meta", "type": "system.version", "version": "2.1.0"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "c1", "function": {"name": "Bash", "arguments": '{"command": "ls"}'}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "calc.py"},
        {"role": "assistant", "content": "Done."},
        {"role": "meta", "type": "session.resume_hint", "session_id": "s"},
    )
    _, steps = read_one(tmp_path / "a.jsonl", lines)
    assert told(steps) == [("agent", "I look.", ["Bash"], [("calc.py", None)]), ("agent", "Done.", [], [])]
    assert measured(steps) == [(None,) * 4] * 2


@pytest.mark.parametrize(
    "first",
    [{"type": "metadata"}, {"type": "metadata", "protocol_version": 1}, {"role": "meta"}, {"role": "user"}],
)
def test_other_files_are_none(first: dict[str, Any]) -> None:
    assert not is_kimi(FirstLines([first, HEAD]))
    assert not is_kimi(HEAD)
    assert not is_kimi(FirstLines())
