"""What an agent does: phases, exploration, trajectory, errors, tools, and the size of its patch."""

from __future__ import annotations

import pytest

from runs.analysis.features import features
from runs.analysis.trajectories.trace import Exercise
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
    trace,
)

REFERENCE = (
    b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+z\n"
)
EXERCISE = Exercise("", REFERENCE, b"", ("src/a.py", "src/b.py", "README.md"))


def counted(*moves: Move, exercise: Exercise = EXERCISE) -> dict[str, float | None]:
    return dict(features(trace(*moves), exercise))


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


def test_exploration_is_what_was_shown() -> None:
    run = counted(
        call("list_dir", path="src"),
        call("grep_search", pattern="x", path="README.md"),
        read("src/b.py"),
        call("read_file", ok=False, path="src/a.py"),
        shell("cat src/a.py README.md nothing.py"),
        read("src/a.py"),
    )
    assert run["files_explored"] == 3  # b, a, README; a failed read and a file that is not there show nothing
    assert run["directories_explored"] == 2  # src and the root
    assert run["relevant_file_discovery_step"] == 5
    # The reference's files that could be read: a. 1 of 3; 3 − 1 = 2 wasted.
    assert run["exploration_efficiency"] == 1 / 3
    assert run["wasted_explorations"] == 2
    assert run["search_to_read_ratio"] == 1 / 4  # one search; four calls that read, the failed one too
    assert run["read_relevant_files"] == 1


def test_exploring_nothing_has_no_efficiency() -> None:
    run = counted(call("list_dir"), shell("find . -name '*.py'"))
    assert [run[name] for name in ("files_explored", "directories_explored", "wasted_explorations")] == [
        0,
        1,
        0,
    ]
    assert [run[name] for name in ("exploration_efficiency", "search_to_read_ratio")] == [None, None]
    assert [run[name] for name in ("relevant_file_discovery_step", "read_relevant_files")] == [None, 0]


def test_a_reference_that_only_adds_files_makes_none_relevant() -> None:
    adding = b"--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+z\n"
    run = counted(read("src/a.py"), exercise=Exercise("", adding, b"", ("src/a.py",)))
    assert run["exploration_efficiency"] is None
    assert run["read_relevant_files"] is None
    assert run["optimal_length"] == 3


def test_efficiency_is_at_most_one() -> None:
    # Two files: 2 · 2 + 1 = 5 actions. Two calls and a final response are 3 actions: 5 ÷ 3, cut at 1.
    short = counted(read("src/a.py"), edit("src/a.py"), say())
    names = ("trajectory_length", "optimal_length", "trajectory_efficiency", "unnecessary_steps")
    assert [short[name] for name in names] == [3, 5, 1, 0]
    # Ten calls in five steps, and no final response: 5 ÷ 10, 5 too many.
    long = counted(*[together(read("src/a.py"), read("src/b.py"))] * 5)
    assert [long[name] for name in names] == [10, 5, 0.5, 5]


def test_errors_and_what_came_after() -> None:
    run = counted(
        missed("src/a.py"),
        call("read_file", ok=False, path="x"),
        call("run_terminal_cmd", content="exit code 2 after 0.1 s\nno rule", command="make"),
        call("run_terminal_cmd", content="Exit code: 1", command="make"),
        call("run_terminal_cmd", None, command="make"),
        call("run_terminal_cmd", content="exit code 0 after 0.1 s", command="make"),
        read("src/a.py"),
    )
    # Two refusals, two commands that failed; the one without a result does not count.
    assert [run["total_errors"], run["tool_errors_count"]] == [4, 2]
    # The read and both commands worked later, the replacement never: 3 of 4.
    assert [run["recovered_errors"], run["recovery_rate"]] == [3, 0.75]
    assert counted(read("src/a.py"))["recovery_rate"] is None


def test_alike_are_calls_that_differ_in_their_reason_alone() -> None:
    rows = [read("a", explanation="Look."), read("a", explanation="Look again."), read("a")]
    run = counted(*rows, read("b"), *rows, read("a"), read("a"))
    # aaa b aaaaa: two rows of three or more, the longest of five; eight calls alike.
    assert [run[name] for name in ("stuck_episodes", "max_stuck_duration", "max_repetition")] == [2, 5, 8]
    calm = counted(read("a"), read("a"), read("b"))
    assert [calm[name] for name in ("stuck_episodes", "max_stuck_duration", "max_repetition")] == [0, 0, 2]


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


def test_the_size_of_the_patch() -> None:
    patch = b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,3 @@\n-x\n+1\n+2\n y\n--- a/b\n+++ b/b\n@@ -1 +0,0 @@\n-z\n"
    run = counted(read("src/a.py"), edit("src/a.py"), say(), exercise=Exercise("", REFERENCE, patch))
    assert [run["lines_added"], run["lines_removed"], run["patch_too_large"]] == [2, 2, 0]
    assert run["correct_files_touched"] == 1
    assert run["steps_per_file"] == 3 / 2
    long = b"--- /dev/null\n+++ b/c\n@@ -0,0 +1,%d @@\n"
    for lines, large in ((500, 0), (501, 1)):
        exercise = Exercise("", None, long % lines + b"+x\n" * lines)
        assert counted(exercise=exercise)["patch_too_large"] == large


def test_the_first_correct_edit() -> None:
    assert counted(edit("src/b.py"), missed("src/a.py"), edit("src/a.py"))["first_correct_edit"] == 3
    assert counted(edit("src/b.py"))["first_correct_edit"] is None
