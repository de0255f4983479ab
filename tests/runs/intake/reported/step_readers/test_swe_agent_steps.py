"""The steps of SWE-agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.records import Step, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.step_builder import UNKNOWN
from runs.intake.reported.step_readers.swe_agent_steps import model_of, swe_agent_steps
from tests.runs.intake.reported.step_readers.tool_files import PATCH, swe_agent, written


def read(directory: Path, **changes: Any) -> list[Step]:
    """The steps of the sample with these changes."""
    return [
        step for step, _ in swe_agent_steps(written(directory / "a.traj", swe_agent(**changes)), "a.traj")
    ]


def test_steps_are_what_the_shell_was_given_without_demonstrations(tmp_path: Path) -> None:
    def acted(number: int, said: str, call: ToolCall | None, seconds: float, shown: str) -> Step:
        results = (ToolResult("call-1", shown, None, seconds),) if call else ()
        return Step(
            number, "", "agent", said, calls=(call,) if call else (), results=results, metrics=UNKNOWN
        )

    edit = {"path": "/calc/calc.py", "arguments": "1:1", "content": "a + b\nend_of_edit"}
    replace = {"command": "str_replace", "path": "/calc/b.py", "old_str": "x = 1", "new_str": "x = 2"}
    assert read(tmp_path) == [
        Step(1, "", "system", "You are helpful."),
        Step(2, "", "user", "Fix add."),
        acted(
            3,
            "I edit.",
            ToolCall("call-1", "edit", edit),
            0.5,
            "[File: /calc/calc.py (1 lines total)]\n1:a + b\n",
        ),
        acted(
            4, "And b.", ToolCall("call-1", "str_replace_editor", replace), 0.25, "The file has been edited."
        ),
        acted(5, "No action.", None, 0, ""),
        acted(6, "I test.", ToolCall("call-1", "bash", {"command": "python test.py"}), 1.0, "ok\r\n"),
        acted(7, "", ToolCall("call-1", "submit", {}), 0.1, PATCH),
    ]


@pytest.mark.parametrize(
    ("action", "tool", "arguments"),
    [
        ('open "src/a b.py" 12', "open", {"path": "src/a b.py", "arguments": '"src/a b.py" 12'}),
        ("create new.py", "create", {"path": "new.py", "arguments": "new.py"}),
        ("search_dir add src", "search_dir", {"query": "add src"}),
        ("ls -la && cat 'x", "bash", {"command": "ls -la && cat 'x"}),
        ("str_replace_editor view /calc", "str_replace_editor", {"command": "view", "path": "/calc"}),
    ],
)
def test_an_action_is_a_call_of_the_tool_that_it_names(
    tmp_path: Path, action: str, tool: str, arguments: dict[str, str]
) -> None:
    turn = {"action": action, "observation": "", "thought": "", "state": "{}"}
    (step,) = read(tmp_path, trajectory=[turn], history=[])
    assert step.calls == (ToolCall("call-1", tool, arguments),)


def test_the_model_is_in_the_settings_of_newer_versions_only() -> None:
    assert model_of(swe_agent()) == "anthropic/claude-sonnet-4"
    assert model_of({}) == model_of({"replay_config": "{"}) == ""


def test_a_turn_that_is_no_object_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ResultsRefused, match=r"^a\.traj, step 1: it is not an object$"):
        read(tmp_path, trajectory=[7])


@pytest.mark.parametrize("value", [None, 7, "text", [], [7], {}, {"working_dir": 7, "open_file": 7}])
def test_odd_values_never_fail(tmp_path: Path, value: Any) -> None:
    for name in (
        "action",
        "observation",
        "thought",
        "response",
        "state",
        "execution_time",
        "thinking_blocks",
    ):
        read(tmp_path, trajectory=[{name: value}], history=[{"role": "user", "content": value}, value])
