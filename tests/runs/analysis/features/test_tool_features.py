"""The tools that an agent used."""

from __future__ import annotations

import pytest

from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import (
    Move,
    call,
    changed,
    edit,
    missed,
    read,
    say,
    shell,
)


@pytest.mark.parametrize(
    ("move", "replaced", "wrote"),
    [
        (edit("a.py"), 1, 0),
        (missed("a.py"), 1, 0),
        (call("write_file", path="a.py"), 0, 1),
        (call("mcp__fs__Write", path="a.py"), 0, 1),
        (call("str_replace_based_edit_tool", command="create"), 0, 1),
        (call("str_replace_based_edit_tool", command="str_replace"), 1, 0),
        (call("str_replace_based_edit_tool", command="view"), 0, 0),
        (call("replace_in_file", path="a.py"), 1, 0),
        (call("shell", command=["apply_patch", "*** Begin Patch"]), 1, 0),
        (call("developer__text_editor", command="write"), 0, 1),
        (call("delete_file", path="a.py"), 0, 0),
        (shell("sed -i s/x/y/ a.py", changed("a.py")), 0, 0),
    ],
)
def test_edits_are_of_a_part_or_of_the_whole(move: Move, replaced: float, wrote: float) -> None:
    run = counted(move)
    assert (run["used_str_replace"], run["used_write_file"]) == (replaced, wrote)


@pytest.mark.parametrize(
    ("command", "ran"),
    [
        ("python -m pytest -q", 1),
        ("cd src && PYTHONPATH=. python3 -m unittest discover", 1),
        ("npm run test:unit", 1),
        ("make -C src check", 1),
        ("./gradlew :app:test", 1),
        ("go test ./...", 1),
        ("pip install pytest", 0),
        ("cat pytest.ini", 0),
        ("make all", 0),
        ("echo latest", 0),
    ],
)
def test_tests_are_run_by_name(command: str, ran: float) -> None:
    assert counted(shell(command))["ran_tests"] == ran


@pytest.mark.parametrize(
    ("last", "submitted"),
    [
        (say("Done."), 1),
        (say(" "), 0),
        (read("a.py"), 0),
        (call("submit_patch"), 1),
        (shell("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"), 1),
    ],
)
def test_a_run_ends_by_itself_or_not(last: Move, submitted: float) -> None:
    assert counted(read("a.py"), last)["submitted"] == submitted
