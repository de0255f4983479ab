"""What a session of Claude Code says about itself, and which files belong to it."""

from __future__ import annotations

from pathlib import Path

from runs.intake.reported.step_readers.session_logs.claude_code_facts import (
    claude_code_facts,
    claude_code_trajectory,
)
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    HOME,
    MODEL,
    SESSION,
    claude_code_agent,
    claude_code_session,
    lines_file,
    stream_json,
)


def test_a_session_names_its_project_version_model_and_title(tmp_path: Path) -> None:
    found = claude_code_facts(lines_file(tmp_path / "a.jsonl", claude_code_session()), "a.jsonl")
    assert (found.session, found.agent, found.is_printed) == (SESSION, "", False)
    assert (found.workdir, found.version, found.model) == (HOME, "2.1.197", MODEL)
    assert (found.title, found.last_at, found.result) == ("Correct the sum", "2026-01-31T12:00:00.000Z", None)
    assert list(found.messages) == ["m1", "m2", "m3", "m4"]


def test_a_title_that_the_tool_or_its_user_gave_goes_before_a_summary(tmp_path: Path) -> None:
    titles = [{"type": "ai-title", "aiTitle": "Sums"}, {"type": "custom-title", "customTitle": "My sums"}]
    path = lines_file(tmp_path / "a.jsonl", [*claude_code_session(), *titles])
    assert claude_code_facts(path, "a.jsonl").title == "My sums"


def test_a_file_of_a_sub_agent_names_it(tmp_path: Path) -> None:
    found = claude_code_facts(lines_file(tmp_path / "agent-a1.jsonl", claude_code_agent()), "agent-a1.jsonl")
    assert (found.session, found.agent, list(found.messages)) == (SESSION, "a1", ["m5", "m6"])


def test_what_was_printed_ends_with_its_sums(tmp_path: Path) -> None:
    found = claude_code_facts(lines_file(tmp_path / "a.jsonl", stream_json()), "a.jsonl")
    assert (found.session, found.is_printed, found.version, found.workdir) == (SESSION, True, "2.1.197", HOME)
    assert found.result is not None
    assert found.result["total_cost_usd"] == 0.0336


def test_files_of_sub_agents_beside_a_session_belong_to_it(tmp_path: Path) -> None:
    path = lines_file(tmp_path / "a.jsonl", claude_code_session())
    alone = claude_code_trajectory(claude_code_facts(path, "p/a.jsonl"), [], frozenset())
    agent = lines_file(tmp_path / "a/subagents/agent-a1.jsonl", claude_code_agent())
    (tmp_path / "a/subagents/agent-b.jsonl").symlink_to(path)
    both = claude_code_trajectory(claude_code_facts(path, "p/a.jsonl"), [], frozenset())
    assert both.files == {"p/a.jsonl": path, "p/a/subagents/agent-a1.jsonl": agent}
    assert both.key != alone.key
    assert [step.message for step, _ in both.steps()][8:11] == [
        "[sub-agent 1] Check it.",
        "[sub-agent 1]",
        "[sub-agent 1] It is right.",
    ]
    assert len(list(both.steps())) == len(list(alone.steps())) + 3
    assert (both.form, both.workdir, both.version, both.title) == (
        "Claude Code",
        HOME,
        "2.1.197",
        "Correct the sum",
    )
