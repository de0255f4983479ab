"""The tools of a person, and the forms for calls of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigurationError
from harness.tools.schema import TOOLS
from runs.models import Agent
from runs.play.play_tools import EXPLANATION, call_of, can_be_played, fields_of, play_tools
from tasks.models import Task
from tests.runs.tiny import Tiny


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Tiny(tmp_path).task


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "profile", "tools", "limits"),
    [
        (
            "code",
            "ide-bench",
            ("list_dir", "grep_search", "edit_file", "run_terminal_cmd", ""),
            (3600, 100, None, None),
        ),
        ("remove", "breakpoint", ("list_directory", "search_code", "", "", "submit_attempt"), (3600, 100, 16, 4)),
        ("discovery", "breakpoint", ("list_directory", "search_code", "", "", "replace_function"), (3600, 100, 16, 4)),
        (
            "pull_request",
            "pull-request",
            ("list_directory", "search_code", "write_file", "run_tests", "submit_patch"),
            (600.0, 20, None, None),
        ),
    ],
)  # fmt: skip
def test_each_mode_has_its_tools_and_limits(
    task: Task, mode: str, profile: str, tools: tuple[str, ...], limits: tuple[Any, ...]
) -> None:
    task.mode = mode
    found = play_tools(task)
    assert found.profile == profile
    assert (found.listing, found.searching, found.writing, found.testing, found.submitting) == tools
    assert tuple(found.limits.values()) == limits
    assert can_be_played(task)


@pytest.mark.django_db
def test_settings_of_the_agent_person_replace_those_of_the_profile(task: Task) -> None:
    Agent.objects.create(
        slug="person", name="Person", kind="person", settings={"tools": "shell", "iterations": 3}
    )
    found = play_tools(task)
    assert (list(found.tools), found.limits["iterations"], found.idle_seconds) == (
        ["run_terminal_cmd"],
        3,
        1200.0,
    )


@pytest.mark.django_db
def test_workflows_and_tasks_without_a_proof_are_not_played(task: Task) -> None:
    task.admitted = False
    assert not can_be_played(task)
    task.mode = "workflow"
    assert not can_be_played(task)
    with pytest.raises(ConfigurationError, match="people play tasks of the modes"):
        play_tools(task)


def test_every_argument_of_every_tool_has_a_field() -> None:
    for tool in TOOLS.values():
        names = set(tool.parameters()["properties"]) - {"explanation"}
        assert {field.name for field in fields_of(tool)} == names
    kinds = {field.name: field.kind for field in fields_of(TOOLS["grep_search"])}
    assert kinds == {
        "pattern": "line", "path": "line", "include": "lines", "exclude": "lines", "case_sensitive": "flag",
        "multiline": "flag",
    }  # fmt: skip


def test_a_form_becomes_a_call() -> None:
    sent = {
        "arg_pattern": " x ", "arg_path": "", "arg_include": "*.py\r\n\r\n *.c ", "arg_multiline": "yes",
        "arg_explanation": "  ", "arg_odd": "ignored",
    }  # fmt: skip
    assert call_of(TOOLS["grep_search"], sent) == {
        "name": "grep_search",
        "arguments": {
            "explanation": EXPLANATION,
            "pattern": " x ",
            "include": ["*.py", "*.c"],
            "multiline": True,
        },
    }


@pytest.mark.parametrize(
    ("tool", "sent", "arguments"),
    [
        ("read_file", {"arg_path": "a", "arg_offset": "12"}, {"path": "a", "offset": 12}),
        ("read_file", {"arg_path": "a", "arg_offset": "first"}, {"path": "a", "offset": "first"}),
        ("run_terminal_cmd", {"arg_command": "a\r\nb", "arg_timeout": "1.5"}, {"command": "a\nb", "timeout": 1.5}),
        ("edit_file", {"arg_path": "a", "arg_operations": '[{"type": "DELETE"}]'},
         {"path": "a", "operations": [{"type": "DELETE"}]}),
        ("edit_file", {"arg_path": "a", "arg_operations": "["}, {"path": "a", "operations": "["}),
        ("search_replace", {"arg_path": "a", "arg_old": "x"}, {"path": "a", "old": "x", "new": ""}),
    ],
)  # fmt: skip
def test_values_have_their_types_and_mistakes_are_left_to_the_tool(
    tool: str, sent: dict[str, str], arguments: dict[str, Any]
) -> None:
    made = call_of(TOOLS[tool], {**sent, "arg_explanation": "Why."})["arguments"]
    assert made == {"explanation": "Why.", **arguments}
