"""The verifiers that run tests and builds, on this host."""

from __future__ import annotations

import pytest

from harness.dataset.verifier_kinds import BuildTask, Occurrences, RunTests
from harness.grading.verifiers.builds import check_build, check_run_tests, last_words
from harness.grading.verifiers.findings import Finding
from tests.harness.grading.verifiers.conftest import Run
from tests.harness.worlds import reference_diff


def ran_tests(run: Run, verifier: RunTests, patch: bytes = b"", *, seconds: float = 20.0) -> Finding:
    return check_run_tests(verifier, run.bench(patch, seconds=seconds), frozenset())[0]


def tap(*lines: str) -> RunTests:
    """Tests whose command writes these lines of TAP."""
    written = "; ".join(f"echo '{line}'" for line in lines)
    return RunTests("n", f"{{ {written}; }} > $RESULTS_DIR/report.tap", "tap")


class TestRunTests:
    def test_the_repositorys_script_runs_the_hidden_tests(self, run: Run) -> None:
        found = ran_tests(run, RunTests("n"), reference_diff().encode())
        assert (found.passed, found.message) == (True, "8 of 8 tests passed, none failed")
        assert "8 tests, 0 failures" in found.output

    def test_failed_tests_are_named(self, run: Run) -> None:
        found = ran_tests(run, RunTests("n"))
        assert not found.passed
        assert found.message.startswith(
            "5 of 8 tests failed: test_negatives.NegativesTest::test_largest_of_neg"
        )

    @pytest.mark.parametrize(
        ("verifier", "message"),
        [
            (tap("1..2", "ok 1 - a", "ok 2 - b # SKIP"), "1 of 2 tests passed, none failed"),
            (tap("1..0"), "the tests gave no verdict: the report holds no test"),
            (tap("1..1", "ok 1 - a # SKIP"), "none of 1 test passed: all were skipped or are expected to fail"),
            (RunTests("n", "true"), "the tests gave no verdict: the test script left no report (*.xml)"),
            (RunTests("n", "exit 127", "pytest"), "the tests gave no verdict: the output holds no closing summary"),
        ],
    )  # fmt: skip
    def test_what_tests_report_is_judged(self, run: Run, verifier: RunTests, message: str) -> None:
        found = ran_tests(run, verifier)
        assert found.message.startswith(message)
        assert found.passed is message.endswith("none failed")

    def test_an_exit_code_other_than_0_is_a_failure(self, run: Run) -> None:
        verifier = tap("1..1", "ok 1 - a")
        found = ran_tests(run, RunTests("n", f"{verifier.command}; exit 3", "tap"))
        assert (found.passed, found.message) == (False, "1 of 1 test passed, but the exit code is 3")

    def test_tests_that_hang_have_failed(self, run: Run) -> None:
        found = ran_tests(run, RunTests("n", "sleep 60", "tap"), seconds=1.0)
        assert found.message == "the tests gave no verdict: the tests were stopped after 1 s"

    def test_a_forged_report_of_the_agent_does_not_count(self, run: Run) -> None:
        patch = run.patch(report_dot_tap="1..1\nok 1 - a\n", run_tests_dot_sh="exit 0\n")
        found = ran_tests(run, RunTests("n", "ls run_tests.sh", "tap"), patch)
        assert (found.passed, "no report" in found.message) == (False, True)


class TestBuild:
    @pytest.mark.parametrize(
        ("verifier", "passed", "message"),
        [
            (BuildTask("n", "test -d calc"), True, "the command ended with exit code 0"),
            (BuildTask("n", "echo no; exit 2"), False, "the command ended with exit code 2: no"),
            (BuildTask("n", "exit 2"), False, "the command ended with exit code 2: it printed nothing"),
            (
                BuildTask("n", "echo built 3 files", Occurrences(r"built \d+")),
                True,
                "exit code 0; 1 match, at least 1 is expected; first in the output, line 1: built 3",
            ),
            (
                BuildTask("n", "echo warning", Occurrences("warning", 0, strict=True)),
                False,
                "exit code 0; 1 match, exactly 0 are expected; first in the output, line 1: warning",
            ),
            (
                BuildTask("n", f"echo {'a' * 60}b", Occurrences("(a+)+$")),
                False,
                "exit code 0; the search took more than 2 s",
            ),
        ],
    )
    def test_a_build(self, run: Run, verifier: BuildTask, passed: bool, message: str) -> None:
        found = check_build(verifier, run.bench(seconds=2.0))
        assert (found.passed, found.message) == (passed, message)

    def test_a_build_that_hangs_has_failed(self, run: Run) -> None:
        found = check_build(BuildTask("n", "sleep 60"), run.bench(seconds=1.0))
        assert (found.passed, found.message) == (False, "the command was stopped after 1 s")


def test_last_words_are_the_end_of_the_output() -> None:
    assert last_words("x" * 400 + "the end\n").endswith("the end")
    assert len(last_words("x" * 400)) == 300
