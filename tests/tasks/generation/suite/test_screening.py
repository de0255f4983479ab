"""What one run of the hidden tests decides about a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.patches import FileState
from harness.records import TestResult, TestStatus
from tasks.generation.corrupting.candidates import Candidate, Kind, Reason, Refusal, candidate
from tasks.generation.corrupting.removal import removed
from tasks.generation.suite.hidden_suite import SuiteRun
from tasks.generation.suite.screening import (
    Baseline,
    RepositoryRefused,
    Screener,
    Thresholds,
    measure_baseline,
)
from tests.tasks.generation.small import CHECKS, MODULE, Suite, place_of, source_in, tree_of

LOOSE = Thresholds(removal=2)


@pytest.fixture
def source(tmp_path: Path) -> Tree:
    return source_in(tmp_path)


def corrupted(source: Tree, name: str, old: str, new: str) -> Candidate:
    tree = tree_of(source)
    after = tree.texts[MODULE].replace(old, new)
    assert after != tree.texts[MODULE]
    return candidate(tree, place_of(tree, name), "test", after, seed=1, kind=Kind.CORRUPT)


def screened(source: Tree, made: Candidate, thresholds: Thresholds = LOOSE) -> Candidate:
    suite = Suite(source)
    return Screener(source, suite, measure_baseline(suite, thresholds), thresholds)(made)


def test_a_removed_function_makes_its_tests_fail(source: Tree) -> None:
    tree = tree_of(source)
    made = screened(source, removed(tree, place_of(tree, "heaviest"), seed=1))
    assert made.refusal is None
    assert made.screening == {
        "failing": ["heaviest::default", "heaviest::two"],
        "missing": 0,
        "naming_target": 0,
        "failures": {"heaviest::default": "AssertionError: ", "heaviest::two": "AssertionError: "},
        "tests": 9,
        "left_out": 0,
        "cpu_seconds": 0.25,
        "seconds": 0.5,
        "baseline_cpu_seconds": 0.25,
        "least_failing": 2,
        "most_suite_seconds": 60.0,
    }


def test_the_thresholds_of_the_paper_are_five_for_removal_and_two_for_corruption(source: Tree) -> None:
    tree = tree_of(source)
    made = screened(source, removed(tree, place_of(tree, "heaviest"), seed=1), Thresholds())
    assert made.refusal == Refusal(Reason.TOO_FEW_FAILING, "2 failing, 5 needed")
    made = corrupted(source, "fill", "number += 1", "number += 2")
    assert screened(source, made, Thresholds()).refusal is None
    one = corrupted(source, "heaviest", "return default", "return None")
    assert screened(source, one, Thresholds()).refusal == Refusal(
        Reason.TOO_FEW_FAILING, "1 failing, 2 needed"
    )


def test_a_change_that_no_test_notices_survived(source: Tree) -> None:
    made = screened(source, corrupted(source, "unused", "first < second", "first <= second"))
    assert made.refusal is not None
    assert made.refusal.reason is Reason.SURVIVED


def test_some_failures_from_all_parts_of_the_suite_are_recorded(source: Tree) -> None:
    tests = [f"t{number:02}" for number in range(25)]
    results = tuple(
        TestResult(test, TestStatus.FAILED, message=f"at 0x7f01ab34cd00 {'x' * 300}\nmore")
        for test in tests[:-1]
    )
    made = corrupted(source, "unused", "first < second", "first <= second")
    run = SuiteRun(results, 1.0, 1.0)
    found = Screener(source, lambda changed, timeout: run, Baseline(tuple(tests), (), 1.0, 1.0), LOOSE)(made)
    assert found.screening is not None
    assert len(found.screening["failing"]) == 25
    assert list(found.screening["failures"]) == tests[::3]
    assert found.screening["failures"]["t00"] == f"at 0x… {'x' * 193}"
    assert found.screening["failures"]["t24"] == "did not run"


def test_tracebacks_that_lead_into_the_target_are_counted(source: Tree) -> None:
    made = screened(source, corrupted(source, "heaviest", "max(boxes)", "max(default)"))
    assert made.screening is not None
    assert made.screening["naming_target"] == 1
    assert made.screening["failing"] == ["heaviest::two"]


RESULTS = tuple(TestResult(name, TestStatus.PASSED) for name in CHECKS)
BASELINE = Baseline(tuple(CHECKS), (), 1.0, 1.0)


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (SuiteRun((), 1.0, trouble="the report holds no test"), Reason.SUITE_FAILS),
        (SuiteRun((), 60.0, trouble="stopped after 60 s", timed_out=True), Reason.TOO_SLOW),
        (SuiteRun(RESULTS[1:], 1.0, 1.0), Reason.TESTS_MISSING),
        (SuiteRun(RESULTS, 1.0, 61.0), Reason.TOO_SLOW),
        (SuiteRun(RESULTS, 61.0, None), Reason.TOO_SLOW),
        (SuiteRun(RESULTS, 61.0, 1.0), Reason.SURVIVED),
    ],
)
def test_a_run_without_usable_results_is_refused(source: Tree, run: SuiteRun, reason: Reason) -> None:
    made = corrupted(source, "unused", "first < second", "first <= second")
    found = Screener(source, lambda changed, timeout: run, BASELINE, Thresholds())(made)
    assert found.refusal is not None
    assert found.refusal.reason is reason


def test_the_changed_files_are_run_for_as_long_as_a_busy_host_needs(source: Tree) -> None:
    seen: list[tuple[list[str], float]] = []

    def run(changed: Sequence[FileState], timeout: float) -> SuiteRun:
        seen.append(([file.path for file in changed], timeout))
        return SuiteRun(RESULTS, 1.0, 1.0)

    made = corrupted(source, "unused", "first < second", "first <= second")
    Screener(source, run, BASELINE, Thresholds())(made)
    Screener(source, run, replace(BASELINE, seconds=20.0), Thresholds())(made)
    assert seen == [([MODULE], 60.0), ([MODULE], 100.0)]


def runs_of(*runs: dict[str, TestStatus]) -> list[SuiteRun]:
    return [
        SuiteRun(tuple(TestResult(name, status) for name, status in run.items()), 2.0, 1.5) for run in runs
    ]


def baseline(runs: list[SuiteRun], leave_out: Sequence[str] = ()) -> Baseline:
    waiting = iter(runs)
    return measure_baseline(lambda changed, timeout: next(waiting), Thresholds(), leave_out)


PASSED, SKIPPED, FAILED = TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.FAILED
STEADY = {"a": PASSED, "b": PASSED}


def test_a_baseline_is_measured_three_times_without_the_tests_that_are_left_out() -> None:
    found = baseline(runs_of({**STEADY, "c": SKIPPED}, STEADY, {**STEADY, "c": FAILED}), ["c"])
    assert found == Baseline(("a", "b"), ("c",), 2.0, 1.5, 3)
    assert Baseline.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (runs_of(*[{**STEADY, "c": SKIPPED}] * 3), r"c \(skipped 3 times\).*leave_out = \[\"c\"\]"),
        (runs_of({**STEADY, "b": FAILED}, STEADY, STEADY), r"1 of 2.*b \(failed 1 times, passed 2 times\)"),
        (runs_of({"a": PASSED}, STEADY, STEADY), r"b \(passed 2 times\)"),
        ([SuiteRun((), 1.0, trouble="no report", output="No module named pytest")], "no report.*No module"),
        ([SuiteRun((), 1.0, 61.0)] * 3, "take 61.0 s of CPU time, at most 60 s"),
    ],
)  # fmt: skip
def test_a_repository_whose_tests_are_not_steady_is_refused(runs: list[SuiteRun], said: str) -> None:
    with pytest.raises(RepositoryRefused, match=said):
        baseline(runs)
