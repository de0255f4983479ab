"""Python syntax errors in a run."""

from __future__ import annotations

from harness.tools.inside.protocol import SYNTAX_REFUSAL
from runs.analysis.trajectories.syntax_errors import SyntaxErrors, leaves_broken, syntax_errors
from tests.runs.analysis.made_traces import Move, changed, edit, missed, read, shell, together, trace


def breaks(path: str = "a.py") -> Move:
    return edit(path, syntax_ok=False)


def mends(path: str = "a.py") -> Move:
    return edit(path, syntax_ok=True)


def refused(path: str = "a.py") -> Move:
    return missed(path, f"{SYNTAX_REFUSAL} to {path}: line 2: invalid syntax. Correct the edit and repeat it")


def test_an_error_is_introduced_once_and_fixed_by_the_edit_after_which_the_file_parses() -> None:
    found = syntax_errors(trace(breaks(), breaks(), mends(), mends(), breaks()))
    assert found == SyntaxErrors(introduced=2, blocked=0, fixed=1, left_broken=3)


def test_each_refusal_is_blocked_and_the_error_is_fixed_once() -> None:
    found = syntax_errors(trace(refused(), refused(), mends(), refused("b.py")))
    assert found == SyntaxErrors(introduced=0, blocked=3, fixed=1, left_broken=0)


def test_other_refusals_and_files_that_are_not_checked_count_nothing() -> None:
    found = syntax_errors(trace(missed("a.py"), edit("a.js"), read("a.py"), mends()))
    assert found == SyntaxErrors(0, 0, 0, 0)


def test_commands_introduce_errors_too_and_a_deleted_file_has_none() -> None:
    broken = changed("a.py", syntax_ok=False)
    gone = changed("a.py", change="deleted")
    found = syntax_errors(trace(shell("sed -i s/1/(/ a.py", broken), shell("rm a.py", gone)))
    assert found == SyntaxErrors(introduced=1, blocked=0, fixed=1, left_broken=1)


def test_in_one_step_refusals_come_first() -> None:
    assert syntax_errors(trace(together(refused(), mends()))) == SyntaxErrors(0, 1, 1, 0)


def test_an_iteration_that_also_changes_a_sound_file_is_not_left_broken() -> None:
    made = trace(together(breaks("a.py"), mends("b.py")), breaks(), read("a.py"))
    assert [leaves_broken(iteration) for iteration in made.iterations] == [False, True, False]
