"""What crosses from the agent to the grade, and how the grade is made."""

from __future__ import annotations

import pytest

from harness.dataset import Repository, Task
from harness.errors import AgentError, InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import ContainerUse, Engine, Owner, Workspace
from tests.harness.conformance.rig import LIMITS, Grade, Promises, raw, shell
from tests.harness.worlds import SOLUTION, SOURCE

# Prints each file and link of the tree it runs in: path, kind and executable bit, content.
LISTING = r"""python3 -I -c '
import os
for top, directories, files in os.walk("."):
    directories[:] = [d for d in directories if d not in (".git", "build", "__pycache__")]
    for name in files + [d for d in directories if os.path.islink(os.path.join(top, d))]:
        path = os.path.join(top, name)
        if os.path.islink(path):
            print("%r link %r" % (path, os.readlink(path)))
        else:
            content = open(path, "rb").read()
            print("%r %s %r" % (path, "x" if os.access(path, os.X_OK) else "-", content))
' | LC_ALL=C sort"""


class Grading(Promises):
    """The changes as the engine reads them, and the test run in a clean container."""

    # What crosses from the agent to the grade

    def test_an_untouched_workspace_has_no_changes(self, workspace: Workspace) -> None:
        shell(workspace, "touch README.md; python3 -m calc '1 + 2'; git gc -q; cat calc/*.py")
        changes = workspace.changes()
        assert (changes.before, changes.after) == ((), ())
        assert changes.ignored == (".git", "calc/__pycache__")

    def test_changes_show_each_path_before_and_after(self, workspace: Workspace) -> None:
        shell(
            workspace,
            "printf 'x\\000\\377' > new.bin; rm README.md; chmod +x calc/digits.py; ln -s /etc there",
        )
        changes = workspace.changes()
        readme, digits = SOURCE["README.md"].encode(), SOURCE["calc/digits.py"].encode()
        assert changes.before == (
            FileState("README.md", readme),
            FileState("calc/digits.py", digits),
            FileState("new.bin", None),
            FileState("there", None),
        )
        assert changes.after == (
            FileState("README.md", None),
            FileState("calc/digits.py", digits, 0o755),
            FileState("new.bin", b"x\0\xff"),
            FileState("there", b"/etc", link=True),
        )

    def test_the_agents_own_ignore_rules_and_git_have_no_say(self, workspace: Workspace) -> None:
        shell(
            workspace,
            "echo '*' > .gitignore; rm -rf .git; echo 1 > hidden.txt; mkdir build; echo 2 > build/out",
        )
        changes = workspace.changes()
        assert [file.path for file in changes.after] == [".gitignore", "hidden.txt"]
        assert changes.ignored == ("build",)

    def test_reading_the_changes_ends_what_runs_and_refuses_what_follows(self, workspace: Workspace) -> None:
        raw(workspace, "(while :; do date >> clock.txt; sleep 0.01; done) & sleep 0.1")
        first = workspace.changes()
        assert [file.path for file in first.after] == ["clock.txt"]
        with pytest.raises(InfrastructureError, match="ended when its changes were read"):
            shell(workspace, "true")
        assert workspace.changes() == first

    def test_changes_too_big_to_store_name_the_biggest_file(self, workspace: Workspace) -> None:
        shell(workspace, "truncate -s 3G huge.bin; echo small > small.txt")
        with pytest.raises(AgentError, match=r"huge\.bin with 3221225472 bytes"):
            workspace.changes()

    def test_a_workspace_arrives_in_the_grader_as_it_was_left(
        self, workspace: Workspace, grade: Grade
    ) -> None:
        shell(
            workspace,
            "rm -r tests; echo file > tests; "  # a directory turns into a file
            "rm calc/digits.py; mkdir calc/digits.py; echo deep > calc/digits.py/deep; "  # and a file into a directory
            "mv calc/sums.py 'calc/a name'; ln -s . 'calc/lïnk'; printf '\\000\\001\\377' > bin; "
            "printf '#!/bin/sh\\n' > run; chmod 755 run; ln bin twin; printf x > \"$(printf 'two\\nlines')\"; "
            "rm -r calc/__main__.py; ln -s calc dir-link; : > empty; mkfifo pipe; rm pipe",
        )
        expected = shell(workspace, LISTING)
        result, _ = grade(LISTING, files=workspace.changes().after)
        assert (result.exit_code, result.output.strip()) == (0, expected)

    # The grade

    def test_hidden_tests_fail_untouched_and_pass_with_the_solution(
        self, engine: Engine, repository: Repository, task: Task, owner: Owner
    ) -> None:
        solution = [FileState(path, text.encode()) for path, text in SOLUTION.items()]
        with engine.grader(repository, ContainerUse(owner, LIMITS)) as grader:
            options = {
                "tests": list(task.tests.files()),
                "script": repository.run_tests,
                "task": task.slug,
                "timeout": 60,
            }
            untouched, _ = grader.run(files=(), **options)  # type: ignore[arg-type]
            solved, results = grader.run(files=solution, **options)  # type: ignore[arg-type]
        assert (untouched.exit_code, untouched.output) == (1, "8 tests, 1 failures, 4 errors\n")
        assert (solved.exit_code, solved.output) == (0, "8 tests, 0 failures, 0 errors\n")
        assert list(results) == ["junit.xml"]
        assert results["junit.xml"].count(b"<testcase ") == 8

    def test_hidden_tests_win_over_the_agents_files(self, grade: Grade) -> None:
        left = [
            FileState("hidden", b"/etc", link=True),
            FileState("same.txt", b"agent's"),
            FileState("calc/sums.py", None),
            FileState("README.md", None),
        ]
        tests = {"hidden/passwd": "ours", "same.txt": "ours", "calc/sums.py": "ours"}
        script = "cat hidden/passwd same.txt calc/sums.py; ls; readlink hidden; exit 0"
        result, _ = grade(script, files=left, tests=tests)
        assert result.output == "oursoursourscalc\nhidden\nsame.txt\ntests\n"

    def test_a_test_run_past_its_time_is_killed_and_has_no_exit_code(self, grade: Grade) -> None:
        script = "echo begun; echo partial > $RESULTS_DIR/a; sleep 60 & sleep 60"
        result, results = grade(script, timeout=1.0)
        assert (result.exit_code, result.output, results) == (None, "begun\n", {"a": b"partial\n"})
        assert 1.0 <= result.seconds < 10.0

    def test_both_streams_are_shown_in_the_order_in_which_they_were_written(self, grade: Grade) -> None:
        text = "for i in $(seq 300); do echo out $i; echo error $i >&2; done"
        result, _ = grade(text)
        assert result.output.splitlines() == [
            f"{name} {i}" for i in range(1, 301) for name in ("out", "error")
        ]

    def test_endless_output_is_cut_in_the_middle_and_bad_bytes_are_replaced(self, grade: Grade) -> None:
        text = "printf 'first \\377\\n'; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last"
        result, _ = grade(text)
        assert result.output.startswith("first \ufffd\nxxx")
        assert result.output.endswith("xxx\nlast\n")
        assert "bytes left out]" in result.output
        assert len(result.output) < 1_100_000

    def test_results_are_regular_files_only(self, grade: Grade) -> None:
        text = "cd $RESULTS_DIR; ln -s /etc/passwd link; ln -s / root; mkfifo pipe; mkdir sub; echo 1 > sub/report.xml"
        _, results = grade(text)
        assert results == {"sub/report.xml": b"1\n"}
