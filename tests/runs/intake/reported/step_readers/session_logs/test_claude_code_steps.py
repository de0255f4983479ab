"""The steps of sessions of Claude Code: each response once, with its calls, their results and its sub-agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.records import Metrics, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.session_logs.claude_code_steps import (
    ClaudeCodeReader,
    claude_code_lines,
)
from runs.intake.reported.trajectory import ReadStep
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    EDITED,
    HOME,
    claude_code_agent,
    claude_code_session,
    claude_line,
    lines_file,
    returned,
    said,
    shown,
    stream_json,
    text,
    use,
)


def steps_of(path: Path, agents: dict[str, tuple[Path, str]] | None = None, *counted: str) -> list[ReadStep]:
    return list(ClaudeCodeReader(path.name, HOME, agents or {}, frozenset(counted)).read(path, path.name))


def test_a_session_has_its_responses_and_those_of_its_sub_agent(tmp_path: Path) -> None:
    agent = lines_file(tmp_path / "agent-a1.jsonl", claude_code_agent())
    path = lines_file(tmp_path / "a.jsonl", claude_code_session())
    steps = steps_of(path, {"a1": (agent, "agent-a1.jsonl")})
    assert shown(steps) == [
        ("user", "Fix add.", []),
        ("agent", "I look.", ["Bash", "Bash"]),
        ("agent", "", ["Edit"]),
        ("agent", "", ["Task"]),
        ("system", "Conversation compacted", []),
        ("system", "[summary of the conversation so far]\nWe fixed add.", []),
        ("system", "Caveat: local.", []),
        ("system", "API Error", []),
        ("system", "[sub-agent 1] Check it.", []),
        ("agent", "[sub-agent 1]", ["Read"]),
        ("agent", "[sub-agent 1] It is right.", []),
        ("agent", "Done.", []),
    ]
    assert [step.step_id for step, _ in steps] == list(range(1, 13))
    assert steps[1].step.reasoning == "Where is it?"
    assert steps[1].step.timestamp == "2026-01-31T12:00:00.000Z"


def test_usage_is_counted_once_with_the_last_line_of_a_response(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", claude_code_session()))
    found = [step.metrics for step, _ in steps if step.source == "agent"]
    assert found[0] == Metrics(5010, 120, 0, None, None, "tool_use", written_tokens=5000)
    assert [(one.prompt_tokens, one.completion_tokens, one.cached_tokens) for one in found if one] == [
        (5010, 120, 0),
        (5312, 60, 5000),
        (5314, 40, 5300),
        (116, 20, 0),
    ]


def test_results_say_whether_the_tool_failed_and_how_long_it_took(tmp_path: Path) -> None:
    lines = [
        *claude_code_session(),
        said("m7", use("t7", "Edit", file_path="/x"), (1, 0, 0, 1)),
        returned("t7", "<tool_use_error>no such file</tool_use_error>", is_error=True),
    ]
    steps = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert [result for step, _ in steps for result in step.results] == [
        ToolResult("t1", "return a - b", True, 0.25),
        ToolResult("t2", "Exit code 2\nno rule", True, None),
        ToolResult("t3", "The file was updated.", True, None),
        ToolResult("t4", "It is right.", True, 1.5),
        ToolResult("t7", "<tool_use_error>no such file</tool_use_error>", False, None),
    ]


def test_an_edit_is_the_one_that_its_result_states(tmp_path: Path) -> None:
    new = {"type": "create", "filePath": f"{HOME}/new.py", "content": "a\nb\n", "structuredPatch": []}
    lines = [
        *claude_code_session(),
        said("m7", use("t7", "Write", file_path=f"{HOME}/new.py", content="a\nb\n"), (1, 0, 0, 1)),
        returned("t7", "File created.", new),
        said("m8", use("t8", "Edit", file_path="/etc/hosts", old_string="a", new_string="b"), (1, 0, 0, 1)),
        returned("t8", "Updated.", {**EDITED, "filePath": "/etc/hosts"}),
    ]
    steps = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    edits = [edit for _, found in steps for edit in found or ()]
    assert [(edit.path, edit.change, edit.added, edit.removed) for edit in edits] == [
        ("calc.py", "modified", 1, 1),
        ("new.py", "added", 2, 0),
    ]
    assert edits[0].diff == (
        "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n"
    )


def test_sub_agents_in_the_same_file_are_told_apart_and_follow_their_call(tmp_path: Path) -> None:
    """Older versions: their lines stand between the call and its result, those of parallel ones in any order."""
    side: dict[str, Any] = {"isSidechain": True}
    lines = [
        said("m1", use("t1", "Task", prompt="One."), (1, 0, 0, 1)),
        said("m1", use("t2", "Task", prompt="Two."), (1, 0, 0, 1)),
        claude_line("user", "s1", {"content": "One."}, **side),
        claude_line("user", "s2", {"content": "Two."}, **side),
        said("m2", text("It is one."), (1, 0, 0, 1), "s3", **side, parentUuid="s1"),
        said("m3", text("It is two."), (1, 0, 0, 1), "s4", **side, parentUuid="s2"),
        said("m4", text("One ends."), (1, 0, 0, 1), "s5", **side, parentUuid="s3"),
        returned("t2", "two"),
        returned("t1", "one"),
        said("m5", text("Done."), (1, 0, 0, 1)),
    ]
    lines = [
        {**line, "parentUuid": parent}
        for line, parent in zip(
            lines, (None, None, None, None, "s1", "s2", "s3", None, None, None), strict=True
        )
    ]
    steps = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert shown(steps) == [
        ("agent", "", ["Task", "Task"]),
        ("system", "[sub-agent 1] One.", []),
        ("system", "[sub-agent 2] Two.", []),
        ("agent", "[sub-agent 1] It is one.", []),
        ("agent", "[sub-agent 2] It is two.", []),
        ("agent", "[sub-agent 1] One ends.", []),
        ("agent", "Done.", []),
    ]
    assert [result.content for result in steps[0].step.results] == ["two", "one"]


def test_what_was_printed_has_no_final_count_of_tokens_before_its_end(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", stream_json()))
    assert shown(steps) == [
        ("agent", "I look.", ["Bash"]),
        ("agent", "[sub-agent 1]", ["Read"]),
        ("agent", "Done.", []),
    ]
    found = [step.metrics for step, _ in steps]
    assert [(one.prompt_tokens, one.completion_tokens) for one in found if one] == [
        (5010, None),
        (905, None),
        (5312, 60),
    ]


def test_a_list_of_the_same_lines_is_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(stream_json()))
    assert steps_of(path) == steps_of(lines_file(tmp_path / "a.jsonl", stream_json()))


def test_a_line_is_read_once_and_a_copied_response_has_no_use(tmp_path: Path) -> None:
    lines = claude_code_session()
    steps = steps_of(lines_file(tmp_path / "a.jsonl", [*lines, lines[-1]]), None, "m1")
    agent = [step for step, _ in steps if step.source == "agent"]
    assert [step.metrics is None for step in agent] == [True, False, False, False]
    again = [*lines, {**lines[5], "uuid": "new"}]  # a line of an edited branch, with another id
    agent = [step for step, _ in steps_of(lines_file(tmp_path / "b.jsonl", again)) if step.source == "agent"]
    assert [(step.calls[0].id if step.calls else "", step.metrics is None) for step in agent][-2:] == [
        ("", False),
        ("t1", True),
    ]


def test_what_the_tool_says_in_the_name_of_its_user_is_a_message_of_the_system(tmp_path: Path) -> None:
    said_by_tool = (
        "<task-notification>\n<task-id>a1</task-id>",
        "<local-command-stdout>Compacted</local-command-stdout>",
    )
    queued = {"type": "queued_command", "prompt": said_by_tool[0], "commandMode": "task-notification"}
    lines = [
        claude_line("attachment", "q", None, attachment=queued),
        *(claude_line("user", words, {"content": words}) for words in said_by_tool),
        claude_line("user", "u", {"content": "Go on."}),
    ]
    steps = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert [step.source for step, _ in steps] == ["system", "system", "system", "user"]


def test_interrupted_and_queued_messages_pictures_and_searches_of_the_provider(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo="}}
    search = {"type": "server_tool_use", "id": "t2", "name": "web_search", "input": {"query": "add"}}
    found = {
        "type": "web_search_tool_result",
        "tool_use_id": "t2",
        "content": [{"type": "web_search_result"}],
    }
    queued = {"type": "queued_command", "prompt": "Also sub."}
    lines = [
        claude_line("user", "p", {"content": [text("See:"), picture]}),
        said("m1", use("t1", "Bash", command="sleep 9"), (1, 0, 0, 1)),
        claude_line("user", "i", {"content": [text("[Request interrupted by user]")]}),
        claude_line("attachment", "q", None, attachment=queued),
        claude_line("attachment", "l", None, attachment={"type": "skill_listing", "content": "long"}),
        said("m2", {"type": "redacted_thinking", "data": "x"}, (1, 0, 0, 1)),
        said("m2", search, (1, 0, 0, 1)),
        said("m2", found, (1, 0, 0, 1)),
    ]
    steps = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert shown(steps) == [
        ("user", "See:\n[image]", []),
        ("agent", "", ["Bash"]),
        ("user", "[Request interrupted by user]", []),
        ("user", "Also sub.", []),
        ("agent", "", ["web_search"]),
    ]
    assert steps[1].step.results == ()
    assert steps[4].step.reasoning == "[redacted]"
    assert steps[4].step.results == (ToolResult("t2", "[web_search_result]", None, None),)


def test_a_torn_last_line_is_left_out_and_any_other_is_refused(tmp_path: Path) -> None:
    path = lines_file(tmp_path / "a.jsonl", claude_code_session(), '\n{"type": "assist')
    assert len(list(claude_code_lines(path, "a.jsonl"))) == len(claude_code_session())
    path.write_text('{"type": "user"}\n{"type": "assist\n{"type": "user"}\n')
    with pytest.raises(ResultsRefused, match=r"^a\.jsonl, line 2: it is not JSON: Invalid control character"):
        list(claude_code_lines(path, "a.jsonl"))
    path.write_text('{"type": "user"}\n[1]\n')
    with pytest.raises(ResultsRefused, match=r"^a\.jsonl, line 2: it is not an object$"):
        list(claude_code_lines(path, "a.jsonl"))
    path.write_text('[{"type": "user"}, 1]')
    with pytest.raises(ResultsRefused, match=r"^a\.jsonl, element 2: it is not an object$"):
        list(claude_code_lines(path, "a.jsonl"))
