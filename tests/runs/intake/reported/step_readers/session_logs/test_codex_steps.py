"""The steps of sessions of Codex: responses from items and counts of tokens, in whichever order they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.records import Metrics, ToolResult
from runs.intake.reported.step_readers.session_logs.codex_steps import (
    CodexReader,
    ResponseBounds,
    changed_files,
)
from runs.intake.reported.trajectory import ReadStep
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    BOTH,
    CODEX_PATCH,
    FIRST,
    HOME,
    SECOND,
    codex_counts_first,
    codex_counts_last,
    codex_first_form,
    codex_line,
    codex_script,
    item,
    lines_file,
    shown,
)

FIRST_COUNT = Metrics(2000, 90, 0, None, None, reasoning_tokens=30)
SECOND_COUNT = Metrics(2300, 60, 1900, None, None, reasoning_tokens=10)
UNKNOWN = Metrics(None, None, None, None, None)


def steps_of(path: Path) -> list[ReadStep]:
    return list(CodexReader(path.name, HOME).read(path, path.name))


def test_counts_before_their_items_show_where_a_response_ends(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", codex_counts_first()))
    assert shown(steps) == [
        ("system", "You are Codex.", []),
        ("system", f"<environment_context>\n  <cwd>{HOME}</cwd>", []),
        ("user", "Fix add.", []),
        ("agent", "I look.", ["shell", "shell"]),
        ("agent", "Done.", ["apply_patch"]),
    ]
    assert [step.metrics for step, _ in steps[3:]] == [FIRST_COUNT, SECOND_COUNT]
    look, fix = steps[3].step, steps[4].step
    assert (look.reasoning, look.timestamp) == ("Where?", "2026-01-31T12:00:01.000Z")
    assert look.results == (
        ToolResult("c1", "Exit code: 0\nWall time: 0.5 seconds\nOutput:\nreturn a - b\n", True, 0.5),
        ToolResult("c2", "Exit code: 2\nWall time: 0.25 seconds\nOutput:\nno rule\n", True, 0.25),
    )
    assert [call.arguments for call in (*look.calls, *fix.calls)] == [
        {"command": ["bash", "-lc", "cat calc.py"]},
        {"command": ["bash", "-lc", "make"]},
        {"input": CODEX_PATCH},
    ]
    assert fix.results[0].ok is True


def test_counts_after_their_items_show_it_too(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", codex_counts_last()))
    assert shown(steps)[3:] == [
        ("agent", "", ["exec_command"]),
        ("agent", "", ["exec_command"]),
        ("system", "[the conversation was replaced by a summary]\nWe fixed add.", []),
        ("agent", "Done.", []),
    ]
    assert [step.metrics for step, _ in steps[3:]] == [FIRST_COUNT, SECOND_COUNT, None, UNKNOWN]
    make, patch = steps[3].step.results[0], steps[4].step.results[0]
    assert (make.ok, make.seconds) == (True, 1.5)
    # The tool for patches failed, although the shell that called it ran.
    assert (patch.ok, patch.seconds) == (False, 0.1)
    (edit,) = steps[4].edits or ()
    assert (edit.path, edit.added, edit.removed) == ("calc.py", 1, 1)
    assert edit.diff == "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-a - b\n+a + b\n"


def test_items_of_the_first_versions_have_no_counts(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", codex_first_form()))
    assert shown(steps) == [
        ("system", "You are Codex.", []),
        ("user", "Fix add.", []),
        ("agent", "", ["shell"]),
        ("agent", "Done.", ["local_shell"]),
    ]
    assert [step.metrics for step, _ in steps[2:]] == [UNKNOWN, UNKNOWN]
    assert steps[2].step.results == (ToolResult("c1", "calc.py", False, None),)
    assert steps[3].step.calls[0].arguments == {"type": "exec", "command": ["make"]}


def test_what_a_script_calls_are_calls_of_its_response(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", codex_script()))
    assert shown(steps)[3:] == [
        ("agent", "", ["exec", "exec_command", "apply_patch", "find"]),
        ("agent", "", ["exec"]),
        ("agent", "Done.", []),
    ]
    first, second = steps[3].step, steps[4].step
    assert [(first.result(call) or second.results[0]).ok for call in first.calls] == [True, True, True, True]
    assert [(one.call_id, one.seconds) for one in first.results] == [
        ("exec-1", 1.0),
        ("exec-3", None),
        ("exec-4", None),
        ("c1", 0.5),
    ]
    assert [edit.path for edit in steps[3].edits or ()] == ["calc.py"]
    assert (second.results[0].ok, second.results[0].seconds) == (False, 0.5)
    assert [step.metrics for step in (first, second)] == [FIRST_COUNT, SECOND_COUNT]


def test_a_patch_that_does_not_fit_failed(tmp_path: Path) -> None:
    said = "apply_patch verification failed: Failed to find expected lines"
    lines = [
        item("custom_tool_call", name="apply_patch", call_id="c", input=CODEX_PATCH),
        item("custom_tool_call_output", call_id="c", output=said),
    ]
    ((step, _),) = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert step.results == (ToolResult("c", said, False, None),)


@pytest.mark.parametrize(
    ("output", "content", "ok"),
    [
        ("failed to parse function arguments", "failed to parse function arguments", None),
        ({"content": [{"type": "input_text", "text": "a"}], "success": True}, "a", True),
        ([{"type": "input_image", "image_url": "data:image/png;base64,AA"}], "[input_image]", None),
        ('{"output": "a", "metadata": {"exit_code": "x"}}',) * 2 + (None,),
        ('{"output": "a"', '{"output": "a"', None),
        (None, "", None),
    ],
)
def test_an_output_says_what_is_known(tmp_path: Path, output: Any, content: str, ok: bool | None) -> None:
    lines = [
        item("function_call", name="shell", call_id="c", arguments="not JSON"),
        item("function_call_output", call_id="c", output=output),
    ]
    ((step, _),) = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert step.results == (ToolResult("c", content, ok, None),)
    assert step.calls[0].arguments == {"arguments": "not JSON"}


@pytest.mark.parametrize("wrapped", [True, False])
def test_an_output_has_its_pictures(tmp_path: Path, wrapped: bool) -> None:
    data = "iVBORw0KGgoAAAA="
    parts = [{"type": "input_image", "image_url": f"data:image/png;base64,{data}"}]
    lines = [
        item("function_call", name="view_image", call_id="c", arguments="{}"),
        item("function_call_output", call_id="c", output={"content": parts} if wrapped else parts),
    ]
    ((step, _),) = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert step.results == (ToolResult("c", "[input_image]", None, None, (data,)),)


def test_what_ended_a_turn_or_another_agent_said_is_a_message(tmp_path: Path) -> None:
    lines = [
        codex_line("event_msg", {"type": "turn_aborted", "reason": "interrupted"}),
        codex_line("event_msg", {"type": "error", "message": "no network"}),
        codex_line("event_msg", {"type": "agent_message", "message": "said elsewhere"}),
        codex_line("world_state", {"state": {}}),
        item(
            "agent_message",
            author="/root",
            content=[{"type": "input_text", "text": "Message Type: NEW_TASK"}],
        ),
    ]
    steps = steps_of(lines_file(tmp_path / "a.jsonl", lines))
    assert shown(steps) == [
        ("system", "[turn_aborted: interrupted]", []),
        ("system", "[error: no network]", []),
        ("system", "Message Type: NEW_TASK", []),
    ]


def test_a_count_for_a_summary_belongs_to_no_response() -> None:
    bounds = ResponseBounds()
    assert bounds.part()[0] == "response 1"
    assert bounds.count(FIRST, FIRST) is True
    assert bounds.count(SECOND, BOTH) is False
    assert bounds.part() == ("response 2", UNKNOWN)


def test_changes_are_read_in_the_older_and_the_newer_form() -> None:
    changes = {
        "a.py": {"add": {"content": "a\n"}},
        f"{HOME}/b.py": {"type": "delete", "content": "b\nc\n"},
        "c.py": {"update": {"unified_diff": "@@ -1 +1 @@\n-a\n+b\n", "move_path": f"{HOME}/d.py"}},
        "e.py": {"update": "x"},
        "/etc/hosts": {"type": "add", "content": "x"},
        "f.py": "x",
    }
    assert [(edit.path, edit.change, edit.added, edit.removed) for edit in changed_files(changes, HOME)] == [
        ("a.py", "added", 1, 0),
        ("b.py", "deleted", 0, 2),
        ("d.py", "modified", 1, 1),
    ]
