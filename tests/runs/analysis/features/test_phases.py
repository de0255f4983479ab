"""The phases of calls, and their order."""

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
    together,
)


def test_each_call_is_a_step_of_a_phase() -> None:
    # Two reads, a search by shell, an edit, a test run; a note of no phase: 3, 1, 1 of 6 calls.
    run = counted(
        together(read("src/a.py"), read("src/b.py")),
        shell("grep -rn x ."),
        call("TodoWrite"),
        edit("src/a.py"),
        shell("pytest"),
        say(),
    )
    assert [run[f"{phase}_steps"] for phase in ("exploration", "implementation", "verification")] == [3, 1, 1]
    assert [run[f"{phase}_pct"] for phase in ("exploration", "implementation", "verification")] == [
        3 / 6,
        1 / 6,
        1 / 6,
    ]
    # exploration → implementation → verification; the note is passed over.
    assert run["phase_transitions"] == 2
    # 1 edit ÷ 3 explorations
    assert run["edit_to_explore_ratio"] == 1 / 3


@pytest.mark.parametrize(
    ("moves", "followed"),
    [
        ([read("src/a.py"), edit("src/a.py")], 1),
        ([shell("cat src/a.py"), shell("sed -i s/x/y/ src/a.py", changed("src/a.py"))], 1),
        ([read("src/b.py"), edit("src/a.py")], 0),
        ([edit("src/a.py"), read("src/a.py")], 0),
        ([together(edit("src/a.py"), read("src/a.py"))], 0),
        ([together(read("src/a.py"), edit("src/a.py"))], 1),
        ([call("read_file", ok=False, path="src/a.py"), edit("src/a.py")], 0),
        ([edit("new.py", change="added")], None),
        ([read("src/a.py")], None),
    ],
)
def test_a_file_was_read_before_it_was_written(moves: list[Move], followed: float | None) -> None:
    assert counted(*moves)["followed_read_before_write"] == followed


@pytest.mark.parametrize(
    ("moves", "followed"),
    [
        ([edit("src/a.py"), shell("./try.sh")], 1),
        ([together(edit("src/a.py"), shell("pytest"))], 1),
        ([together(shell("pytest"), edit("src/a.py"))], 0),
        ([shell("pytest"), edit("src/a.py")], 0),
        ([missed("src/a.py"), shell("pytest")], None),
        # A build leaves files behind, and tests all the same.
        ([edit("src/a.c"), shell("make test", changed("a.o", binary=True))], 1),
    ],
)
def test_something_was_run_after_a_change(moves: list[Move], followed: float | None) -> None:
    assert counted(*moves)["followed_test_after_change"] == followed
