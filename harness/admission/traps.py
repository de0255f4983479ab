"""Which traps the reference patch fails, so that grading may use them; see `harness.grading.traps`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import replace
from pathlib import Path
from random import SystemRandom

from harness.dataset import Trap, Traps
from harness.grading.closing import closing_of
from harness.grading.hidden_tests import TestRun
from harness.grading.traps.choosing import MIN_COUNT, candidates, choose
from harness.grading.traps.placing import Placed
from harness.grading.traps.result_ids import has_name, test_of
from harness.patches import FileState
from harness.records import TestResult, TestStatus

MAX_CANDIDATES = 24
MAX_RUNS = 8
MORE_RUNS = 3
_VALIDATIONS = 2

RunTests = Callable[[Sequence[Trap]], TestRun]


def prove(
    files: Sequence[FileState],
    tests: Collection[str],
    run_tests: RunTests,
    diffs: Sequence[Path] = (),
    unchanged: Sequence[TestResult] = (),
) -> Traps | None:
    """The usable traps of the author's `diffs`, else of these hidden files; None if there are fewer than MIN_COUNT.

    `run_tests` runs the tests with the reference patch and these traps. A trap is usable if it fails and all `tests`
    still pass, in MORE_RUNS further runs, too. Some of them are then tried together as for a grade; the script has to
    end in the same way each time.
    `unchanged`: the results of the unchanged code, which often runs into limits, so that a trap takes longer.
    """
    search = _Search(tests, run_tests, unchanged)
    known = search.steady(search.usable(candidates(files, tests, diffs)[:MAX_CANDIDATES]))
    while len(known) >= MIN_COUNT:
        test_runs = [
            run_tests(choose(dict.fromkeys(known, False), len(tests), SystemRandom()))
            for _ in range(_VALIDATIONS)
        ]
        disturbing = {_copied(trap) for test_run in test_runs for trap in search.beside_failed(test_run)}
        if not disturbing:
            return _traps(known, tests, test_runs, search.names)
        known = [trap for trap in known if _copied(trap) not in disturbing]
    return None


def _traps(
    known: Sequence[Trap], tests: Collection[str], test_runs: Sequence[TestRun], names: Set[str]
) -> Traps | None:
    """The traps, unless these runs with some of them have ended in different ways, or other tests have failed.

    `names`: of the traps and their originals.
    """
    codes = {test_run.command.exit_code for test_run in test_runs}
    if len(codes) != 1 or not all(_fails_traps_only(test_run, tests) for test_run in test_runs):
        return None
    code = codes.pop()
    # The last line of some runners, as with TAP, is about one test. Whether that one fails depends on the run's traps.
    named = {*names, *(re.split("::| > ", test)[-1] for test in tests)}
    closing = closing_of((test_run.command.output for test_run in test_runs), named)
    return None if code is None else Traps(tuple(known), code, closing)


class _Search:
    """Finds the usable traps, in at most MAX_RUNS test runs.

    Of a group that disturbs other tests, the traps whose originals failed are left out. If these are none or all, the
    group is divided.
    `names`: those of all traps that were tried, and of their originals.
    """

    def __init__(self, tests: Collection[str], run_tests: RunTests, unchanged: Sequence[TestResult]) -> None:
        self._tests = frozenset(tests)
        self._unchanged = unchanged
        self._run_tests = run_tests
        self._runs = 0
        self.names: set[str] = set()

    def usable(self, traps: Sequence[Trap]) -> list[Trap]:
        if not traps or self._runs >= MAX_RUNS:
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
        disturbing = self.beside_failed(test_run)
        if 0 < len(disturbing) < len(traps):
            return self.usable([trap for trap in traps if trap not in disturbing])
        half = len(traps) // 2
        return [*self.usable(traps[:half]), *self.usable(traps[half:])]

    def steady(self, traps: list[Trap]) -> list[Trap]:
        """The traps whose originals pass in more test runs, where the copies stand at other places.

        A test that cannot run twice in one process passes before its copy, and fails behind it.
        """
        for _ in range(MORE_RUNS):
            if not traps:
                break
            disturbing = self.beside_failed(self._run_tests(traps))
            traps = [trap for trap in traps if trap not in disturbing]
        return traps

    def beside_failed(self, test_run: TestRun) -> list[Trap]:
        """The traps of this test run whose originals have failed."""
        failed, placed = self._tests - _passed(test_run), test_run.placed
        return [
            placed.traps[name]
            for name, original in placed.originals.items()
            if any(has_name(test, original) for test in failed)
        ]

    def _seconds(self, placed: Placed, name: str, results: Sequence[TestResult]) -> float:
        """What this trap adds to a test run, at most."""
        solved = sum(result.seconds for result in results)
        return round(max(solved, placed.original_seconds(name, self._unchanged)), 3)


def _copied(trap: Trap) -> tuple[str, str]:
    """The test of which this trap is a copy."""
    return trap.file, test_of(trap.key)


def _passed(test_run: TestRun) -> frozenset[str]:
    return frozenset(result.id for result in test_run.results if result.status is TestStatus.PASSED)


def _is_undisturbed(test_run: TestRun, tests: Collection[str]) -> bool:
    return not test_run.trouble and _passed(test_run).issuperset(tests)


def _fails_traps_only(test_run: TestRun, tests: Collection[str]) -> bool:
    return _is_undisturbed(test_run, tests) and all(map(_fails, test_run.traps.values()))


def _fails(results: Sequence[TestResult]) -> bool:
    return bool(results) and all(result.status is TestStatus.FAILED for result in results)
