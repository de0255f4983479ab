"""What a tool call is for."""

from __future__ import annotations

from typing import Any

import pytest

from runs.analysis.trajectories.kinds import called, command_of, kind_of, only_looks, paths_of, phase_of


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("read_file", "read"),
        ("list_dir", "read"),
        ("grep_search", "search"),
        ("search_replace", "edit"),
        ("run_terminal_cmd", "run"),
        ("api_call", "run"),
        ("create_diagram", "other"),
        ("Read", "read"),
        ("Glob", "search"),
        ("MultiEdit", "edit"),
        ("str_replace_based_edit_tool", "edit"),
        ("str_replace_based_edit_tool view", "read"),
        ("mcp__fs__str_replace_editor create", "edit"),
        ("str_replace_editor look", "other"),
        ("Bash view", "other"),
        ("apply_patch", "edit"),
        ("mcp__shell__exec_command", "run"),
        ("Bash", "run"),
        ("TodoWrite", "other"),
        ("", "other"),
    ],
)
def test_tools_of_other_agents_have_a_kind_too(tool: str, kind: str) -> None:
    assert kind_of(tool) == kind


@pytest.mark.parametrize(
    ("tool", "command", "name", "kind"),
    [
        ("str_replace_based_edit_tool", "view", "str_replace_based_edit_tool view", "read"),
        ("str_replace_editor", "view", "str_replace_editor view", "read"),
        ("editor", "view", "editor view", "read"),
        ("str_replace_editor", "create", "str_replace_editor create", "edit"),
        ("str_replace_editor", "str_replace", "str_replace_editor str_replace", "edit"),
        ("str_replace_editor", "insert", "str_replace_editor insert", "edit"),
        ("str_replace_editor", "undo_edit", "str_replace_editor undo_edit", "edit"),
        ("str_replace_editor", "look around", "str_replace_editor", "edit"),
        ("str_replace_editor", ["view"], "str_replace_editor", "edit"),
        ("str_replace_editor", None, "str_replace_editor", "edit"),
        ("Bash", "view", "Bash", "run"),
    ],
)
def test_an_editor_does_what_its_command_says(tool: str, command: Any, name: str, kind: str) -> None:
    assert called(tool, {"command": command, "path": "a.py"}) == name
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("cat src/a.py", True),
        ("cd /app && grep -rn 'a; b' . | head -5", True),
        ("git log --oneline", True),
        ("sed -n 1,20p a.py 2>/dev/null", True),
        ("find . -name '*.c'", True),
        ("cat a.py 2>&1 | tail", True),
        ("", False),
        ("cd /app", False),
        ("pytest -q", False),
        ("cat a.py; make test", False),
        ("sed -i s/a/b/ a.py", False),
        ("echo hello > a.txt", False),
        ("cat a.py > b.py", False),
        ("git commit -am done", False),
        ("find . -name '*.o' -delete", False),
        ("cat 'unbalanced", True),
    ],
)
def test_a_command_only_looks_when_all_its_parts_do(command: str, looks: bool) -> None:
    assert only_looks(command) is looks


def test_a_shell_explores_changes_and_verifies() -> None:
    assert phase_of("run", "ls -l", edited=False) == "exploration"
    assert phase_of("run", "sed -i s/a/b/ a.py", edited=True) == "implementation"
    assert phase_of("run", "make test", edited=False) == "verification"
    assert phase_of("run", "", edited=False) == "verification"
    assert phase_of("read", "", edited=True) == "exploration"


@pytest.mark.parametrize(
    ("kind", "arguments", "paths"),
    [
        ("read", {"path": "/app/src/../a.py"}, ("a.py",)),
        ("edit", {"file_path": "./b.py"}, ("b.py",)),
        ("read", {"path": "/app"}, (".",)),
        ("read", {"path": "/etc/passwd"}, ("/etc/passwd",)),
        ("read", {"path": 7}, ()),
        ("run", {"command": "cd src && cat /app/a.py b.py | head -20"}, ("a.py", "b.py")),
        ("run", {"command": "sed -n '1,5p' c.py"}, ("c.py",)),
        ("run", {"command": ["bash", "-lc", "cat d.py"]}, ("d.py",)),
        ("run", {"command": "cat e.py 2>&1 | tail -3"}, ("e.py",)),
        ("run", {"command": "grep -n x e.py"}, ()),
    ],
)
def test_a_call_names_files_relative_to_the_workspace(
    kind: Any, arguments: dict[str, Any], paths: tuple[str, ...]
) -> None:
    assert paths_of(kind, arguments) == paths


def test_a_command_may_be_a_list_of_words() -> None:
    assert command_of({"cmd": ["make", "test"]}) == "make test"
    assert command_of({"command": ["bash", "-lc", "make test"]}) == "make test"
    assert command_of({"path": "a"}) == ""
