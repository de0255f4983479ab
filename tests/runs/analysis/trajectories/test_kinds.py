"""What a tool call is for."""

from __future__ import annotations

from typing import Any

import pytest

from runs.analysis.trajectories.kinds import called, command_of, kind_of, lists, paths_of, phase_of


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
        ("list_directory", "read"),
        ("search_code", "search"),
        ("list_file_functions", "read"),
        ("read_function", "read"),
        ("str_replace", "edit"),
        ("Execute", "run"),
        ("FetchUrl", "search"),
        ("submit_attempt", "edit"),
        ("replace_function", "edit"),
        ("run_tests", "run"),
        ("submit_patch", "other"),
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
        ("execute_bash", "run"),
        ("shell_command", "run"),
        ("command_execution", "run"),
        ("file_change", "edit"),
        ("newFileCreated", "edit"),
        ("listFilesTopLevel", "read"),
        ("run_terminal", "run"),
        ("file_editor view", "read"),
        ("file_editor str_replace", "edit"),
        ("functions.shell", "run"),
        ("run_in_terminal", "run"),
        ("ReadFile", "read"),
        ("read_many_files", "read"),
        ("search_file_content", "search"),
        ("replace", "edit"),
        ("write_to_file", "edit"),
        ("replace_string_in_file", "edit"),
        ("developer__text_editor write", "edit"),
        ("", "other"),
        ("apply_patch " * 10_000 + "apply_patch", "other"),
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


def test_a_shell_explores_changes_and_verifies() -> None:
    assert phase_of("run", "looks", edited=True) == "exploration"
    assert phase_of("run", "acts", edited=True) == "implementation"
    assert phase_of("run", "tries", edited=True) == "implementation"
    assert phase_of("run", "acts", edited=False) == "verification"
    assert phase_of("run", "tries", edited=False) == "verification"
    assert phase_of("read", "acts", edited=True) == "exploration"
    assert phase_of("edit", "acts", edited=False) == "implementation"
    assert phase_of("other", "acts", edited=True) == "other"


def test_a_script_that_calls_other_tools_is_of_no_kind() -> None:
    name = called("exec", {"input": "text(await tools.exec_command({cmd: 'make'}))"})
    assert (name, kind_of(name)) == ("exec script", "other")
    assert kind_of(called("exec", {"cmd": "make"})) == "run"


def test_a_shell_that_is_given_a_patch_edits() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** Add File: /app/b.py\n+b\n*** End Patch"
    )
    for tool, arguments in (
        ("shell", {"command": ["apply_patch", patch]}),
        ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}\nEOF"]}),
        ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{patch}\nEOF"}),
    ):
        name = called(tool, arguments)
        assert (name, kind_of(name)) == (f"{tool} apply_patch", "edit")
        assert paths_of("edit", arguments) == ("src/a.py", "b.py")
    assert paths_of("edit", {"input": patch}) == ("src/a.py", "b.py")
    assert paths_of("edit", {"input": "*** Update File: a.py\n*** Move to: c.py\n"}) == ("a.py", "c.py")
    assert kind_of("read_file apply_patch") == "other"


@pytest.mark.parametrize(
    ("kind", "arguments", "paths"),
    [
        ("read", {"path": "/app/src/../a.py"}, ("a.py",)),
        ("edit", {"file_path": "./b.py"}, ("b.py",)),
        ("read", {"path": "/app"}, (".",)),
        ("read", {"path": "/etc/passwd"}, ("/etc/passwd",)),
        ("read", {"path": 7}, ()),
        ("run", {"command": "cd src && cat /app/a.py b.py | head -20"}, ("a.py", "src/b.py")),
        ("run", {"cmd": "cat f.py", "workdir": "/app/src"}, ("src/f.py",)),
        ("run", {"cmd": "cat ../f.py", "workdir": "src"}, ("f.py",)),
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


def test_a_command_may_be_what_a_shell_is_given() -> None:
    assert command_of({"command": "/bin/bash -lc 'make test'"}) == "make test"
    assert command_of({"command": 'bash -c "make \\"a b\\""'}) == 'make "a b"'
    for other in ("bash -lc 'make' && ls", "bash -c 'make", "bash run.sh", "/bin/bash -lc make"):
        assert command_of({"command": other}) == other


def test_a_call_may_name_files_in_a_list_of_changes() -> None:
    changes = [{"path": "/app/a.py", "kind": "update"}, {"kind": "add"}, 1]
    assert paths_of("edit", {"changes": changes}) == ("a.py",)


def test_a_listing_shows_no_file() -> None:
    assert [lists(tool) for tool in ("list_dir", "LS", "mcp__fs__directory_tree", "read_file")] == [
        True,
        True,
        True,
        False,
    ]
