"""Commands of verifiers, on this host."""

from __future__ import annotations

from tests.harness.grading.verifiers.conftest import Run


def test_a_command_sees_the_workspace_as_the_agent_left_it_and_no_hidden_file(run: Run) -> None:
    patch = run.patch(new_dot_txt="new\n", conftest_dot_py="# the agent's\n", README_dot_md=None)
    ran = run.bench(patch).run("ls; cat new.txt; ls hidden 2>&1 || true; echo found > $RESULTS_DIR/a.txt")
    assert ran.command.exit_code == 0
    assert "conftest.py" in ran.command.output
    assert "new\n" in ran.command.output
    assert "README.md" not in ran.command.output
    assert "test_negatives" not in ran.command.output
    assert (ran.files, ran.trouble) == ({"a.txt": b"found\n"}, "")


def test_a_command_that_hangs_is_stopped(run: Run) -> None:
    ran = run.bench(seconds=1.0).run("echo begun; sleep 60")
    assert ran.command.exit_code is None
    assert ran.command.output == "begun\n"
    assert ran.trouble == "the command was stopped after 1 s"


def test_a_failure_before_a_pipe_is_a_failure(run: Run) -> None:
    assert run.bench().run("false | cat").command.exit_code == 1


def test_hidden_tests_run_without_reference_files(run: Run) -> None:
    tests = {"hidden/test_a.py": "x\n", "expected/digits.py": "y\n"}
    command = (
        "ls hidden expected 2>&1; echo '1..1' > $RESULTS_DIR/r.tap; echo 'ok 1 - it' >> $RESULTS_DIR/r.tap"
    )
    ran = run.with_tests(tests).bench().run_tests(command, "tap", frozenset({"expected/digits.py"}))
    assert "test_a.py" in ran.command.output
    assert "digits.py" not in ran.command.output
    assert [result.id for result in ran.results] == ["it"]
