"""The steps of what `codex exec --json` prints: one for each item that is a call, with the text before it."""

from __future__ import annotations

from pathlib import Path

from harness.records import Metrics, ToolResult
from runs.intake.reported.step_readers.session_logs.codex_exec_steps import CodexExecReader
from runs.intake.reported.trajectory import ReadStep
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    HOME,
    codex_exec,
    lines_file,
    shown,
)


def steps_of(path: Path) -> list[ReadStep]:
    return list(CodexExecReader(path.name, HOME).read(path, path.name))


def test_each_call_is_a_step_with_the_text_before_it(tmp_path: Path) -> None:
    steps = steps_of(lines_file(tmp_path / "a.jsonl", codex_exec()))
    assert shown(steps) == [
        ("agent", "I look.", ["command_execution"]),
        ("agent", "", ["file_change"]),
        ("agent", "", ["find"]),
        ("system", "[error: slow]", []),
        ("agent", "Done.", []),
    ]
    assert steps[0].step.reasoning == "Where?"
    assert steps[0].step.metrics == Metrics(None, None, None, None, None)
    assert [step.results for step, _ in steps[:3]] == [
        (ToolResult("item_command_execution", "Exit code: 2\nOutput:\nno\n", True, None),),
        (ToolResult("item_file_change", "", True, None),),
        (ToolResult("item_mcp_tool_call", "no", False, None),),
    ]
    assert [step.calls[0].arguments for step, _ in steps[:3]] == [
        {"command": "/bin/bash -lc 'cat calc.py'"},
        {"changes": [{"path": f"{HOME}/calc.py", "kind": "update"}]},
        {"q": "a"},
    ]


def test_a_changed_file_is_named_without_its_lines(tmp_path: Path) -> None:
    (edit,) = steps_of(lines_file(tmp_path / "a.jsonl", codex_exec()))[1].edits or ()
    assert (edit.path, edit.change, edit.added, edit.is_compared) == ("calc.py", "modified", 0, False)


def test_a_failed_turn_is_a_message(tmp_path: Path) -> None:
    lines = [{"type": "turn.failed", "error": {"message": "no network"}}, {"type": "error", "message": "end"}]
    assert shown(steps_of(lines_file(tmp_path / "a.jsonl", lines))) == [
        ("system", "[turn.failed: no network]", []),
        ("system", "[error: end]", []),
    ]
