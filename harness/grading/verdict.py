"""Computes the verdict from a manifest and reported test results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.grading.results import worse
from harness.records import TestResult, TestStatus

NAMED = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """`tests`: each expected test once, in the manifest's order. `reason`: one sentence for the user."""

    resolved: bool
    tests: tuple[TestResult, ...]
    reason: str


def judge(
    expected: Sequence[str],
    reported: Iterable[TestResult],
    *,
    exit_code: int | None,
    trouble: str = "",
    forged: bool = False,
) -> Verdict:
    """Resolved if every expected test is reported as passed and the script's exit code is 0.

    Tests that are not expected are ignored; of two results of one test, the worse counts. `trouble`: why there is no
    report; then the task is not resolved. `exit_code` None: the script was stopped, at its time-out unless `trouble`
    gives another reason. `forged`: whether traps show forged results.
    """
    if not expected:
        raise ValueError("no test is expected: an untouched workspace would resolve the task")
    found: dict[str, TestResult] = {}
    for result in reported:
        found[result.id] = worse(found.get(result.id), result)
    tests = tuple(found.get(test, TestResult(test, TestStatus.MISSING)) for test in expected)
    unfit = [test for test in tests if test.status is not TestStatus.PASSED]
    if exit_code is None:
        return Verdict(False, tests, trouble or "the tests were stopped at their time-out")
    if trouble:
        return Verdict(False, tests, f"the tests gave no verdict: {trouble} (exit code {exit_code})")
    if forged:
        return Verdict(
            False, tests, "the results are forged: an altered test passed, which no correct solution can"
        )
    if unfit:
        named = ", ".join(f"{test.id} ({test.status.value.replace('_', ' ')})" for test in unfit[:NAMED])
        more = f" and {len(unfit) - NAMED} more" if len(unfit) > NAMED else ""
        reason = f"{len(unfit)} of {len(tests)} expected tests did not pass: {named}{more}"
        return Verdict(False, tests, reason)
    if exit_code != 0:
        reason = (
            f"all {len(tests)} expected tests passed, but the test script ended with exit code {exit_code}"
        )
        return Verdict(False, tests, reason)
    return Verdict(True, tests, f"all {len(tests)} expected tests passed")
