"""Which traps the reference patch fails, so that grading may use them; see `harness.grading.traps`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from random import SystemRandom

from harness.dataset import Trap, Traps
from harness.grading.closing import closing_of
from harness.grading.hidden_tests import TestRun
from harness.grading.traps.choosing import FEWEST, candidates, choose
from harness.grading.traps.placing import Placed
from harness.patches import FileState
from harness.records import TestResult, TestStatus

MOST_CANDIDATES = 24
MOST_RUNS = 8
_VALIDATIONS = 2

RunTests = Callable[[Sequence[Trap]], TestRun]


def prove(
    files: Sequence[FileState],
    tests: Collection[str],
    run_tests: RunTests,
    diffs: Sequence[Path] = (),
    unchanged: Sequence[TestResult] = (),
) -> Traps | None:
    """The usable traps of the author's `diffs`, else of these hidden files; None if there are fewer than FEWEST.

    `run_tests` runs the tests with the reference patch and these traps. A trap is usable if it fails and all `tests`
    still pass. Some of them are then tried together as for a grade; the script has to end in the same way each time.
    `unchanged`: the results of the unchanged code, which often runs into limits, so that a trap takes longer.
    """
    search = _Search(tests, run_tests, unchanged)
    known = search.usable(candidates(files, tests, diffs)[:MOST_CANDIDATES])
    if len(known) < FEWEST:
        return None
    test_runs = [
        run_tests(choose(dict.fromkeys(known, False), len(tests), SystemRandom()))
        for _ in range(_VALIDATIONS)
    ]
    codes = {test_run.command.exit_code for test_run in test_runs}
    if len(codes) != 1 or not all(_fails_traps_only(test_run, tests) for test_run in test_runs):
        return None
    code = codes.pop()
    # The last line of some runners, as with TAP, is about one test. Whether that one fails depends on the run's traps.
    names = search.names.union(re.split("::| > ", test)[-1] for test in tests)
    closing = closing_of((test_run.command.output for test_run in test_runs), names)
    return None if code is None else Traps(tuple(known), code, closing)


class _Search:
    """Finds the usable traps. A group that disturbs the other tests is divided, in at most MOST_RUNS test runs.

    `names`: those of all traps that were tried, and of their originals.
    """

    def __init__(self, tests: Collection[str], run_tests: RunTests, unchanged: Sequence[TestResult]) -> None:
        self._tests = tests
        self._unchanged = unchanged
        self._run_tests = run_tests
        self._runs = 0
        self.names: set[str] = set()

    def usable(self, traps: Sequence[Trap]) -> list[Trap]:
        if not traps or self._runs >= MOST_RUNS:
            return []
        self._runs += 1
        test_run = self._run_tests(traps)
        self.names.update(test_run.placed.traps, test_run.placed.originals.values())
        if _is_undisturbed(test_run, self._tests):
            return [
                replace(test_run.placed.traps[name], seconds=self._seconds(test_run.placed, name, results))
                for name, results in test_run.traps.items()
                if _fails(results)
            ]
        if len(traps) == 1:
            return []
        half = len(traps) // 2
        return [*self.usable(traps[:half]), *self.usable(traps[half:])]

    def _seconds(self, placed: Placed, name: str, results: Sequence[TestResult]) -> float:
        """What this trap adds to a test run, at most."""
        solved = sum(result.seconds for result in results)
        return round(max(solved, placed.original_seconds(name, self._unchanged)), 3)


def _is_undisturbed(test_run: TestRun, tests: Collection[str]) -> bool:
    passed = {result.id for result in test_run.results if result.status is TestStatus.PASSED}
    return not test_run.trouble and passed.issuperset(tests)


def _fails_traps_only(test_run: TestRun, tests: Collection[str]) -> bool:
    return _is_undisturbed(test_run, tests) and all(map(_fails, test_run.traps.values()))


def _fails(results: Sequence[TestResult]) -> bool:
    return bool(results) and all(result.status is TestStatus.FAILED for result in results)
