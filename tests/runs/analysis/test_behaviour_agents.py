"""Runs in the manner of several agents, each with what has to be counted of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from runs.analysis.behaviour import behaviour_of
from runs.analysis.facts import Behaviour
from runs.analysis.trajectories.edit_attempts import edit_attempts
from runs.analysis.trajectories.trace import Exercise
from runs.analysis.trajectories.verdict import RunVerdict
from tests.runs.analysis.made_traces import Move, call, changed, say, together, trace

FILES = ("src/a.py", "src/b.py", "src/c.py", "tests/test_a.py", "README.md")
PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch"


def counted(*moves: Move, ending: str = "completed") -> Behaviour:
    exercise = Exercise("Mend the parser of tides.", files=FILES)
    return behaviour_of(trace(*moves), exercise, RunVerdict(False, ending, (), iteration_limit=100))


def with_(move: Move, *paths: str) -> Move:
    """The move, after which these files are changed."""
    return Move(move.calls, tuple(map(changed, paths)), move.message)


def bash(command: str) -> Move:
    return call("bash", command=command)


CLAUDE_CODE = (
    together(call("Read", file_path="/app/src/a.py"), call("Grep", pattern="tide", path="/app/src/b.py")),
    call("TodoWrite", todos=[{"content": "mend"}]),
    with_(call("Edit", file_path="/app/src/a.py", old_string="a", new_string="b"), "src/a.py"),
    call("Edit", False, "String not found", file_path="/app/src/b.py"),
    call("Bash", command="cd /app && timeout 60 python -m pytest -q", description="Run the tests"),
    say("Done."),
)
CODEX = (
    call("exec_command", cmd="rg -n tide", workdir="/app"),
    call("exec_command", cmd="sed -n '1,200p' a.py && cat b.py", workdir="/app/src"),
    call("shell", command=["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]),
    with_(call("shell", command=["apply_patch", PATCH]), "src/a.py"),
    call("exec_command", cmd="pytest -q"),
    say("Done."),
)
MINI = (
    bash("ls -la && cat README.md"),
    bash("cd src && cat a.py"),
    with_(bash("sed -i 's/a/b/' src/a.py"), "src/a.py"),
    with_(bash("cat <<'EOF' > src/b.py\nb = 1\nEOF"), "src/b.py"),
    with_(bash("python -c \"open('src/c.py','w').write('c')\""), "src/c.py"),
    bash("python -m pytest"),
    bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
)
GEMINI = (
    call("read_many_files", paths=["src/a.py"]),
    call("search_file_content", pattern="tide"),
    with_(call("replace", file_path="/app/src/a.py", old_string="a", new_string="b"), "src/a.py"),
    call("run_shell_command", command="npm run test:unit", description="Test it"),
)
PARALLEL = (
    together(*(call("read_file", path=path) for path in FILES)),
    Move(
        together(call("edit_file", path="src/a.py"), call("edit_file", path="src/b.py")).calls,
        (changed("src/a.py"), changed("src/b.py")),
    ),
    together(call("run_terminal_cmd", command="pytest"), call("read_file", path="src/a.py")),
)
TALKER = (say("I think that the parser is at fault."), say("It is mended."))
LOOPING = tuple(call("Bash", command="ls", description=f"Look, {n}") for n in range(4))
CUT_OFF = (call("read_file", path="src/a.py"), call("edit_file", None, path="src/a.py"))
BUILDER = (
    with_(call("Bash", command="sed -i s/a/b/ src/a.py"), "src/a.py"),
    Move(call("Bash", command="make -s test").calls, (changed("a.d", change="added", added=60),)),
    Move(call("Bash", command="make -s test").calls, (changed("a.d"),)),
)


@pytest.mark.parametrize(
    ("moves", "labels", "features"),
    [
        (
            CLAUDE_CODE,
            "eepnee",
            {"exploration_steps": 2, "implementation_steps": 2, "verification_steps": 1, "files_explored": 1,
             "ran_tests": 1, "followed_read_before_write": 1, "followed_test_after_change": 1, "submitted": 1,
             "tool_errors_count": 1, "used_str_replace": 1},
        ),
        (
            CODEX,
            "eenpee",
            {"exploration_steps": 2, "implementation_steps": 2, "verification_steps": 1, "files_explored": 2,
             "ran_tests": 1, "followed_read_before_write": 1, "used_str_replace": 1},
        ),
        (
            MINI,
            "eepppee",
            {"exploration_steps": 2, "implementation_steps": 3, "verification_steps": 2, "files_explored": 2,
             "ran_tests": 1, "followed_read_before_write": 1, "submitted": 1, "used_write_file": 0},
        ),
        (GEMINI, "eepe", {"exploration_steps": 2, "implementation_steps": 1, "verification_steps": 1, "ran_tests": 1}),
        (
            PARALLEL,
            "epe",
            {"exploration_steps": 6, "implementation_steps": 2, "verification_steps": 1, "files_explored": 5,
             "submitted": 0},
        ),
        (TALKER, "ee", {"total_tool_calls": 0, "exploration_pct": None, "submitted": 1, "trajectory_length": 2}),
        (LOOPING, "eeee", {"stuck_episodes": 1, "max_stuck_duration": 4, "max_repetition": 4}),
        (CUT_OFF, "ee", {"implementation_steps": 1, "submitted": 0, "tool_errors_count": 0}),
        (BUILDER, "pee", {"implementation_steps": 1, "verification_steps": 2, "followed_test_after_change": 1}),
    ],
    ids=["claude-code", "codex", "mini", "gemini", "parallel", "talker", "looping", "cut-off", "builder"],
)  # fmt: skip
def test_each_agent_is_counted_by_what_it_does(
    moves: tuple[Move, ...], labels: str, features: Mapping[str, Any]
) -> None:
    found = counted(*moves)

    assert found.labels == labels
    assert {name: found.features[name] for name in features} == features


def test_signs_do_not_depend_on_how_an_agent_edits() -> None:
    # One file read before the first attempt, whatever the tool.
    assert counted(*CLAUDE_CODE).signs.found["premature_editing"] == (3,)
    assert counted(*CODEX).signs.found["premature_editing"] == (3,)
    assert counted(*MINI).signs.found["premature_editing"] == (3,)
    assert "premature_editing" not in counted(*PARALLEL).signs.found
    assert counted(*LOOPING).signs.found["stuck_in_loop"] == (1, 2, 3, 4)
    assert "large_risky_edits" not in counted(*BUILDER).signs.found
    assert counted(*CUT_OFF, ending="token_limit").signs.found["no_submission"] == (2,)


@pytest.mark.parametrize(
    "moves", [CLAUDE_CODE, CODEX, MINI, GEMINI, PARALLEL, TALKER, LOOPING, CUT_OFF, BUILDER]
)
def test_an_iteration_explores_where_nothing_attempts_an_edit(moves: tuple[Move, ...]) -> None:
    tried = {attempt.iteration for attempt in edit_attempts(trace(*moves))}

    assert [letter != "e" for letter in counted(*moves).labels] == [
        number in tried for number in range(1, len(moves) + 1)
    ]


def test_making_a_directory_attempts_no_edit_unless_it_is_refused() -> None:
    assert counted(call("create_directory", path="new")).labels == "e"
    assert counted(call("create_directory", False, "it is a file", path="new")).labels == "n"


def test_a_search_in_a_file_does_not_show_it() -> None:
    searched = call("grep_search", pattern="a", path="src/a.py")
    edited = with_(call("edit_file", path="src/a.py"), "src/a.py")

    assert counted(searched, edited).features["followed_read_before_write"] == 0
    assert counted(call("read_file", path="src/a.py"), edited).features["followed_read_before_write"] == 1
