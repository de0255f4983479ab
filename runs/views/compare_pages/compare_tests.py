"""The tests of two runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.records import TestResult, TestStatus
from runs.presentation.formatting.text import cut

MAX_SHOWN = 500


TestPair = tuple[str, str, str]
"""The id of a test and its status in both runs; '' where a run's report does not name it."""


@dataclass(frozen=True, slots=True)
class ComparedTests:
    """Tests that differ first, then those that neither passed, then those that both did; `unshown` are beyond 500."""

    differing: tuple[TestPair, ...]
    failing: tuple[TestPair, ...]
    passing: tuple[TestPair, ...]
    counts: tuple[int, int, int]
    unshown: int


def compare_tests(one: Sequence[TestResult], two: Sequence[TestResult]) -> ComparedTests:
    """Both reports, test by test, in the order of the first; tests of only the second come last."""
    ours, theirs = _statuses(one), _statuses(two)
    differing: list[TestPair] = []
    failing: list[TestPair] = []
    passing: list[TestPair] = []
    for name in dict.fromkeys((*ours, *theirs)):
        first, second = ours.get(name, ""), theirs.get(name, "")
        test = (cut(name, 300).shown, first, second)
        if first != second:
            differing.append(test)
        elif first == TestStatus.PASSED.value:
            passing.append(test)
        else:
            failing.append(test)
    groups = (differing, failing, passing)
    shown = [tuple(group[:MAX_SHOWN]) for group in groups]
    return ComparedTests(
        differing=shown[0],
        failing=shown[1],
        passing=shown[2],
        counts=(len(differing), len(failing), len(passing)),
        unshown=sum(map(len, groups)) - sum(map(len, shown)),
    )


def _statuses(tests: Sequence[TestResult]) -> Mapping[str, str]:
    return {test.id: test.status.value for test in tests}
